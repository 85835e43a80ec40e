"""Web Push: what is sent to a push service, and to no other place."""

import asyncio
import json
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from put_server.push import web_push
from put_server.push.web_push import BROWSERS, Browser, Sender, browser_at, encrypted, is_public
from tests.web.push_service import HOST, PushService, Receiver, decoded, encoded, point, push_service

MOZILLA = "https://updates.push.services.mozilla.com/wpush/v2/x"

KEYS = (
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "BTBZMqHH6r4Tts7J_aSIgg",
)
"""Of the example in RFC 8291."""


def browser(receiver: Receiver, address: str, *hosts: str) -> Browser:
    asked = receiver.push(address)
    return browser_at(asked.endpoint, asked.p256dh, asked.auth, hosts)


def test_example_of_rfc_8291_is_encrypted_as_there() -> None:
    """Section 5 and appendix A: keys, salt and message in, the body of the request out."""
    sender = ec.derive_private_key(
        int.from_bytes(decoded("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big"), ec.SECP256R1()
    )
    assert encoded(point(sender.public_key())) == (
        "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
    )
    body = encrypted(
        b"When I grow up, I want to be a watermelon",
        browser_at(MOZILLA, *KEYS, {BROWSERS}),
        sender,
        decoded("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert encoded(body) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3"
        "jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_signature_says_who_sends_and_to_whom() -> None:
    """RFC 8292: signed by the key that browsers subscribed with, for one service, and not for ever."""
    sender = Sender("https://put.example.org/")
    token, _, key = sender.authorization("push.example.org:8443", 1_000_000).removeprefix("vapid t=").partition(", k=")
    head, claims, signature = token.split(".")
    assert key == sender.public_key
    numbers = decoded(signature)
    signed = encode_dss_signature(int.from_bytes(numbers[:32], "big"), int.from_bytes(numbers[32:], "big"))
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(key))
    public.verify(signed, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    assert json.loads(decoded(head)) == {"typ": "JWT", "alg": "ES256"}
    assert json.loads(decoded(claims)) == {
        "aud": "https://push.example.org:8443",
        "exp": 1_043_200,
        "sub": "https://put.example.org/",
    }


@pytest.mark.parametrize(
    ("address", "hosts"),
    [
        ("http://updates.push.services.mozilla.com/x", {BROWSERS}),
        ("https://updates.push.services.mozilla.com:8443/x", {BROWSERS}),
        ("https://updates.push.services.mozilla.com.example.org/x", {BROWSERS}),
        ("https://updates.push.services.mozilla.com@example.org/x", {BROWSERS}),
        ("https://example.org/updates.push.services.mozilla.com", {BROWSERS}),
        ("https://a.b.notify.windows.com/x", {BROWSERS}),
        ("https://notify.windows.com/x", {BROWSERS}),
        (MOZILLA, set[str]()),
        (MOZILLA, {"push.example.org"}),
        ("https://127.0.0.1/x", {BROWSERS}),
        ("https://localhost/x", {BROWSERS}),
        ("https://[::1]/x", {BROWSERS, "::1"}),
        ("https://push.example.org:99999/x", {"push.example.org"}),
        ("https://push.example.org/x y", {"push.example.org"}),
        ("https://push.example.org/x\r\nHost: other", {"push.example.org"}),
        ("https://push.example.org", {"push.example.org"}),
        ("file:///etc/passwd", {BROWSERS}),
    ],
)
def test_address_of_no_push_service_is_no_subscription(address: str, hosts: set[str]) -> None:
    """A stranger names it: only the services of browsers and the operator's own are ever asked."""
    with pytest.raises(ValueError, match=r"no address|not allowed"):
        browser_at(address, *KEYS, hosts)


def test_addresses_of_push_services_are_subscriptions() -> None:
    """Those of browsers, and of the operator's choice, there with a port, too."""
    assert browser_at(MOZILLA, *KEYS, {BROWSERS}).host == "updates.push.services.mozilla.com"
    assert browser_at("https://wns2-par02p.notify.windows.com/w/?t=x", *KEYS, {BROWSERS}).path == "/w/?t=x"
    ours = browser_at("https://Push.example.org:8443/x", *KEYS, {"*.example.org"})
    assert (ours.host, ours.port, ours.is_chosen) == ("push.example.org", 8443, True)
    assert not browser_at(MOZILLA, *KEYS, {BROWSERS}).is_chosen


@pytest.mark.parametrize("keys", [("", ""), (KEYS[0], ""), (KEYS[0], "!" * 22), ("BA" + "A" * 85, KEYS[1]), KEYS[::-1]])
def test_keys_that_are_none_are_no_subscription(keys: tuple[str, str]) -> None:
    """A point of the curve, and 16 bytes."""
    with pytest.raises(ValueError, match=r"\w"):
        browser_at(MOZILLA, *keys, {BROWSERS})


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),
        *("224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "ff02::1"),
        *("::ffff:127.0.0.1", "::ffff:8.8.8.8"),
    ],
)
def test_private_addresses_are_not_public(address: str) -> None:
    """Of this machine, of networks around it, of groups, and IPv4 in disguise."""
    assert not is_public(address)


def test_public_addresses_are_public() -> None:
    """Those of the internet."""
    assert is_public("34.107.243.93")
    assert is_public("2600:1901:0:9611::")


async def test_message_arrives_and_only_its_browser_reads_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the headers that push services ask for, and no more about who it is for."""
    async with asyncio.timeout(20), push_service(tmp_path, monkeypatch) as service:
        receiver = Receiver()
        told = json.dumps({"table": 3}).encode()
        assert await Sender("https://h/").send(told, browser(receiver, service.address(), HOST), 90) == 201
        path, headers, body = service.pushed.get_nowait()
        assert path == "/push/moll"
        assert headers.pop("Authorization").startswith("vapid t=")
        assert headers == {
            "Host": f"{HOST}:{service.port}",
            "Content-Length": str(len(body)),
            "Connection": "close",
            "Content-Encoding": "aes128gcm",
            "TTL": "90",
            "Topic": "turn",
            "Urgency": "high",
        }
        assert told not in body
        assert receiver.opened(body) == {"table": 3}


async def refused_by(service: PushService, *, is_chosen: bool = True) -> Exception:
    """The error with which a message to a service ends."""
    to = browser(Receiver(), service.address(), HOST)._replace(is_chosen=is_chosen)
    with pytest.raises((OSError, EOFError, LookupError, ValueError, asyncio.LimitOverrunError)) as caught:
        await Sender("https://h/").send(b"{}", to, 90)
    return caught.value


async def test_known_name_that_leads_to_a_private_address_is_not_connected_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever answers for the name: what was looked up is checked, and then connected to."""
    async with asyncio.timeout(20), push_service(tmp_path, monkeypatch) as service:
        assert "no public address" in str(await refused_by(service, is_chosen=False))
        assert service.pushed.empty()


async def test_service_without_a_trusted_certificate_gets_nothing(tmp_path: Path) -> None:
    """Not even the request."""
    async with asyncio.timeout(20), push_service(tmp_path, None) as service:
        assert "certificate" in str(await refused_by(service)).lower()
        assert service.pushed.empty()


async def test_redirect_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is an answer like any other."""
    async with asyncio.timeout(20), push_service(tmp_path, monkeypatch) as service:
        service.answer = f"HTTP/1.1 307 Elsewhere\r\nLocation: {service.address('ned')}\r\n\r\n".encode()
        to = browser(Receiver(), service.address(), HOST)
        assert await Sender("https://h/").send(b"{}", to, 90) == 307
        assert service.pushed.qsize() == 1


@pytest.mark.parametrize(
    "answer",
    [b"HTTP/1.1 201 " + b"x" * 65_536, b"HTTP/1.1 201 " + b"x" * 4_000 + b"\r\n\r\n", b"\n", b"", b"\x00\xff yes\r\n"],
)
async def test_answer_that_is_none_ends_at_its_first_line(
    answer: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However much comes, no more than a line is kept."""
    async with asyncio.timeout(20), push_service(tmp_path, monkeypatch) as service:
        service.answer = answer
        service.is_endless = b"\n" not in answer and answer != b""
        assert not isinstance(await refused_by(service), TimeoutError)


async def test_service_that_hangs_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After some seconds, of which the test takes a small part. Others are served meanwhile."""
    monkeypatch.setattr(web_push, "SEND_SECONDS", 0.3)
    async with asyncio.timeout(20), push_service(tmp_path, monkeypatch) as service:
        service.answer = None
        assert isinstance(await refused_by(service), TimeoutError)


async def test_resolver_that_hangs_takes_no_thread_of_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deals need those, and the end of the process waits for them: a network without a resolver stops no game."""
    loop, answers, asked = asyncio.get_running_loop(), threading.Event(), asyncio.Queue[str]()

    def hang(host: str, *_: object, **__: object) -> list[object]:
        loop.call_soon_threadsafe(asked.put_nowait, host)
        answers.wait(20)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    monkeypatch.setattr(web_push, "SEND_SECONDS", 60)
    sender, to = Sender("https://h/"), browser(Receiver(), f"https://{HOST}/x", HOST)
    with ThreadPoolExecutor(1) as only:
        loop.set_default_executor(only)
        sending = [asyncio.create_task(sender.send(b"{}", to, 90)) for _ in range(2 * web_push.LOOKUPS_AT_ONCE)]
        try:
            async with asyncio.timeout(20):
                assert [await asked.get() for _ in range(web_push.LOOKUPS_AT_ONCE)] == [HOST] * web_push.LOOKUPS_AT_ONCE
                assert await asyncio.to_thread(lambda: 7) == 7
            lookups = [thread for thread in threading.enumerate() if thread.name == "push service"]
            assert [thread.daemon for thread in lookups] == [True] * web_push.LOOKUPS_AT_ONCE
            for task in sending[: web_push.LOOKUPS_AT_ONCE]:
                task.cancel()  # as their time would end them, which ends no lookup
            await asyncio.wait(sending[: web_push.LOOKUPS_AT_ONCE])
            assert asked.empty()
        finally:
            answers.set()
        async with asyncio.timeout(20):
            rest = await asyncio.gather(*sending[web_push.LOOKUPS_AT_ONCE :], return_exceptions=True)
    assert ["no public address" in str(error) for error in rest] == [True] * web_push.LOOKUPS_AT_ONCE
