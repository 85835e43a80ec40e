"""The paper and its drawings, from the numbers in figures.json and the words in page.md.

In the words stands `{f[put-1674][game][hands]:.1f}` for a number of the file, `{d[name]}` for one that follows from
those, and `{table[name]}` for a table, all as `str.format` has it. So no number of the paper is written by hand.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from scripts.research.solved.plots import Bar, Grid, bars, grids

WORDS = Path(__file__).with_name("page.md")

Figures = Mapping[str, Any]

GAMES = ("put-1674", "put-1800", "put-parlett")
_RANKS = ("3", "2", "A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4")
_HANDS = 10
"""In a list of the best, or of the worst."""


def page(figures: Figures, words: str) -> str:
    """The whole paper."""
    return words.format(f=figures, d=derived(figures), table=_tables(figures))


def drawings(figures: Figures) -> dict[str, str]:
    """Every drawing, by the name of its file."""
    return {
        "values.svg": _values_drawn(figures),
        "puts.svg": _puts_drawn(figures),
        "moments.svg": _moments_drawn(figures),
        "hands.svg": _hands_drawn(figures),
        "sayings.svg": _sayings_drawn(figures),
        "leads.svg": _leads_drawn(figures),
        "course.svg": _course_drawn(figures),
    }


# --- numbers that follow from others ---


def derived(figures: Figures) -> dict[str, Any]:
    """By name, those that stand in the sentences of the paper."""
    found: dict[str, Any] = {}
    for game, figure in figures.items():
        worth, average = figure["worth"], figure["average"]
        by_name = {row["hand"]: row for row in figure["hands"]}
        best = sorted(figure["hands"], key=lambda row: -row["eldest"])
        replies = {name: sum(row[name] for row in figure["replies"]) for name in _REPLY}
        can = replies["can"] - replies["can_put"]
        found[game] = {
            "average_seen_of_puts": average["seen"] / average["put"],
            "average_bluffs_of_puts": average["bluff"] / average["put"],
            "hands": by_name,
            "best": best[0],
            "best_dealer": max(figure["hands"], key=lambda row: row["dealer"]),
            "worst": best[-1],
            "rise": best[0]["eldest"] - worth[0][0],
            "fall": worth[0][0] - best[-1]["eldest"],
            "at_worst": sum(row["dealt"] for row in best if row["eldest"] < best[-1]["eldest"] + _NEAR),
            "dealer_first": replies["put"],
            "no_put": max(*figure["habits"]["never_puts"]["eldest"], *figure["habits"]["never_puts"]["dealer"]),
            "by_points": 1 - figure["game"]["by_hand"],
            "matters": matters(figure),
            "leads": lead_shares(figure),
            "three_leads": lead_shares(figure, "3"),
            "least": replies["least"] / can if can else 0.0,
            "more": replies["more"] / can if can else 0.0,
            "tie": replies["tie"] / can if can else 0.0,
            "under": replies["under"] / can if can else 0.0,
            "put_first": sum(row["dealt"] * row["put"] for row in figure["hands"]),
            "throw_first": sum(row["dealt"] * row["throw"] for row in figure["hands"]),
        }
    worths = [figures[game]["worth"] for game in GAMES]
    last = len(worths[0]) - 1
    found["scores"] = len(worths[0]) ** 2
    found["worst"] = max(figure["both_lose"] for figure in figures.values())
    found["four_all"] = 1 - worths[0][last][last]
    found["four_all_apart"] = max(abs(each[last][last] - worths[0][last][last]) for each in worths)
    found["same_at_last"] = max(
        abs(worths[0][own][other] - worths[1][own][other])
        for own in range(last + 1)
        for other in range(last + 1)
        if last in (own, other)
    )
    return found


_NEAR = 0.001
"""Of a game: hands nearer to the worst one are as bad."""
_REPLY = ("led", "put", "can", "can_put", "least", "more", "tie", "under")


def matters(figure: Figures) -> dict[str, float]:
    """How much of the difference between hands, in what they are worth to eldest, their best card tells; their middle
    one; their lowest: the variance of the means, in that of the hands."""
    rows = [(row["hand"].split(), row["dealt"], row["eldest"]) for row in figure["hands"]]
    mean = sum(weight * worth for _, weight, worth in rows)
    whole = sum(weight * (worth - mean) ** 2 for _, weight, worth in rows)
    shares = {}
    for place, name in enumerate(("best", "middle", "lowest")):
        sums: dict[str, tuple[float, float]] = {}
        for cards, weight, worth in rows:
            before = sums.get(cards[place], (0.0, 0.0))
            sums[cards[place]] = before[0] + weight, before[1] + weight * worth
        between = sum(weight * (total / weight - mean) ** 2 for weight, total in sums.values())
        shares[name] = between / whole if whole else 0.0
    return shares


def lead_shares(figure: Figures, best: str = "") -> dict[str, float]:
    """Of the hands of three different cards that lead without a word, how many lead which; only of those with this best
    card, if one is given."""
    shares = {"lowest": 0.0, "middle": 0.0, "best": 0.0}
    for row in figure["hands"]:
        if len(set(row["hand"].split())) == len(shares) and row["hand"].split()[0].startswith(best):
            for name, chance in zip(shares, row["leads"], strict=True):
                shares[name] += row["dealt"] * chance
    whole = sum(shares.values())
    return {name: share / whole if whole else 0.0 for name, share in shares.items()}


# --- tables ---


def _lines(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    rule = ["---", *["---:"] * (len(heads) - 1)]
    return [f"| {' | '.join(row)} |" for row in (heads, rule, *rows)]


def _percent(share: float, digits: int = 1) -> str:
    return f"{100 * share:.{digits}f}%"


def _tables(figures: Figures) -> dict[str, str]:
    """Every table, by name."""
    found = {
        "accuracy": _accuracy(figures),
        "dealing": _dealing(figures),
        "ranks": _ranks(figures),
        "replies": _replies(figures),
        "habits": _habits(figures),
        "compared": _compared(figures),
        "files": _files(figures),
    }
    for game, figure in figures.items():
        found[f"values {game}"] = _values(figure["worth"])
        found[f"best {game}"] = _listed(figure["hands"], True)
        found[f"worst {game}"] = _listed(figure["hands"], False)
        for when, rows in figure["moments"].items():
            found[f"moments {game} {when}"] = _moments(rows)
    return {name: "\n".join(lines) for name, lines in found.items()}


def _values(worth: Sequence[Sequence[float]]) -> list[str]:
    heads = ["eldest has", *[f"dealer {points}" for points in range(len(worth))]]
    return _lines(heads, [[str(own), *[_percent(each, 2) for each in row]] for own, row in enumerate(worth)])


def _accuracy(figures: Figures) -> list[str]:
    heads = ["rule set", "eldest loses at most", "dealer loses at most", "both together, at the worst score", "at 0-0"]
    names = ("eldest_loses", "dealer_loses", "both_lose", "first_loses")
    return _lines(
        heads, [[f"`{game}`", *[_percent(each[name], 3) for name in names]] for game, each in figures.items()]
    )


def _dealing(figures: Figures) -> list[str]:
    target = max(each["target"] for each in figures.values())
    heads = ["rule set", *[f"{points}-{points}" for points in range(target)]]
    return _lines(
        heads,
        [[f"`{game}`", *[_signed(each["deal"][at][at]) for at in range(target)]] for game, each in figures.items()],
    )


def _signed(share: float) -> str:
    return f"{100 * share:+.1f}"


def _moments(moments: Sequence[Mapping[str, Any]]) -> list[str]:
    heads = ["when", "comes up", "puts", "seen, of puts", "loses if seen, of puts"]
    rows = [
        [
            row["moment"],
            _percent(row["asked"]),
            _percent(row["put"] / row["asked"]),
            _percent(row["seen"] / row["put"], 0),
            _percent(row["loses"] / row["put"], 0),
        ]
        for row in moments
    ]
    return _lines(heads, rows)


def _listed(hands: Sequence[Mapping[str, Any]], is_best: bool) -> list[str]:
    sign = -1 if is_best else 1
    for_eldest = sorted(hands, key=lambda row: sign * row["eldest"])[:_HANDS]
    for_dealer = sorted(hands, key=lambda row: sign * row["dealer"])[:_HANDS]
    return _lines(
        ["", "eldest holds", "chance", "dealer holds", "chance"],
        [
            [str(at), one["hand"], _percent(one["eldest"], 2), other["hand"], _percent(other["dealer"], 2)]
            for at, (one, other) in enumerate(zip(for_eldest, for_dealer, strict=True), 1)
        ],
    )


def _ranks(figures: Figures) -> list[str]:
    """What a hand is worth to eldest, by its best card, by its middle one, by its lowest."""
    games = list(figures)
    heads = ["rank", *[f"`{game}`, as {name}" for game in games for name in ("best", "middle", "lowest")]]
    rows = []
    for rank in _RANKS:
        row = [rank]
        for game in games:
            for place in range(3):
                held = [each for each in figures[game]["hands"] if each["hand"].split()[place] == rank]
                weight = sum(each["dealt"] for each in held)
                row.append(_percent(sum(each["dealt"] * each["eldest"] for each in held) / weight) if weight else "")
        rows.append(row)
    return _lines(heads, [row for row in rows if any(row[1:])])


def _replies(figures: Figures) -> list[str]:
    heads = ["eldest leads", "how often", "dealer puts", "can beat it", "least that does", "more", "ties", "lets it go"]
    rows = []
    for row in reversed(figures[GAMES[0]]["replies"]):
        can = row["can"] - row["can_put"]
        if row["led"] < _RARE:
            continue
        of_can = [_percent(row[name] / can, 0) if can > _RARE else "" for name in ("least", "more", "tie", "under")]
        shares = [_percent(row["led"]), _percent(row["put"] / row["led"]), _percent(row["can"] / row["led"], 0)]
        rows.append([row["rank"], *shares, *of_can])
    return _lines(heads, rows)


_RARE = 5e-5
"""A share of all hands that is printed as 0.0%."""


def _habits(figures: Figures) -> list[str]:
    heads = ["", *[f"`{game}`, {side}" for game in figures for side in ("eldest", "dealer")]]
    said = (("never puts", "never_puts"), ("never sees", "never_sees"), ("sees every put", "always_sees"))
    rows = []
    for words, name in said:
        for whom, at in (("against one who knows", 0), ("against one who does not", 1)):
            costs = [each["habits"][name][side][at] for each in figures.values() for side in ("eldest", "dealer")]
            rows.append([f"{words}, {whom}", *[_percent(max(cost, 0.0), 2) for cost in costs]])
    return _lines(heads, rows)


def _compared(figures: Figures) -> list[str]:
    rows: list[list[str]] = []

    def row(words: str, said: Callable[[Figures], str]) -> None:
        rows.append([words, *[said(each) for each in figures.values()]])

    row("eldest's chance at 0-0", lambda each: _percent(each["worth"][0][0], 2))
    row("hands in a game, drawn ones included", lambda each: f"{each['game']['hands']:.2f}")
    row("hands with a put", lambda each: _percent(each["average"]["put"]))
    row("puts that are seen", lambda each: _percent(each["average"]["seen"] / each["average"]["put"]))
    row("puts with a hand that loses if seen", lambda each: _percent(each["average"]["bluff"] / each["average"]["put"]))
    row("hands thrown in, nobody having put", lambda each: _percent(each["average"]["thrown"]))
    row("hands thrown in to a put", lambda each: _percent(each["average"]["refused"]))
    row("hands that end in a draw", lambda each: _percent(each["average"]["drawn"]))
    row("hands won by tricks for a point", lambda each: _percent(each["average"]["tricks"]))
    row("hands won by tricks for the game", lambda each: _percent(each["average"]["game"]))
    row("games that end with such a hand", lambda each: _percent(each["game"]["by_hand"]))
    row("games that end with a hand thrown in to a put", lambda each: _percent(each["game"]["by_refusal"], 2))
    row("games that end with a hand thrown in without a put", lambda each: _percent(each["game"]["by_throwing"], 2))
    row("games that end with a point won by tricks", lambda each: _percent(each["game"]["by_tricks"]))
    return _lines(["", *[f"`{game}`" for game in figures]], rows)


def _files(figures: Figures) -> list[str]:
    rows = [[f"`{game}.put`", f"{each['bytes']:,}", f"`{each['sha256']}`"] for game, each in figures.items()]
    return _lines(["table", "bytes", "SHA-256"], rows)


# --- drawings ---


def _values_drawn(figures: Figures) -> str:
    points = [str(each) for each in range(figures[GAMES[0]]["target"])]
    return grids(
        "Eldest's chance to win the game, in percent",
        "Three grids of numbers, one a rule set: rows are eldest's points, columns the dealer's. The chance rises with "
        "eldest's points and falls with the dealer's; the paper lists it at equal points.",
        ("eldest's points", "the dealer's points"),
        [
            Grid(title=game, down=points, across=points, cells=figures[game]["worth"], digits=1, full=0.4)
            for game in figures
        ],
    )


def _puts_drawn(figures: Figures) -> str:
    points = [str(each) for each in range(figures[GAMES[0]]["target"])]
    return grids(
        "Hands in which somebody puts, in percent, by the score",
        "Three grids of numbers, one a rule set: rows are eldest's points, columns the dealer's; each cell is how many "
        "of the hands dealt at that score have a put.",
        ("eldest's points", "the dealer's points"),
        [
            Grid(
                title=game,
                down=points,
                across=points,
                cells=[[figures[game]["at"][f"{own}-{other}"]["put"] for other in points] for own in points],
            )
            for game in figures
        ],
    )


def _moments_drawn(figures: Figures) -> str:
    groups = []
    for game, each in figures.items():
        rows = [
            Bar(
                label=row["moment"],
                pieces=[row[name] / row["asked"] for name in ("wins", "loses", "even", "never")],
                note=f"{100 * row['put'] / row['asked']:.1f}%",
            )
            for row in each["moments"]["average"]
        ]
        groups.append((game, rows))
    return bars(
        "How often perfect play puts, when it may",
        "Rows of bars: for each moment at which one may put, of a hundred such moments in a whole game, how many puts "
        "are made with a hand that wins if it is seen, with one that loses, with one that does neither, and how many "
        "that nobody ever sees.",
        ("wins if seen", "loses if seen", "neither", "never seen"),
        groups,
        1.0,
    )


def _hand_cells(game: Figures, name: str) -> list[list[float | None]]:
    """By middle card (rows) and best card (columns), the mean over the lowest."""
    cells: list[list[float | None]] = []
    for middle in _RANKS:
        row: list[float | None] = []
        for best in _RANKS:
            held = [each for each in game["hands"] if each["hand"].split()[:2] == [best, middle]]
            weight = sum(each["dealt"] for each in held)
            row.append(sum(each["dealt"] * each[name] for each in held) / weight if weight else None)
        cells.append(row)
    return cells


def _hands_drawn(figures: Figures) -> str:
    game = figures[GAMES[0]]
    panels = [
        Grid(
            title=f"{side} holds it",
            down=_RANKS,
            across=_RANKS,
            cells=_hand_cells(game, side),
            full=0.15,
        )
        for side in ("eldest", "dealer")
    ]
    return grids(
        f"Chance to win the game with a hand, at 0-0, in percent ({GAMES[0]})",
        "Two grids of numbers, for eldest and for the dealer: rows are the middle card, columns the best card, and "
        "each cell is the mean over the lowest card.",
        ("middle card", "best card"),
        panels,
    )


def _sayings_drawn(figures: Figures) -> str:
    game = figures[GAMES[1]]
    said = (("eldest throws in", "throw"), ("eldest puts", "put"), ("the dealer sees", "see"))
    return grids(
        f"What is said before the first card, at 0-0, in percent ({GAMES[1]})",
        "Three grids of numbers: rows are the middle card, columns the best card; how often eldest throws such a hand "
        "in, how often eldest puts on it, and how often the dealer sees that put with it.",
        ("middle card", "best card"),
        [Grid(title=title, down=_RANKS, across=_RANKS, cells=_hand_cells(game, name)) for title, name in said],
    )


def _leads_drawn(figures: Figures) -> str:
    groups = []
    for game, each in figures.items():
        rows = []
        for best in _RANKS[:8]:
            cards = [row for row in each["hands"] if row["hand"].split()[0] == best]
            held = [row for row in cards if len(set(row["hand"].split())) == 3]
            weight = sum(row["dealt"] for row in held)
            shares = [sum(row["dealt"] * row["leads"][at] for row in held) / weight for at in range(3)]
            said = [sum(row["dealt"] * row[name] for row in held) / weight for name in ("put", "throw")]
            rows.append(Bar(label=f"best card {best}", pieces=[*shares, *said]))
        groups.append((game, rows))
    return bars(
        "What eldest does first with three different cards, at 0-0, in percent",
        "Rows of bars, by the best card of the hand: how often eldest leads the lowest card, the middle one, the best "
        "one, puts, or throws in.",
        ("leads the lowest", "leads the middle", "leads the best", "puts", "throws in"),
        groups,
        1.0,
    )


def _course_drawn(figures: Figures) -> str:
    names = ("tricks", "refused", "thrown", "game", "drawn")
    rows = [Bar(label=game, pieces=[each["average"][name] for name in names]) for game, each in figures.items()]
    return bars(
        "How a hand ends, over a whole game, in percent",
        "A bar for each rule set: hands won by tricks for a point, thrown in to a put, thrown in without a put, won by "
        "tricks for the game, and drawn.",
        ("tricks, a point", "thrown in to a put", "thrown in without a put", "tricks, the game", "drawn"),
        [("", rows)],
        1.0,
    )
