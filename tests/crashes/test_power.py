"""Power failures at a server's disk."""

from random import Random

import pytest

from put_server.journal.journal_errors import JournalError
from tests.crashes import power


@pytest.mark.timeout(120)
@pytest.mark.skipif(not power.can_record(), reason="strace is not installed, or may not look")
def test_power_failure_loses_nothing_that_was_acknowledged() -> None:
    """Of what was not synced, any part may be on the disk: the next server has all that anybody was told. Without the
    syncs it would not, or this would prove nothing."""
    steps = power.recorded(7, batches=70)
    assert power.failures(7, steps, 25, Random(1)) == 25
    careless = [step for step in steps if step.kind != "sync"]
    syncs = [step for step in steps if step.kind == "sync"][:3]
    with pytest.raises((AssertionError, JournalError)):
        power.failures(7, [*syncs, *careless], 25, Random(1))
