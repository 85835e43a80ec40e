"""Layout of a cluster on its broker: the names of its streams and buckets. The subjects of links are in `post`."""

import re
from typing import NamedTuple


class Layout(NamedTuple):
    """Of the cluster of this name, which has only letters, digits, `-` and `_` (see `settings`)."""

    cluster: str

    @property
    def charter(self) -> str:
        """Key-value bucket with what is fixed when the cluster is made."""
        return f"put-{self.cluster}"

    @property
    def leases(self) -> str:
        """Key-value bucket with who runs which shard. Its keys end by themselves."""
        return f"put-{self.cluster}-leases"

    @property
    def aliases(self) -> str:
        """Object store with the homes of people whom `put-server migrate` has brought: their tokens do not lead
        there."""
        return f"put-{self.cluster}-aliases"

    def has(self, stream: str) -> bool:
        """Whether a stream of the broker is this cluster's, or is that of one of its buckets."""
        return (
            re.fullmatch(rf"(KV_|OBJ_)?put-{self.cluster}(-leases|-aliases|-\d+(-games|-checkpoints)?)?", stream)
            is not None
        )

    def stream(self, shard: int) -> str:
        """Stream with the journal of a shard."""
        return f"put-{self.cluster}-{shard}"

    def games(self, shard: int) -> str:
        """Stream with its finished games."""
        return f"put-{self.cluster}-{shard}-games"

    def checkpoints(self, shard: int) -> str:
        """Object store with its checkpoints."""
        return f"put-{self.cluster}-{shard}-checkpoints"

    @property
    def status_subject(self) -> str:
        """Asked by `put-server status`, and answered by every process of the cluster."""
        return f"put.{self.cluster}.status"

    def calls_subject(self, role: str) -> str:
        """Where every gateway, or every worker, takes what an operator asks."""
        return f"put.{self.cluster}.calls.{role}"
