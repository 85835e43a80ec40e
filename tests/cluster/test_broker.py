"""Who we are to the broker comes from files; what is fixed of a cluster is the same for everyone."""

import asyncio
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import nkeys  # type: ignore[import-untyped]  # it has none
import pytest
from nats.aio.client import Client
from nats.errors import TimeoutError as NatsTimeout
from nats.js.client import JetStreamContext
from nats.js.errors import ServiceUnavailableError
from nats.js.object_store import ObjectStore

from put_runtime.settings import SettingsError
from put_server.cluster import broker, cluster_config, home_shards, shared_value
from put_server.cluster.broker import BadCluster, BrokerNames, BrokerWatch, LinkPublisher, OutOfReach, connected
from put_server.cluster.cluster_config import ClusterConfig, settled
from put_server.cluster.migration import StoredCluster
from put_server.cluster.stream_journal import StreamJournal
from put_server.settings import Settings, settle
from put_server.transport.origins import parse_network
from tests.authority import Authority
from tests.cluster.nats_server import nats_server, needs_nats

pytestmark = needs_nats

SEED = "SUAGMJH5XLGZKQQWAWKRZJIGMOU4HPFUYLXJMXOO5NLFEO2OOQJ5LPRDPM"  # of the documentation of NATS


def file_of(path: Path, text: str) -> str:
    path.write_text(text)
    return str(path)


async def test_broker_knows_us_by_a_file(tmp_path: Path) -> None:
    """By a user and a password, or by an nkey; who has none is refused, and no error shows what was in the file."""
    public = nkeys.from_seed(bytearray(SEED.encode())).public_key.decode()
    users = f'authorization {{ users: [{{user: ann, password: "open sesame"}}, {{nkey: {public}}}] }}'
    async with nats_server(tmp_path / "nats", users.replace("open sesame", "sesame")) as server:
        for number, text in enumerate(["ann\nsesame\n", f"{SEED}\n"]):
            creds = file_of(tmp_path / f"creds{number}", text)
            async with connected(Settings(nats=server.url, nats_creds=creds), "test") as client:
                assert client.is_connected
        for text in ("ann\nsesam\n", ""):
            creds = file_of(tmp_path / "wrong", text) if text else ""
            with pytest.raises(OutOfReach, match=r"Authorization|reset") as caught:
                async with connected(Settings(nats=server.url, nats_creds=creds), "test"):
                    pass
            assert "sesam" not in str(caught.value)


