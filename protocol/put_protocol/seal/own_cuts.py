"""The viewer's own part in the cutting: the chain they cut from, and what the server is bound to name of it.

Law: no link of the chain is given for two seals, for all that the server may send.
"""

from put_protocol.seal.cuts import Chain
from put_protocol.seal.proving import SealedDeal
from put_protocol.seats import Seat


class OwnCuts:
    """The cuts of one viewer at one table; a viewer without a seat has none."""

    def __init__(self, seat: Seat | None, chain: Chain | None) -> None:
        """`seat`: the seat whose cuts are known here."""
        self.seat = seat
        self.chain = chain
        self.links_left = 0 if chain is None else chain.length
        """The number of the link that was given last."""
        self.given: bytes | None = None
        """The link for the deal in play, if it was given."""
        self.is_counted = chain is not None
        """The server knows that the viewer takes part, so the next seal must name them, and there must be one."""
        self._is_withdrawn = False

    @property
    def end(self) -> bytes | None:
        """The promise with which the viewer takes part; seals name it from then on."""
        return None if self.chain is None else self.chain.link(self.links_left)

    def count(self) -> None:
        """The server has answered that it knows `end`: from now on every seal must name it."""
        self.is_counted = self.chain is not None and not self._is_withdrawn

    def renew(self, chain: Chain) -> None:
        """A first chain, or another when one runs out; send the server its `end`. A link that was given stays the
        viewer's cut of the deal in play."""
        self.chain = chain
        self.links_left = chain.length
        self.is_counted = self._is_withdrawn = False

    def withdraw(self) -> None:
        """Take no part any more, and need not be named; a seal already on its way is still to be cut."""
        self.is_counted = False
        self._is_withdrawn = True

    def cut(self, deal: SealedDeal | None) -> bytes | None:
        """The link for this deal; the same one if asked again. None: it does not wait for the viewer."""
        if deal is None or deal.draw is not None or self.chain is None or self.given is not None:
            return self.given
        if self.links_left == 0 or self.of(deal.sealed.cuts) != self.end:
            return None
        self.links_left -= 1
        self.given = self.chain.link(self.links_left)
        return self.given

    def of(self, by_seat: tuple[bytes | None, ...]) -> bytes | None:
        """The viewer's item of a list with one for each seat."""
        return by_seat[self.seat] if self.seat is not None and self.seat < len(by_seat) else None

    def is_awaited(self, deal: SealedDeal) -> bool:
        """The deal waits to be cut, and as far as the server has shown not by the viewer yet."""
        return deal.draw is None and self.seat is not None and self.seat not in deal.made

    def are_named_rightly(self, deal: SealedDeal) -> bool:
        """True if a seal names the viewer if they take part, and only then. The next one has to do as this one does."""
        promised = self.of(deal.sealed.cuts)
        is_wrong = (promised is not None and self.chain is None) or (promised is None and self.is_counted)
        self.is_counted = promised is not None and not self._is_withdrawn
        return self.seat is None or not is_wrong
