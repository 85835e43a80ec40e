"""Pages to read, as lines of a width: the help, the rules of the game at hand, and the game hand by hand."""

from typing import assert_never

from put_client.keymap import Mode, action_letters, label_of
from put_client.tui.keys import explained
from put_client.tui.model import AtTable, Help, Model, Page, order_from
from put_client.tui.update import story
from put_client.tui.update.story import Hand, Story
from put_client.tui.views.analysis_view import analysis_lines
from put_client.tui.views.deal_view import deal_lines
from put_client.tui.widgets.canvas import Fragment, Line, width_of, wrap
from put_client.tui.widgets.card_faces import sign_of, style_of
from put_client.tui.widgets.theme import FAINT, KEY, PLAIN, STRONG, Theme
from put_protocol.offers import GameOffer
from put_protocol.seats import Seat

TITLES = {
    Page.HELP: "Help",
    Page.RULES: "The rules",
    Page.STORY: "Hand by hand",
    Page.DEAL: "The deal",
    Page.ANALYSIS: "Against perfect play",
}

MARKS = (
    ("dealer, eldest", "who dealt, and who plays first"),
    ("PUT, sees, out", "who put, who accepted it, who threw in"),
    ("away, gone", "the connection is lost, and the clock of the table runs; left the game"),
    ("pause, ready", "who asks for a pause; who is ready to go on after it"),
    ("sealed", "the cards were sealed before you cut, and are proved as far as you saw them: v tells more"),
    ("not proved", "nothing shows you that this deal is fair, for the reason behind it: v tells more"),
    ("purse", "stakes won less stakes lost at this table"),
    ("[3], =K", "in the list of tricks: the card that took it; a trick that was tied"),
)

_KEY_WIDTH = 16


def lines_of(model: Model, shown: Help, width: int, theme: Theme) -> list[Line]:
    """A page in lines no wider than that."""
    page, table = shown.page, model.table
    match page:
        case Page.HELP:
            return _help(model, width)
        case Page.RULES:
            return _rules(model, width, theme)
        case Page.DEAL:
            return [] if table is None else deal_lines(table, shown.deal, width, theme)
        case Page.ANALYSIS:
            return [] if table is None else analysis_lines(table, width, theme)
        case Page.STORY:
            if table is None or table.story is None:
                return [((PLAIN, "Nothing has been played yet."),)]
            return _whole_story(table, table.story, width, theme)
        case _:
            assert_never(page)


def _wrapped(text: str, width: int, style: str = PLAIN) -> list[Line]:
    return [((style, row),) for row in wrap(text, width)]


# --- the help --------------------------------------------------------------------------------------------------------


def _help(model: Model, width: int) -> list[Line]:
    """What the game is about, the keys of this screen, and the marks."""
    lines: list[Line] = []
    table = model.table
    offer = _offer(model)
    if offer is not None:
        lines += [((STRONG, offer.title), (PLAIN, f" ({offer.source})")), *_wrapped(offer.summary, width)]
        lines += [*_ranking(table, width), ()]
    if table is not None:
        lines.append(_explained("1 to 9", "play that card of your hand"))
        own = action_letters(model.keys)
        letters = ", ".join(label_of(own[action]) for action in ("put", "see", "throw"))
        lines.append(_explained(letters, "put, see, throw in, whenever you may"))
    for key, says in explained(Mode.LOBBY if table is None else Mode.TABLE, model.keys):
        lines += _explanation(key, says, width)
    lines += _explanation("the mouse", "a card, an action, a key below, a line of a list: as if it were typed", width)
    if table is not None:
        lines.append(())
        for mark, says in MARKS:
            lines += _explanation(mark, says, width)
    return lines


def _offer(model: Model) -> GameOffer | None:
    """The rule set at hand: of the table we are at, or the one selected, or the first there is."""
    if model.table is not None:
        return model.offer_of(model.table.info.game)
    if model.lobby.table is not None:
        return model.offer_of(model.lobby.table.game)
    return next(iter(model.welcome.games), None)


def _ranking(table: AtTable | None, width: int) -> list[Line]:
    if table is None or table.put is None:
        return []
    return _wrapped(f"Cards, best first: {' '.join(table.put.ranking)}.", width)


def _explained(key: str, says: str) -> Line:
    return (KEY, key.ljust(_KEY_WIDTH)), (PLAIN, says)


def _explanation(key: str, says: str, width: int) -> list[Line]:
    first, *rest = wrap(says, width - _KEY_WIDTH)
    return [_explained(key, first), *(_explained("", row) for row in rest)]


