"""The rules by which a dropped connection comes back: after which goodbyes, how soon, and for how long it is tried."""

import random
from collections.abc import Iterator

from put_protocol.refusals import RefusalCode

FIRST_WAIT_S, LONGEST_WAIT_S, PATIENCE_S = 0.2, 5.0, 120.0

LONGEST_ABSENCE_S = 24 * 3600.0
"""The longest that a server is waited for which says when it will be back: a person should hear of a longer one."""

LONGEST_JITTER_S = 30.0

RESUMABLE = frozenset({"too_slow", "idle", "draining"})
"""Goodbyes that mean this connection, not this person: a server that stops keeps seats and tokens until it is back."""

ENDING = frozenset({"bye", "kicked"})
"""Goodbyes that mean this person: their token has ended."""

PASSING = frozenset({RefusalCode.SERVER_FULL, RefusalCode.TOO_FAST, RefusalCode.DRAINING, "idle"})
"""Why a server may not let us back in now and may a little later, by the refusal's code or the goodbye's."""


def backoff() -> Iterator[float]:
    """Seconds to wait before each attempt to come back: doubling, with jitter so that a server's whole company does not
    return at once, and over when two minutes were waited."""
    waited, wait = 0.0, FIRST_WAIT_S
    while waited < PATIENCE_S:
        chosen = wait * random.uniform(0.5, 1.0)
        waited += chosen
        yield chosen
        wait = min(2 * wait, LONGEST_WAIT_S)


def absence(back_s: int) -> float:
    """Seconds to leave a server alone that expects to be back in so many: never fewer, but for a day at most, and a
    little more, so that its company does not return at once."""
    stated = min(max(back_s, 0), LONGEST_ABSENCE_S)
    return stated + random.uniform(0.0, min(stated / 10, LONGEST_JITTER_S))
