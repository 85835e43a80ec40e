"""The rule sets: one constant each, from its source to the rules that a player reads.

A new rule set is a new constant here; CONTRIBUTING.md has the other steps. `prose` is for a player who has nothing but
a screen; a `Line` of it reads as the options of the table have it. A page of docs/games/ has the long form, with its
sources and examples.
"""

from itertools import zip_longest

from put_protocol.games.put import Moment, Worth
from put_rules.prose import Gist, Line
from put_rules.put.rules import NINETEENTH_CENTURY, RANKINGS, SEVENTEENTH_CENTURY, HandRules, Offer, PutRules

_EVERY_PUT = ("cut", "misdeals", "pack", "target")

# Sentences of the rules that several rule sets share.
_CARDS = Line(
    "pack",
    {
        cards: f"Cards rank {' '.join(RANKINGS['put'][: cards // 4])}, the three being the best. Suits do not matter."
        for cards in (52, 32, 28)
    },
    is_gist=True,
)
_TRICK = (
    Gist(
        "One leads any card, the others play any card to it; the highest takes the trick, "
        "and its winner leads the next."
    ),
    "If the highest are equal, the trick is tied, and whoever led it leads again.",
    Line(
        "tied_trick",
        {
            "nobody": "A tied trick is nobody's.",
            "first_winner": "A tied trick belongs to the player who took the first trick that was not tied.",
        },
    ),
)
_CERTAIN = "A hand ends as soon as it is certain what becomes of it. Cards that were not played stay unseen."
_DEAL = Line(
    "cut",
    {
        drawn: f"For the first deal everybody draws a card; the {deals} deals. Then the deal passes to the left."
        for drawn, deals in (("high", "best"), ("low", "worst"))
    },
)
_FINAL = Line(
    "misdeals",
    {
        0: "What you have said or played cannot be taken back.",
        None: "What you have said or played cannot be taken back. The Laws of Put settle accidents, {} in 100 deals.",
    },
)
_TWO_OF_THREE = (
    Line(
        "tied_trick",
        {
            "nobody": "Two tricks win the hand, or one with two tied.",
            "first_winner": "Two tricks win the hand, with those that were tied.",
        },
        is_gist=True,
    ),
    Line(
        "tied_trick",
        {
            "nobody": "One trick each and a tie, or nothing but ties, is a drawn hand: nobody scores.",
            "first_winner": "Nothing but ties is a drawn hand: nobody scores.",
        },
    ),
)
_MOST_TRICKS = (
    Gist("Who takes the most tricks wins the hand, and a point."),
    "A tie for the most is a drawn hand: nobody scores, and the next is dealt.",
)


def _game(pays: str, side: str = "") -> Line:
    """A line that says what wins the game. `pays`: what follows for the others."""
    return Line(
        "target",
        {None: f"The first {side}to {{}} points wins the game{pays}.", 1: f"The first point wins the game{pays}."},
    )


_GAME = _game(", and each who lost it pays a stake")
_SIZES = Gist("Two players hold three cards each, three hold four, four hold five. There are as many tricks as cards.")
_ELDEST = "Eldest, at the dealer's left, is first to speak and to play."
_DRAWN_PUT = Line(
    "drawn_put",
    {
        "keep": "If that hand is drawn, nothing comes of the put: the scores stay as they are, and the next is dealt.",
        "anew": "If that hand is drawn, everybody begins anew without a point, and the next is dealt.",
    },
)
_BLUFF = "So a put is a threat. Made on good cards it may win the game at once; on bad ones it may frighten them away."
_STAGES = (
    Gist("First eldest leads a card, or puts, or throws in."),
    Gist("If eldest led, the other plays a card to it, or puts, or throws in."),
    Gist("If the other played, the first trick is over, and eldest must put or throw in, whoever took it."),
    Gist("Who throws in gives the other a point, and the hand is over."),
    Gist('To put is to say "I put". The other then throws in, and you have a point; or sees the put.'),
    "After a put that was seen nobody puts or throws in any more, and the other tricks are played.",
    Gist("Whoever wins that hand has as many points as they need to win the game."),
    "So no second trick is ever played unless somebody put and was seen.",
)
_RECEIVERS = tuple(
    Line("two_handed", {"put-1800": stage, "put-1674": any_time}, isinstance(stage, Gist))
    for stage, any_time in zip_longest(
        _STAGES,
        (
            'Before any card that they lead or play a player may say "I put", if nobody has yet in this hand.',
            "The other then throws in, and gives a point; or sees the put, and this hand wins the game.",
            "Without a put the hand is played out for a point. There is no other throwing in.",
        ),
        fillvalue="",
    )
)

