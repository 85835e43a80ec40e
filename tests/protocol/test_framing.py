"""Streams cut into pieces: by lengths and by line ends."""

import tracemalloc
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from put_protocol.errors import FramingError
from put_protocol.framing import FrameSplitter, LineSplitter, frame, line
from put_protocol.limits import FRAME_BYTES
from tests.protocol.strategies import chunkings
from tests.repetitions import often

AnySplitter = FrameSplitter | LineSplitter
MAKERS: tuple[Callable[[], AnySplitter], ...] = (FrameSplitter, LineSplitter)


def cut(splitter: AnySplitter, *chunks: bytes) -> tuple[list[bytes], str | None]:
    """The pieces, and what was said when the stream could be cut no further."""
    pieces: list[bytes] = []
    try:
        for chunk in chunks:
            for piece in splitter.feed(chunk):
                pieces.append(piece)  # noqa: PERF402  # one by one: what came before a fault must not be lost with it
    except FramingError as error:
        return pieces, error.reason
    return pieces, None


def headers() -> st.SearchStrategy[bytes]:
    """Lengths good and bad."""
    edges = st.sampled_from([0, 1, FRAME_BYTES, FRAME_BYTES + 1, 2**24, 2**31, 2**32 - 1])
    return (st.integers(0, 40) | edges).map(lambda length: length.to_bytes(4, "big"))


FRAME_STREAMS = st.lists(st.binary(min_size=1, max_size=30).map(frame) | headers() | st.binary(max_size=6)).map(
    b"".join
)
LINE_STREAMS = st.lists(st.sampled_from([b"\n", b"\r", b"\r\n", b"{}", b"x" * 200]) | st.binary(max_size=9)).map(
    b"".join
)
LONG_LINES = st.integers(FRAME_BYTES - 2, FRAME_BYTES + 2).flatmap(
    lambda length: st.sampled_from([b"", b"\n", b"\r\n", b"\ny\n"]).map(lambda end: b"a\n" + b"x" * length + end)
)


# --- any chunking ----------------------------------------------------------------------------------------------------


@given(data=st.data(), stream=FRAME_STREAMS)
@often(50)
def test_frames_are_the_same_in_any_chunking(data: st.DataObject, stream: bytes) -> None:
    """However a stream of frames arrives, the same pieces and the same final error come out."""
    assert cut(FrameSplitter(), *data.draw(chunkings(stream))) == cut(FrameSplitter(), stream)


@given(data=st.data(), stream=LINE_STREAMS | LONG_LINES)
@often(50)
def test_lines_are_the_same_in_any_chunking(data: st.DataObject, stream: bytes) -> None:
    """However a stream of lines arrives, the same pieces and the same final error come out."""
    assert cut(LineSplitter(), *data.draw(chunkings(stream))) == cut(LineSplitter(), stream)


@given(bodies=st.lists(st.binary(min_size=1, max_size=300), max_size=20))
@often(25)
def test_frames_come_out_as_they_went_in(bodies: list[bytes]) -> None:
    """Framed bodies are cut into the same bodies, whole or byte by byte."""
    stream = b"".join(map(frame, bodies))
    assert cut(FrameSplitter(), stream) == (bodies, None)
    assert cut(FrameSplitter(), *(stream[i : i + 1] for i in range(len(stream)))) == (bodies, None)


# --- limits ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [0, FRAME_BYTES + 1, 2**24, 2**32 - 1])
def test_frame_header_out_of_bounds_is_refused_after_the_whole_pieces(length: int) -> None:
    """A length of 0 or over 64 KiB ends the stream, and everything before it was handed out."""
    stream = frame(b"one") + frame(b"two") + length.to_bytes(4, "big") + b"three"
    assert cut(FrameSplitter(), stream) == (
        [b"one", b"two"],
        f"a frame of {length} bytes; frames have 1 to 65536",
    )


def test_frame_header_out_of_bounds_is_refused_before_its_body() -> None:
    """The fourth byte of a bad length is enough: nothing of the body is waited for."""
    splitter = FrameSplitter()
    assert cut(splitter, b"\x00\x01\x00") == ([], None)
    assert cut(splitter, b"\x01") == ([], "a frame of 65537 bytes; frames have 1 to 65536")


