"""Numbers of events, and the tail that is kept."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from put_protocol.games.unions import Event
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.table_events import Said
from put_rules.facts import Fact, Open
from put_server.table.event_log import TAIL, EventLog

VIEWERS: tuple[Viewer, ...] = (Seat(0), Seat(1), GALLERY)


class Whispered(Fact):
    """Known to some."""

    def __init__(self, text: str, to: frozenset[Viewer]) -> None:
        self.said = Said("Ann", text)
        self.to = to

    def seen_by(self, viewer: Viewer) -> Event | None:
        return self.said if viewer in self.to else None


FACTS = st.lists(st.builds(Whispered, st.text(max_size=3), st.frozensets(st.sampled_from(VIEWERS))), max_size=80)


@given(FACTS, st.integers(1, 5))
def test_event_log_numbers_each_viewers_events_without_gaps(facts: list[Whispered], step: int) -> None:
    """Each viewer's number is the count of the events they saw, whatever others saw."""
    event_log = EventLog(VIEWERS)
    told: dict[Viewer, int] = dict.fromkeys(VIEWERS, 0)
    for at in range(0, len(facts), step):
        for viewer, events in zip(VIEWERS, event_log.record(tuple(facts[at : at + step])), strict=True):
            told[viewer] += len(events)
            assert event_log.number(viewer) == told[viewer]


@given(FACTS, st.data())
def test_event_log_tail_is_exactly_what_was_told_since(facts: list[Whispered], data: st.DataObject) -> None:
    """What is given for a number is what the viewer was told after it, whole and in order, or nothing at all."""
    event_log = EventLog(VIEWERS)
    event_log.record(tuple(facts))
    viewer = data.draw(st.sampled_from(VIEWERS))
    told = [event for fact in facts if (event := fact.seen_by(viewer)) is not None]
    number = data.draw(st.integers(0, len(told)))
    tail = event_log.since(viewer, number)
    if tail is None:
        kept = [event for fact in facts[-TAIL:] if (event := fact.seen_by(viewer)) is not None]
        assert len(told) - number > len(kept)
    else:
        assert list(tail) == told[number:]


def test_event_log_tail_is_none_for_what_is_gone() -> None:
    """One event older than the tail, and it is not known any more."""
    event_log = EventLog(VIEWERS)
    for text in range(TAIL + 5):
        event_log.record((Open(Said("Ann", str(text))),))
    assert len(event_log.since(GALLERY, 5) or ()) == TAIL
    assert event_log.since(GALLERY, 4) is None


@pytest.mark.parametrize("number", [3, 4, 2**53 - 1])
def test_event_log_tail_is_none_for_the_future(number: int) -> None:
    """A number that was never told has no tail."""
    event_log = EventLog(VIEWERS)
    event_log.record((Open(Said("Ann", "a")), Open(Said("Ann", "b"))))
    assert event_log.since(GALLERY, 2) == ()
    assert event_log.since(GALLERY, number) is None


def test_event_log_shows_a_newcomer_nothing_of_their_seats_past() -> None:
    """After a seat has a new sitter no number, however old or new, gives them what the last one saw."""
    event_log = EventLog(VIEWERS)
    event_log.record((Open(Said("Ann", "a")), Whispered("hers", frozenset({Seat(0)}))))
    event_log.record((Whispered("g", frozenset({GALLERY})), Whispered("g", frozenset({GALLERY}))))
    highest = max(event_log.numbers)
    event_log.begin(Seat(0))
    assert [event_log.since(Seat(0), number) for number in range(highest + 1)] == [None] * (highest + 1)
    assert event_log.since(Seat(0), event_log.number(Seat(0))) == ()
    event_log.record((Open(Said("Ben", "b")),))
    assert event_log.since(Seat(0), event_log.number(Seat(0)) - 1) == (Said("Ben", "b"),)
    assert event_log.since(Seat(1), 1) == (Said("Ben", "b"),)
