"""Aliases: homes of people whose tokens do not lead there, because a server outside a cluster made the tokens.
`put-server migrate` writes them once, before anything is served; gateways read them when they start.
"""

from collections.abc import Mapping

import msgspec
from nats.aio.client import Client
from nats.js.errors import NotFoundError

from put_server.cluster.broker import asking
from put_server.cluster.broker_names import BrokerNames
from put_server.cluster.cluster_config import BadCluster, patiently

_OBJECT = "homes"

ANSWER_S = 5.0

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(dict[bytes, int]).decode


async def write(client: Client, cluster: str, homes: Mapping[bytes, int], *, replicas: int) -> None:
    """Write the homes, by digests of tokens.

    :raises OutOfReach: the broker does not answer.
    """
    with asking(f"NATS cannot keep the homes of the people of {cluster}"):
        store = await client.jetstream(timeout=ANSWER_S).create_object_store(
            BrokerNames(cluster).aliases, replicas=replicas
        )
        await store.put(_OBJECT, _encode(dict(homes)))


async def read(client: Client, cluster: str) -> dict[bytes, int]:
    """Read the homes, by digests of tokens; most clusters have none.

    :raises OutOfReach: the broker does not answer for long.
    :raises BadCluster: they cannot be read.
    """
    return await patiently(lambda: _read(client, cluster))


async def _read(client: Client, cluster: str) -> dict[bytes, int]:
    with asking(f"NATS cannot be asked for the homes of the people of {cluster}"):
        try:
            store = await client.jetstream(timeout=ANSWER_S).object_store(BrokerNames(cluster).aliases)
            found = await store.get(_OBJECT)
        except NotFoundError:
            return {}
    try:
        return _decode(found.data or b"")
    except msgspec.DecodeError as error:
        raise BadCluster(f"the homes of the people of {cluster} cannot be read ({error})") from None
