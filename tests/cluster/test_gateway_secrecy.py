"""The law of hidden information, on the bytes that leave a gateway: as of one server, with links in between."""

import pytest

from put_protocol.codecs import FRAMES, Codec
from tests.cluster.in_one_process import put_everywhere
from tests.transport.dispatcher_harness import PLAIN
from tests.transport.test_secrecy import GALLERY_PLACE, leaves_no_trace

SLICE = [("put-1674", FRAMES, 2, 0, 1), ("put-1674", PLAIN, 2, 1, 1), ("put-tavern", FRAMES, 3, GALLERY_PLACE, 3)]


@pytest.mark.parametrize(("game", "codec", "seats", "viewer", "seed"), SLICE)
def test_secret_cards_leave_no_trace_in_any_byte_of_a_gateway(
    game: str,
    codec: Codec | None,
    seats: int,
    viewer: int,
    seed: int,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Dealt otherwise where they may not see, a viewer is sent the same bytes in the same pieces."""
    put_everywhere(monkeypatch.setattr)
    leaves_no_trace(game, codec, seats, viewer, seed, caplog)
