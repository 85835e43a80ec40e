"""Layout of a cluster on its broker: the names of its streams and buckets. The subjects of links are in
`broker`."""

import re
from typing import NamedTuple


class BrokerNames(NamedTuple):
    """Names of one cluster, whose own name has only letters, digits, `-` and `_` (see `settings`)."""

    cluster: str

    @property
    def config(self) -> str:
        """Key-value bucket with the configuration, which is fixed when the cluster is made."""
        return f"put-{self.cluster}"

    @property
    def aliases(self) -> str:
        """Object store with the homes of people that `put-server migrate` brought: their tokens do not lead there."""
        return f"put-{self.cluster}-aliases"

    def has(self, stream: str) -> bool:
        """Tell whether a stream of the broker belongs to this cluster or to one of its buckets; `-leases` was one of
        earlier versions."""
        return re.fullmatch(rf"(KV_|OBJ_)?put-{self.cluster}(-leases|-aliases|-\d+(-games)?)?", stream) is not None

    def stream(self, shard: int) -> str:
        """Stream with the journal of a shard."""
        return f"put-{self.cluster}-{shard}"

    def games(self, shard: int) -> str:
        """Stream with its finished games."""
        return f"put-{self.cluster}-{shard}-games"

    @property
    def status_subject(self) -> str:
        """Subject on which `put-server status` asks and every process of the cluster answers."""
        return f"put.{self.cluster}.status"

    def calls_subject(self, role: str) -> str:
        """Subject on which every gateway, or every worker, takes an operator's calls."""
        return f"put.{self.cluster}.calls.{role}"
