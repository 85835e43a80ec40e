"""The options of the family: what each means and its bounds. A rule set lists those it has by name."""

from collections.abc import Mapping

from put_protocol.offers import OptionOffer

OPTIONS: Mapping[str, OptionOffer] = {
    offer.name: offer
    for offer in (
        OptionOffer(
            name="abandoned",
            meaning="when a player goes away during a game: he gives it up, or a house player takes his seat",
            default="forfeit",
            values=("forfeit", "house"),
        ),
        OptionOffer(
            name="arranged",
            meaning="an exhibition: these cards lie on top of the pack in every deal, first the first, as in 3s 2h 2c",
            default="",
            longest=160,
        ),
        OptionOffer(
            name="cut",
            meaning="who deals first: he who draws the highest card, or the lowest",
            default="high",
            values=("high", "low"),
        ),
        OptionOffer(
            name="drawn_put",
            meaning="after a drawn hand with an accepted put: keep the scores, or begin anew from nothing",
            default="keep",
            values=("keep", "anew"),
        ),
        OptionOffer(
            name="misdeals",
            meaning="accidents in the dealing, in a hundred deals: the Laws of Put settle them",
            default=0,
            least=0,
            most=50,
        ),
        OptionOffer(
            name="open",
            meaning="sealed deals: cards are opened to those who may see them only, or every pack after the game",
            default="played",
            values=("played", "after_game"),
        ),
        OptionOffer(
            name="outright",
            meaning="what a game won outright earns: a single stake, or a double",
            default="single",
            values=("single", "double"),
        ),
        OptionOffer(
            name="pack",
            meaning="cards in the pack: 52, 32 without 4 to 8, or 28 without 4 to 9",
            default=52,
            values=(52, 32, 28),
        ),
        OptionOffer(
            name="ranking",
            meaning="french: 7 8 A K Q J 10 9; or as printed: 6 7 A K Q J 10, with a pack of 28",
            default="french",
            values=("french", "printed"),
        ),
        OptionOffer(name="rubber", meaning="games that win the rubber", default=2, values=(2, 1)),
        OptionOffer(name="target", meaning="points that win the game", default=5, least=1, most=21),
        OptionOffer(
            name="tied_trick",
            meaning="a tied trick is nobody's, or goes to who took the first trick that was not tied",
            default="nobody",
            values=("nobody", "first_winner"),
        ),
        OptionOffer(
            name="two_handed",
            meaning="which two-handed game the receivers play",
            default="put-1800",
            values=("put-1800", "put-1674"),
        ),
    )
}