PUT_1674 = PutRules(
    name="put-1674",
    title="Put in the seventeenth century",
    source="Cotton 1674, Willughby c. 1665",
    summary=(
        "Most tricks win the hand and a point; the first to the target wins the game. Before any card you lead or play "
        'you may say "I put": the others throw in and give you the point, or see, and then this hand decides the game.'
    ),
    prose=(
        _SIZES,
        _CARDS,
        _ELDEST,
        *_TRICK,
        *_MOST_TRICKS,
        Gist('Before any card that you lead or play you may say "I put", if nobody has yet in this hand.'),
        Gist("Each of the others then throws in their cards or sees the put, in turn from your left."),
        Gist("If all throw in, you have a point, and the hand is over."),
        Gist("If anybody sees, you and those who see play the hand out."),
        Gist("Its winner wins the whole game, whatever the score."),
        "Only those who played on pay the winner.",
        _DRAWN_PUT,
        _BLUFF,
        "There is no other throwing in: without a put every hand is played.",
        _CERTAIN,
        _DEAL,
        _GAME,
        _FINAL,
    ),
    seats=(2, 3, 4),
    play=SEVENTEENTH_CENTURY,
    options=(*_EVERY_PUT, "drawn_put"),
)

PUT_1800 = PutRules(
    name="put-1800",
    title="Put in the nineteenth century",
    source="Hoyle 1800, Enquire Within 1856",
    summary=(
        "Three chances to put or to throw in: eldest's before leading, the dealer's before playing to the lead, and "
        "eldest's again when the first trick is over. The other throws in and gives a point, or sees, and then the "
        "hand is played out for the game."
    ),
    prose=(
        Gist("Two players, three cards each."),
        _CARDS,
        "Eldest, who did not deal, is first to speak and to play.",
        *_STAGES,
        *_TRICK,
        *_TWO_OF_THREE,
        "When a put was seen, who was to lead or to play does.",
        "After the third chance the winner of the first trick leads.",
        _DRAWN_PUT,
        _BLUFF,
        "When the other needs one point only, to throw in is to lose the game.",
        _DEAL,
        _game(", and the other pays a stake"),
        _FINAL,
    ),
    seats=(2,),
    play=NINETEENTH_CENTURY,
    options=(*_EVERY_PUT, "drawn_put"),
    cut="low",
)

PUT_PARTNERS = PutRules(
    name="put-partners",
    title="Four-handed Put, in partnerships",
    source="Enquire Within 1856, Hoyle 1800",
    summary=(
        "Partners sit opposite. One of each side gives the other their best card and throws the rest away; the "
        "receiver discards one of four and plays a hand of two-handed Put for both."
    ),
    prose=(
        Gist("Four players: those who sit opposite are partners, and win and lose together. Three cards each."),
        _CARDS,
        Gist(
            "In each pair one gives the other their best card, unseen by the other pair, and throws the other two away."
        ),
        "Eldest, at the dealer's left, is asked first: to give, or to let the partner give. Then the dealer is asked.",
        Gist("Who was given a card throws one of four away. These two play the hand, each for their pair."),
        "The one of eldest's pair is eldest now.",
        *_RECEIVERS,
        *_TRICK,
        *_TWO_OF_THREE,
        _DRAWN_PUT,
        _DEAL,
        _game("; each of the other pair pays a stake", "pair "),
        _FINAL,
    ),
    seats=(4,),
    play=NINETEENTH_CENTURY,
    options=(*_EVERY_PUT, "drawn_put", "two_handed"),
    is_partnership=True,
    cut="low",
    two_handed="put-1800",
)

