"""Epochs: the numbers of the server's starts, by which a client that comes back can prove a loss.

A client was only ever told what was on disk. So one that knows of a start that the journal does not know of, or of more
events than there were when the next start began, proves that the journal has lost what was acknowledged: a disk or an
operator has put it back to an earlier moment. It then holds event numbers that mean something else by now. Without the
epoch, the number of its last event would look like any other, and it would be sent events that do not follow it.

An epoch is never given twice, also after a loss, because the program that starts the server takes it from a calendar.
"""

REMEMBERED = 16
"""Starts: a client that was away for more of them gets everything anew, and proves nothing."""


class Epochs:
    """The last starts, the oldest first."""

    def __init__(self) -> None:
        self.known: tuple[int, ...] = ()

    @property
    def current(self) -> int:
        """0: the server does not count."""
        return self.known[-1] if self.known else 0

    def begin(self, epoch: int) -> None:
        if epoch > self.current:
            self.known = (*self.known, epoch)[-REMEMBERED:]

    def is_lost(self, told: int) -> bool:
        """True if a person was told of a start that the journal has lost."""
        return bool(told and self.known) and told > self.known[0] and told not in self.known

    def is_last(self, told: int) -> bool:
        """True if a person was here in the epoch before this one, or does not count."""
        return not told or told in self.known[-2:]
