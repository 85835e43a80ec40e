"""The command by which a person comes back to a seat that they keep."""

import shlex

from put_client.sdk.client import Client
from put_client.sdk.errors import address
from put_protocol import DEFAULT_PORT


def way_back(client: Client, *, is_stored: bool, flags: tuple[str, ...] = ()) -> str:
    """The command that brings them back. `is_stored`: their token is on this computer, for `put-client` to find; else
    it is told, for it can be typed to the server in plain English. `flags`: what the program was started with."""
    if not is_stored:
        return f"nc {client.host} {client.port}, and there: back {client.token}"
    here = client.host in ("localhost", "127.0.0.1", "::1") and client.port == DEFAULT_PORT
    place = () if here and client.host == "localhost" else (address(client.host, client.port),)
    return shlex.join(("put-client", *flags, *place))