PUT_PARLETT = PutRules(
    name="put-parlett",
    title="Put with concessions and the outright win",
    source="Parlett 1994",
    summary=(
        "Two tricks, or one with two tied, win the game outright. Whoever is about to lead may put, inviting the other "
        "to throw in for a point, or may throw in; the first to the target by such points wins too."
    ),
    prose=(
        Gist("Two players, three cards each."),
        _CARDS,
        "Eldest, who did not deal, leads to the first trick.",
        *_TRICK,
        Gist("Two tricks, or one with two tied, win not only the hand but the whole game."),
        "One trick each and a tie, or nothing but ties, is a drawn hand: nobody scores.",
        Gist("Whoever is about to lead to a trick may first put, or throw in. Whoever follows must play a card."),
        Gist("Who throws in gives the other a point, and the hand is over."),
        Gist(
            'To put is to say "I put": the other throws in, and you have a point; or sees it, and then you must lead.'
        ),
        "A put raises nothing here: it only asks the other to give up before they lose the game. It may be made again.",
        Line(
            "target",
            {
                None: "So points come from throwing in alone, and the first to {} points by it wins the game too.",
                1: "So points come from throwing in alone, and the first point wins the game too.",
            },
        ),
        _CERTAIN,
        _DEAL,
        Line(
            "outright",
            {
                "single": "The loser of a game pays a stake.",
                "double": "The loser of a game pays a stake, or two if it was won outright.",
            },
        ),
        _FINAL,
    ),
    seats=(2,),
    play=HandRules(
        may={Moment.LEAD: (Offer.PLAY, Offer.PUT, Offer.THROW_IN), Moment.REPLY: (Offer.PLAY,)},
        plain=Worth.GAME,
        is_final=False,
    ),
    options=(*_EVERY_PUT, "outright"),
)

PUT_TAVERN = PutRules(
    name="put-tavern",
    title="Put at the tavern",
    source="the tavern sheet",
    summary=(
        "You may put only before the first trick, in turn from eldest. The others throw in, or see and play the hand "
        "for the game. Most tricks win the hand and a point."
    ),
    prose=(
        _SIZES,
        _CARDS,
        _ELDEST,
        Gist("Before the first card, each in turn from eldest round to the dealer puts or says nothing."),
        "Later nobody may put.",
        Gist("When one has put, the others throw in their cards or see the put, in turn from the putter's left."),
        Gist("If all throw in, the putter has a point, and the hand is over."),
        Gist("If anybody sees, the putter and those who see play the hand out."),
        Gist("Its winner wins the whole game, whatever the score."),
        "Only those who played on pay.",
        "If nobody puts, the hand is played out for a point. There is no other throwing in.",
        *_TRICK,
        *_MOST_TRICKS,
        _DRAWN_PUT,
        _BLUFF,
        _CERTAIN,
        _DEAL,
        _GAME,
        _FINAL,
    ),
    seats=(2, 3, 4),
    play=HandRules(
        may={
            Moment.OPENING: (Offer.PASS, Offer.PUT),
            Moment.LEAD: (Offer.PLAY,),
            Moment.REPLY: (Offer.PLAY,),
        }
    ),
    options=(*_EVERY_PUT, "drawn_put"),
)

TRUC = PutRules(
    name="truc",
    title="Truc, the French cousin",
    source="Parlett 1994",
    summary=(
        "Before a card you lead or play you may offer to double what the hand is worth: the other takes it, or throws "
        "in for what it was worth before. Twelve points win a game, and games the rubber."
    ),
    prose=(
        Line(
            "ranking",
            {
                "french": "Two players, three cards each, from a pack of 32.",
                "printed": "Two players, three cards each, from a pack of 28.",
            },
            is_gist=True,
        ),
        Line(
            "ranking",
            {
                "french": "Cards rank 7 8 A K Q J 10 9, the seven being the best. Suits do not matter.",
                "printed": "Cards rank 6 7 A K Q J 10, the six being the best. Suits do not matter.",
            },
            is_gist=True,
        ),
        "Eldest, who did not deal, leads to the first trick.",
        *_TRICK,
        *_TWO_OF_THREE,
        Gist("A hand is worth one point to begin with."),
        Gist("Before a card that you lead or play you may offer to double what the hand is worth, once in a turn."),
        Gist(
            "The other takes it, and you play on for twice as much; "
            "or throws in, and you have what it was worth before."
        ),
        "Either of you may double again when they are to play, until the hand is worth all that both of you need.",
        "There is no other throwing in.",
        "A drawn hand scores nothing, whatever it was worth; the next is worth one again.",
        _CERTAIN,
        _DEAL,
        Gist("The first to twelve points wins a game and its stake; points beyond twelve count for nothing."),
        Line("rubber", {2: "The first to win two games wins the rubber.", 1: "One game is the whole rubber."}),
        _FINAL,
    ),
    seats=(2,),
    play=HandRules(
        may={Moment.LEAD: (Offer.PLAY, Offer.DOUBLE), Moment.REPLY: (Offer.PLAY, Offer.DOUBLE)},
        accepted=Worth.VALUE,
        is_final=False,
    ),
    options=("cut", "ranking", "rubber", "tied_trick"),
    cut="low",
    ranking="french",
    rubber=2,
    target=12,
)

RULE_SETS = tuple(constant for constant in vars().values() if isinstance(constant, PutRules))
"""All of the above, in their order."""
