"""Home shards: the shard that stores a person. Both their name and their token determine it.

A name is unique because all look-alike names have the same home, where the lobby compares them. The home is found by a
*key*: equal and look-alike names have the same key, and most other names have other keys. Two names look alike if a
skeleton of one is a skeleton of the other, of its own letters or of its small letters (`lobby.names`). The key is made
of the name's small letters, without marks that are easily overlooked. Each letter is replaced by the one it looks like;
then all letters that look alike in some case count as one: `i` and `l`, because of the capital `I`. A few letters look
like one letter in one case and like two in the other, such as the Greek beta, whose small form is taken for `ss`. They
stay unchanged, so a cluster does not detect that a name with `ss` looks like one with beta. It also does not detect
that names with an iota below and beside a letter are equal: the former is a mark, which the key omits, but folding
makes it a letter.

The home of a token is a part of its digest. A gateway draws tokens for a person until one leads to the home of their
name. Each try is one hash, and the average number of tries is the number of shards.

Both are fixed for the life of a cluster: with another key, an existing name would have another home. (Before edition 2
of the policy, strokes and the accents of Greek letters were in the key. A person who had such a name is still found by
their token; their name is unique again after their next arrival.)

Tokens of people from `put-server migrate` do not lead to their homes, because a single server made them. Their homes
are written once, before the cluster is served; gateways read them at their start.
"""

import hashlib
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache, lru_cache

import msgspec
from nats.aio.client import Client
from nats.js.errors import NotFoundError

from put_protocol.text import same_name
from put_server.cluster.broker import ANSWER_S, BadCluster, BrokerNames, asking
from put_server.cluster.cluster_config import patiently
from put_server.lobby.names import bare, looks
from put_server.transport.reception import digest_of


def home_of_name(name: str, shards: int) -> int:
    """The shard at which this name is unique."""
    return home_of_digest(hashlib.sha256(name_key(name).encode()).digest(), shards)


def home_of_digest(digest: bytes, shards: int) -> int:
    """The shard that knows the person with a token of this digest."""
    return int.from_bytes(digest[:8]) % shards


def token_for(home: int, shards: int, make: Callable[[], str]) -> str:
    """A token that leads to this home; `make` returns a random token."""
    while True:
        token = make()
        if home_of_digest(digest_of(token), shards) == home:
            return token


@lru_cache(maxsize=4096)
def name_key(name: str) -> str:
    """The key of a name; look-alike names have the same key."""
    classes, r, n, m = _classes()
    key = "".join([classes.get(letter, letter) for letter in _letters(same_name(bare(name)))])
    return key.replace(r + n, m)  # "rn" looks like a small m, not like a capital one


def _letters(name: str) -> str:
    """The letters of a folded name replaced by those they look like, without marks."""
    looks = same_name("".join([_look(letter) for letter in name]))
    return "".join([c for c in unicodedata.normalize("NFD", looks) if unicodedata.category(c)[0] != "M" and c != "'"])


def _look(letter: str) -> str:
    # An m stays; `name_key` replaces what looks like it at the end.
    target = looks().get(ord(letter), letter) if letter != "m" else letter
    # A letter stays if only its small form looks like several letters.
    return letter if len(target) == 1 and len(target.casefold()) > 1 else target


@cache
def _classes() -> tuple[dict[str, str], str, str, str]:
    """Listed by letter: the representative of all letters that look like it in some case; and the representatives of r,
    n and m."""
    stands: dict[str, str] = {}

    def find(letter: str) -> str:
        while letter in stands:
            letter = stands[letter]
        return letter

    letters = set(map(chr, looks())) - {"m"}
    capitals = {letter.upper() for letter in letters} | {letter.title() for letter in letters} | letters
    for capital in sorted(capitals):
        own = _letters(
            same_name(
                "".join([c if c == "m" else looks().get(ord(c), c) for c in unicodedata.normalize("NFKC", capital)])
            )
        )
        small = _letters(same_name(capital))
        if len(own) == len(small):
            for one, other in zip(own, small, strict=True):
                if (first := find(one)) != (second := find(other)):
                    stands[max(first, second)] = min(first, second)
    return {letter: find(letter) for letter in stands}, find("r"), find("n"), find("m")


_OBJECT = "homes"

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(dict[bytes, int]).decode


async def write_homes(client: Client, cluster: str, homes: Mapping[bytes, int], *, replicas: int) -> None:
    with asking(f"NATS cannot keep the homes of the people of {cluster}"):
        store = await client.jetstream(timeout=ANSWER_S).create_object_store(
            BrokerNames(cluster).aliases, replicas=replicas
        )
        await store.put(_OBJECT, _encode(dict(homes)))


async def read_homes(client: Client, cluster: str) -> dict[bytes, int]:
    """Read the homes, by digests of tokens; most clusters have none.

    :raises BadCluster: the homes are unreadable.
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
