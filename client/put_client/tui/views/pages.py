"""Pages to read, as lines of a width: the help, the rules of the game at hand, and the game hand by hand."""

from typing import assert_never

from put_client.keymap import Mode, action_letters
from put_client.tui.boards.board import rules_in_lines
from put_client.tui.boards.registry import board_of
from put_client.tui.keys import explained
from put_client.tui.model import AtTable, Help, Model, PageKind
from put_client.tui.views.deal_view import deal_lines
from put_client.tui.views.log_view import log_lines
from put_client.tui.widgets.canvas import Line, wrapped
from put_client.tui.widgets.theme import KEY, PLAIN, STRONG, Theme
from put_protocol.offers import GameOffer

TITLES = {
    PageKind.HELP: "Help",
    PageKind.RULES: "The rules",
    PageKind.STORY: "Hand by hand",
    PageKind.DEAL: "The deal",
    PageKind.ANALYSIS: "Against perfect play",
    PageKind.LOG: "Log and talk",
}

MARKS = (
    ("away, gone", "the connection is lost, and the clock of the table runs; left the game"),
    ("pause, ready", "who asks for a pause; who is ready to go on after it"),
    ("sealed", "the cards were sealed before you cut, and are proved as far as you saw them: v tells more"),
    ("not proved", "nothing shows you that this deal is fair, for the reason behind it: v tells more"),
    ("? on a card", "it is not proved; an ellipsis: its proof comes when the hand is over"),
    ("purse", "stakes won less stakes lost at this table"),
)

_KEY_WIDTH = 16


def lines_of(model: Model, shown: Help, width: int, theme: Theme) -> list[Line]:
    """A page in lines no wider than that."""
    page, table = shown.page, model.table
    match page:
        case PageKind.HELP:
            return _help(model, width)
        case PageKind.RULES:
            return _rules(model, width, theme)
        case PageKind.DEAL:
            return [] if table is None else deal_lines(table, shown.deal, width, theme)
        case PageKind.ANALYSIS:
            return [] if table is None else board_of(table).analysis_page(table, width, theme)
        case PageKind.LOG:
            return [] if table is None else log_lines(table, shown.unread_from, width, theme)
        case PageKind.STORY:
            return [] if table is None else board_of(table).story_page(table, width, theme)
        case _:
            assert_never(page)


def _help(model: Model, width: int) -> list[Line]:
    """The game in short, the keys of this screen, and the marks."""
    lines: list[Line] = []
    table = model.table
    offer = _offer(model)
    if offer is not None:
        lines += [((STRONG, offer.title), (PLAIN, f" ({offer.source})")), *wrapped(offer.summary, width)]
        lines += [*_ranking(table, width), ()]
    if table is not None:
        for keys, says in board_of(table).keys_explained(action_letters(model.keys)):
            lines += _explanation(keys, says, width)
    for key, says in explained(Mode.LOBBY if table is None else Mode.TABLE, model.keys):
        lines += _explanation(key, says, width)
    lines += _explanation("the mouse", "a card, an action, a key below, a line of a list: as if it were typed", width)
    if table is not None:
        lines.append(())
        for mark, says in board_of(table).marks(MARKS):
            lines += _explanation(mark, says, width)
    return lines


def _offer(model: Model) -> GameOffer | None:
    """The rule set at hand: of the table we are at, or the one selected, or the first there is."""
    if model.table is not None:
        return model.offer_at(model.table.info)
    if model.lobby.table is not None:
        return model.offer_at(model.lobby.table)
    return next(iter(model.welcome.games), None)


def _ranking(table: AtTable | None, width: int) -> list[Line]:
    ranking = () if table is None else board_of(table).ranking(table)
    return wrapped(f"Cards, best first: {' '.join(ranking)}.", width) if ranking else []


def _explanation(key: str, says: str, width: int) -> list[Line]:
    return wrapped(says, width, head=(KEY, key.ljust(_KEY_WIDTH)))


def _rules(model: Model, width: int, theme: Theme) -> list[Line]:
    """The server's rules, with the options of this table."""
    offer = _offer(model)
    if offer is None:
        return [((PLAIN, "The server tells no rules of this game."),)]
    lines: list[Line] = [((STRONG, offer.title), (PLAIN, f" ({offer.source})")), ()]
    lines += rules_in_lines(offer, width, theme)
    info = model.table.info if model.table is not None else model.lobby.table
    options = info.options if info is not None else {}
    lines += [(), ((STRONG, "At this table" if info is not None else "What a table may choose"),)]
    lines += _ranking(model.table, width)
    for option in offer.options:
        value = options.get(option.name, option.default)
        if value != "":
            lines += wrapped(f"{option.name.replace('_', ' ')} {value}: {option.meaning}", width)
    return lines