# --- the rules -------------------------------------------------------------------------------------------------------


def _rules(model: Model, width: int, theme: Theme) -> list[Line]:
    """As the server tells them, with the options of this table."""
    offer = _offer(model)
    if offer is None:
        return [((PLAIN, "The server tells no rules of this game."),)]
    lines: list[Line] = [((STRONG, offer.title), (PLAIN, f" ({offer.source})")), ()]
    for rule in offer.rules or (offer.summary,):
        first, *rest = wrap(rule, width - 2)
        lines += [((FAINT, f"{theme.dot} "), (PLAIN, first)), *(((PLAIN, f"  {row}"),) for row in rest)]
    info = model.table.info if model.table is not None else model.lobby.table
    options = info.options if info is not None else {}
    lines += [(), ((STRONG, "At this table" if info is not None else "What a table may choose"),)]
    lines += _ranking(model.table, width)
    for option in offer.options:
        value = options.get(option.name, option.default)
        if value != "":
            lines += _wrapped(f"{option.name.replace('_', ' ')} {value}: {option.meaning}", width)
    return lines


# --- the game hand by hand -------------------------------------------------------------------------------------------


def _whole_story(table: AtTable, told: Story, width: int, theme: Theme) -> list[Line]:
    lines = story_lines(table, told, width, theme, with_tricks=True)
    if not told.is_whole:
        lines.insert(0, ((FAINT, "Told from where you came to the table."),))
    if told.is_over and table.result:
        lines += [(), *_wrapped(table.result, width, STRONG)]
    if table.recording is not None and table.recording.number == told.number:
        lines += [(), ((KEY, "/save FILE"), (PLAIN, " writes the game down, as you saw it."))]
    return lines


def story_lines(table: AtTable, told: Story, width: int, theme: Theme, *, with_tricks: bool) -> list[Line]:
    """Under a line of names, a line a hand: what was said, how it ended, and the score after it, the winner's in
    brackets. With `with_tricks` the cards of each hand follow."""
    seats = order_from(table.viewer, told.seats)
    column = 8 if told.seats <= 4 and width >= 60 else max(min(8, (width - 28) // told.seats), 4)
    left = width - column * told.seats
    head = f"{'hand':<{left}}" + "".join(_right(_name(table, seat), column) for seat in seats)
    lines: list[Line] = [((FAINT, head),)]
    for hand in told.hands:
        scores = story.scores_of(hand)
        winner = hand.end.winner if hand.end is not None else None
        cells = [f"[{scores[s]}]" if s == winner else f"{scores[s]} " for s in seats] if scores else []
        first, *rest = wrap(story.words_of(hand, lambda seat: _name(table, seat)), left - 5)
        number = _fragment(f"{hand.number:>3}  ", FAINT)
        score = _fragment(" " * (left - 5 - width_of(first)) + "".join(_right(cell, column) for cell in cells), STRONG)
        lines.append((number, (PLAIN, first), score))
        lines += [((PLAIN, f"     {row}"),) for row in rest]
        if with_tricks:
            lines += _tricks(table, hand, width, theme)
    return lines


def _fragment(text: str, style: str) -> Fragment:
    return style, text


def _right(text: str, width: int) -> str:
    """Within a column, to its right side, with a blank at its left."""
    while width_of(text) > width - 1:
        text = text[:-1]
    return " " * (width - width_of(text)) + text


def _name(table: AtTable, seat: Seat) -> str:
    return "you" if seat == table.seat else table.name(seat)


def _tricks(table: AtTable, hand: Hand, width: int, theme: Theme) -> list[Line]:
    """Each trick with who played what; what took it is in brackets."""
    lines: list[Line] = []
    line: list[Fragment] = []
    for number, trick in enumerate(hand.tricks, 1):
        parts: list[Fragment] = []
        is_tied = trick.winner is None and not (hand.is_open and number == len(hand.tricks))
        for seat, card in zip(trick.seats, trick.cards, strict=False):
            left, right = ("[", "]") if seat == trick.winner else ("=" if is_tied else "", "")
            parts += [(FAINT, f"{left}{_name(table, seat)} "), (style_of(card), sign_of(theme, card))]
            parts.append((FAINT, f"{right} "))
        needed = sum(width_of(text) for _, text in parts) + 2
        if line and sum(width_of(text) for _, text in line) + needed > width:
            lines.append(tuple(line))
            line = []
        line += [(FAINT, f"{theme.dot} " if line else "     "), *parts]
    return [*lines, tuple(line)] if line else lines