async def test_permissions_of_the_page_are_enough(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """To make a cluster, to claim its shards, to write and to read more than a window of messages, and to ban."""
    page = (Path(__file__).parents[2] / "docs" / "cluster.md").read_text(encoding="utf-8")
    said = page.partition("let it publish to")[2].partition("\n\n")[0]
    publish, subscribe = [re.findall("`([^` ]+>)`", part) for part in said.split("and subscribe to")]
    assert len(publish) == 7
    permissions = json.dumps({"publish": publish, "subscribe": subscribe})
    users = f"authorization {{ users: [{{ user: put, password: x, permissions: {permissions} }}] }}"
    async with nats_server(tmp_path / "nats", users) as server:
        settings = Settings(nats=server.url, nats_creds=file_of(tmp_path / "creds", "put x"), shards=1, replicas=1)
        async with connected(settings, "test") as client:
            cluster = StoredCluster(client, settings, await settled(client, settings))
            await home_shards.write_homes(client, "put", {b"digest": 0}, replicas=1)
            journal = await StreamJournal.opened(*cluster.streams(0), "test")
            stream, games = cluster.streams(0)
            for one in (stream, games):
                await one.last()
                sequences = [(await one.append([("part", bytes(500_000))]))[0] for _ in range(20)]
                assert len(await one.read()) >= 20
                await one.remove(sequences)
            journal.close()
            await shared_value.SharedBans(client, "put").change(parse_network("192.0.2.1"), is_banned=True)
            await client.publish(BrokerNames("put").subject("workers"), b"")
            await client.flush()
    assert "ermission" not in caplog.text


async def test_broker_is_trusted_by_its_authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a CA the connection is encrypted and the broker's certificate checked, and it can check ours."""
    ca, certificate, key = certificates(tmp_path)
    tls = f'tls {{ cert_file: "{certificate}", key_file: "{key}", ca_file: "{ca}", verify: true }}'
    async with nats_server(tmp_path / "nats", tls) as server:
        ours = Settings(nats=server.url, nats_ca=ca, nats_certificate=certificate, nats_key=key)
        async with connected(ours, "test") as client:
            assert client.is_connected
        monkeypatch.setattr(broker, "CONNECT_S", 0.2)
        with pytest.raises(OutOfReach):  # it wants a certificate of ours
            async with connected(replace(ours, nats_certificate="", nats_key=""), "test"):
                pass
        with pytest.raises(OutOfReach, match="certificate"):
            async with connected(Settings(nats=server.url.replace("nats:", "tls:")), "test"):
                pass
        with pytest.raises(OutOfReach):  # by an authority that we do not trust
            async with connected(replace(ours, nats_ca=certificates(tmp_path / "other")[0]), "test"):
                pass


async def test_connection_ends_quietly_after_an_encrypted_broker_was_killed(tmp_path: Path) -> None:
    """Also when something still waits to be sent."""
    ca, certificate, key = certificates(tmp_path)
    tls = f'tls {{ cert_file: "{certificate}", key_file: "{key}" }}'
    async with nats_server(tmp_path / "nats", tls) as server:
        async with connected(Settings(nats=server.url, nats_ca=ca), "test") as client:
            await server.kill()
            while client.is_connected:  # noqa: ASYNC110  # the client tells nobody
                await asyncio.sleep(0.01)
            await client.publish("put.test.nothing", b"x")
        assert client.is_closed


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"nats_creds": "missing"}, "nats_creds: .*missing cannot be read"),
        ({"nats_creds": "junk"}, "must be a .creds file of NATS"),
        ({"nats_creds": "seed"}, "nats_creds: the seed in .*seed is damaged"),
        ({"nats_creds": "long"}, "nats_creds: the seed in .*long is damaged"),
        ({"nats_creds": "jwt"}, "must be a .creds file of NATS"),
        ({"nats_creds": "jwt_seed"}, "nats_creds: the seed in .*jwt_seed is damaged"),
        ({"nats_ca": "junk"}, "nats_ca: .*junk cannot be used"),
        ({"nats_ca": "missing"}, "nats_ca: .*missing cannot be used"),
        ({"nats_key": "junk"}, "there is a key and no certificate"),
        ({"nats_certificate": "junk"}, "nats_certificate: .*junk cannot be used"),
    ],
)
async def test_broker_files_that_will_not_do_are_named(given: dict[str, str], says: str, tmp_path: Path) -> None:
    """One knows which to mend, and sees nothing of what is in it."""
    jwt = "-----BEGIN NATS USER JWT-----\nsesame\n------END NATS USER JWT------\n"
    contents = {"junk": "one two three-sesame", "seed": "SUsesame", "long": f"{SEED}AAAAAAAAAA", "jwt": jwt}
    contents["jwt_seed"] = f"{jwt}\n-----BEGIN USER NKEY SEED-----\nSUsesame\n------END USER NKEY SEED------\n"
    for name, text in contents.items():
        file_of(tmp_path / name, text)
    settings = settle(
        {"nats": "nats://127.0.0.1:1"} | {name: str(tmp_path / file) for name, file in given.items()}, {}, None
    )
    with pytest.raises(SettingsError, match=says) as caught:
        async with connected(settings, "test"):
            pass
    assert "sesame" not in str(caught.value)


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="there are no such terminals")
def test_locked_key_of_ours_is_an_error_and_no_question(tmp_path: Path) -> None:
    """OpenSSL would ask for its password at the terminal, and no command would end."""
    key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -passout pass:sesame"
    make = f"openssl req -x509 {key} -subj /CN=us -out c -keyout k"
    subprocess.run(make.split(), check=True, capture_output=True, stdin=subprocess.DEVNULL, cwd=tmp_path)
    command = ["status", "--nats", "nats://127.0.0.1:1", "--nats-certificate", "c", "--nats-key", "k"]
    at_terminal = f"import pty; pty.spawn({[sys.executable, '-m', 'put_server', *command]})"
    told = subprocess.check_output(
        [sys.executable, "-c", at_terminal], stdin=subprocess.DEVNULL, cwd=tmp_path, timeout=60
    )
    assert b"nats_certificate: c cannot be used" in told


