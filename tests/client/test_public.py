"""The public surface: what `from put_client import ...` offers, and what importing it costs."""

import asyncio
import subprocess
import sys

import pytest

import put_client
from put_client import Client, connect
from put_protocol.messages import Bye
from tests.client.scripted_server import Server


def test_every_public_name_is_there() -> None:
    """`__all__` names nothing that cannot be imported."""
    for name in put_client.__all__:
        assert getattr(put_client, name) is not None


def test_other_names_are_not() -> None:
    """A name outside `__all__` is an AttributeError, as of any module."""
    with pytest.raises(AttributeError, match="no_such_name"):
        getattr(put_client, "no_such_name")  # noqa: B009  # mypy knows that it is not there


def test_importing_the_package_loads_nothing() -> None:
    """Neither the SDK nor the terminal is loaded until it is used; the SDK never loads the terminal."""
    program = (
        "import sys, put_client\n"
        "assert not [name for name in sys.modules if name.startswith('put_client.')]\n"
        "put_client.play, put_client.connect\n"
        "assert not {'prompt_toolkit', 'put_client.tui', 'put_client.cli'} & {*sys.modules}\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


async def test_connect_as_a_context_closes_the_client(server: Server) -> None:
    """`async with connect(...)` enters with a welcomed client and says `bye` when it is left."""

    async def visit() -> Client:
        async with connect("127.0.0.1", server.port, name="Moll") as client:
            return client

    visiting = asyncio.create_task(visit())
    peer = await server.arrival()
    assert (await peer.welcome()).name == "Moll"
    await peer.hear(Bye)
    peer.drop()
    assert isinstance(await visiting, Client)


async def test_connect_can_be_awaited(server: Server) -> None:
    """`await connect(...)` gives the client, which is then to be closed."""
    connecting = asyncio.ensure_future(connect("127.0.0.1", server.port, name="Moll"))
    peer = await server.arrival()
    await peer.welcome()
    client = await connecting
    assert client.name == "Moll"
    peer.drop()
    await client.close()
