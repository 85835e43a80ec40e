"""A slice of the power cuts."""

from random import Random

from tests.journal.recorded_journals import games_of, recording
from tests.journal.truncation import cut_at, written_log


def test_log_cut_anywhere_has_what_was_committed() -> None:
    """Around the end of every commit, and here and there between: whole batches, all that were safe, and no more."""
    last = max(number for number, batch in enumerate(recording(1)) if batch.games)
    whole = written_log(recording(1)[: last + 5], last - 15)
    assert games_of(whole.since)
    ends = [end + near for end in whole.sizes for near in (-1, 0, 1) if 0 <= end + near <= len(whole.log)]
    assert cut_at(whole, sorted({*ends, *range(0, len(whole.log), 9_999)}), Random(1)) > 60