async def test_homes_are_asked_for_again_while_nats_elects_a_leader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A gateway that starts just then waits for it, as it does for the configuration."""
    object_store, asked = JetStreamContext.object_store, []

    async def answers_late(self: JetStreamContext, bucket: str) -> ObjectStore:
        asked.append(bucket)
        if len(asked) == 1:
            raise NatsTimeout
        return await object_store(self, bucket)

    monkeypatch.setattr(JetStreamContext, "object_store", answers_late)
    async with nats_server(tmp_path) as server, connected(Settings(nats=server.url), "test") as client:
        await home_shards.write_homes(client, "a", {b"digest": 3}, replicas=1)
        assert await home_shards.read_homes(client, "a") == {b"digest": 3}
    assert len(asked) == 2


async def test_configuration_is_made_once_and_holds_for_everyone(tmp_path: Path) -> None:
    """Who comes later has the same number of shards and the same key; who is told another number is refused."""
    async with nats_server(tmp_path) as server, connected(Settings(nats=server.url), "test") as client:
        with pytest.raises(OutOfReach, match="3 replicas"):  # one server cannot
            await settled(client, Settings(cluster="a"))
        made = await settled(client, Settings(cluster="a", shards=5, replicas=1))
        assert (made.shards, made.replicas, len(bytes.fromhex(made.passcode_key))) == (5, 1, 32)
        assert await settled(client, Settings(cluster="a")) == made
        assert await settled(client, Settings(cluster="b", replicas=1)) != made
        with pytest.raises(BadCluster, match="has 5 shards and not 4"):
            await settled(client, Settings(cluster="a", shards=4))
        with pytest.raises(BadCluster, match="keeps 1 replicas of everything and not 3"):
            await settled(client, Settings(cluster="a", replicas=3))
        await cluster_config.write(
            client, "c", ClusterConfig(shards=1, replicas=1, passcode_key="", made_by="0", is_moving=True), is_new=True
        )
        with pytest.raises(BadCluster, match="is being written by put-server migrate"):
            await settled(client, Settings(cluster="c"))
        await _spoil(client, "a")
        with pytest.raises(BadCluster, match="the configuration of the cluster a cannot be read"):
            await settled(client, Settings(cluster="a"))


async def test_broker_that_cannot_serve_us_is_a_sentence_that_says_what_to_mend(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A user with too few rights, an account or a server without JetStream, and messages that may not be as large as
    ours."""
    monkeypatch.setattr(shared_value, "ANSWER_S", 0.2)
    users = """
        max_payload: 64KB
        no_auth_user: bare
        accounts {
            A: { users: [{user: bare, password: x}] }
            B: { jetstream: enabled, users: [{user: poor, password: x, permissions: {publish: "put.>"}}] }
        }
    """
    async with nats_server(tmp_path, users) as server:
        async with connected(Settings(nats=server.url), "test") as client:
            with pytest.raises(OutOfReach, match="JetStream not enabled for account"):
                await settled(client, Settings())
            with pytest.raises(BadCluster, match="carries 65536 bytes a message: set its max_payload to 1MB"):
                LinkPublisher(client, lambda: ())
        poor = Settings(nats=server.url, nats_creds=file_of(tmp_path / "poor", "poor x"))
        async with connected(poor, "test") as client:
            with pytest.raises(OutOfReach, match="cannot be asked for the cluster put"):
                await settled(client, Settings())
        assert "ermissions Violation" in caplog.text.replace("ermissions violation", "ermissions Violation")
    assert broker.reason(ServiceUnavailableError()).startswith("it has no JetStream; start nats-server with -js")


async def _spoil(client: Client, cluster: str) -> None:
    bucket = await client.jetstream().key_value(BrokerNames(cluster).config)
    await bucket.put("charter", b"{}")


def certificates(folder: Path) -> tuple[str, str, str]:
    """An authority, and a certificate of it for this machine with its key."""
    authority = Authority(folder)
    certificate, key = authority.issue("127.0.0.1")
    return str(authority.file), str(certificate), str(key)


async def test_another_node_is_tried_when_nobody_is_heard_and_seldom_when_that_does_not_help() -> None:
    tried: list[int] = []
    second = 0

    async def force_reconnect() -> None:
        tried.append(second)

    client = SimpleNamespace(is_connected=True, servers=["one", "two"], force_reconnect=force_reconnect)
    company = BrokerWatch(0.0, 5.0)
    for second in range(200):
        await company.look(cast("Client", client), float(second), is_heard=second < 20)
    assert tried == [24, 34, 54, 94, 154]