def test_frame_of_64_kib_is_the_longest() -> None:
    """65,536 bytes travel in one frame; one more is our own mistake and never sent."""
    body = bytes(FRAME_BYTES)
    assert cut(FrameSplitter(), frame(body)) == ([body], None)
    with pytest.raises(ValueError, match="a frame of 65537 bytes, over the limit of 65536"):
        frame(body + b"x")


def test_line_of_64_kib_is_the_longest() -> None:
    """65,536 bytes travel in one line; one more is our own mistake and never sent."""
    body = b"x" * FRAME_BYTES
    assert cut(LineSplitter(), line(body)) == ([body], None)
    with pytest.raises(ValueError, match="a line of 65537 bytes, over the limit of 65536"):
        line(body + b"x")


@pytest.mark.parametrize("end", [b"", b"\n", b"\nmore\n"])
def test_line_over_64_kib_is_refused_after_the_whole_pieces(end: bytes) -> None:
    """A line over 64 KiB ends the stream, whether its end is there or not, and everything before it was handed out."""
    stream = b"one\ntwo\n" + b"x" * (FRAME_BYTES + 1) + end
    assert cut(LineSplitter(), stream) == ([b"one", b"two"], "a line over 65536 bytes")


def test_lines_end_in_either_fashion_and_empty_ones_are_skipped() -> None:
    """A carriage return before the line feed is dropped, one elsewhere is kept, and an empty line is no piece."""
    assert cut(LineSplitter(), b"\n\r\none\r\n\rt\rwo\n\n\r\nthree") == ([b"one", b"\rt\rwo"], None)


# --- what is kept, and what it costs ---------------------------------------------------------------------------------


@given(data=st.data(), stream=FRAME_STREAMS)
@often(20)
def test_frame_splitter_keeps_no_whole_frame(data: st.DataObject, stream: bytes) -> None:
    """Between two reads less than one frame is kept: what came out and what is kept is all that went in."""
    splitter, taken, given_in = FrameSplitter(), 0, 0
    for chunk in data.draw(chunkings(stream)):
        pieces, fault = cut(splitter, chunk)
        if fault:
            break
        given_in += len(chunk)
        taken += sum(4 + len(piece) for piece in pieces)
        assert len(splitter._rest) == given_in - taken
        assert cut(FrameSplitter(), bytes(splitter._rest)) == ([], None)


@pytest.mark.parametrize("make", MAKERS)
def test_splitter_keeps_at_most_one_piece(make: Callable[[], AnySplitter]) -> None:
    """Whatever the size of the reads, what is kept stays within one piece and its header."""
    endless = (frame(bytes(FRAME_BYTES)) if make is FrameSplitter else b"x" * FRAME_BYTES + b"\n") * 3
    for size in (1_000, 4_096, 65_535, 65_536, 131_073):
        splitter = make()
        for start in range(0, len(endless), size):
            assert cut(splitter, endless[start : start + size])[1] is None
            assert len(splitter._rest) <= FRAME_BYTES + 4


@pytest.mark.parametrize("make", MAKERS)
def test_splitter_copies_a_dribbled_piece_a_few_times_in_all(make: Callable[[], AnySplitter]) -> None:
    """16 KiB byte by byte: what all the reads together reserve beyond small change is a few times the piece."""
    body = b"x" * (FRAME_BYTES // 4)
    stream = frame(body) if make is FrameSplitter else line(body)
    chunks = [stream[i : i + 1] for i in range(len(stream))]
    splitter, pieces, reserved = make(), list[bytes](), 0
    tracemalloc.start()
    try:
        for chunk in chunks:
            before = tracemalloc.get_traced_memory()[0]
            tracemalloc.reset_peak()
            pieces.extend(splitter.feed(chunk))
            grown = tracemalloc.get_traced_memory()[1] - before
            reserved += grown if grown > 2_048 else 0
    finally:
        tracemalloc.stop()
    assert pieces == [body]
    assert reserved < 16 * len(body)
