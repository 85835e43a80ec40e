"""The lines below the field: whose turn it is, the clock, the choices, and the keys."""

from collections.abc import Iterable, Sequence

from put_client.keymap import label_of
from put_client.tui.boards import board_of
from put_client.tui.keys import action_keys, shown_below
from put_client.tui.model import AtTable, Confirm, Model, card_of
from put_client.tui.widgets.canvas import Canvas, ChoiceTarget, Fragment, KeyTarget, columns_of, width_of, wrap
from put_client.tui.widgets.theme import ALARM, CHOSEN, FAINT, KEY, NOTICE, PLAIN, STRONG, TURN
from put_protocol.games.unions import Choice
from put_protocol.messages import Invited
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_info import PauseInfo, SeatInfo, TableState
from put_protocol.text import capitalized
from put_text.catalogue import say
from put_text.phrases import format_minutes, format_time_left

BELOW = 4
"""Lines under the field on a small screen: rule, question, choices, keys."""

WHY_FROM_HEIGHT = 24
MEANINGS_FROM_HEIGHT = 30
MEANINGS = 2

LABELS_FROM = 80
"""Width from which the clock names its player; otherwise the question needs the room."""

UNHURRIED_MS = 120_000
"""Longer times are hidden if only the server limits decisions, so that players do not feel hurried."""

CLOCK_WARNS_MS = 10_000


def lines_below(height: int) -> int:
    return BELOW + (height >= WHY_FROM_HEIGHT) + MEANINGS * (height >= MEANINGS_FROM_HEIGHT)


def question_of(model: Model) -> tuple[bool, str]:
    """True if we must act, and a sentence about the current decision."""
    table = model.table
    assert table is not None
    if model.lost is not None:
        return False, model.lost
    if table.caught is not None:
        return False, say("screen-caught")
    if table.decision is not None:
        if table.is_answered:
            return False, say("screen-sent")
        return True, say("screen-your-move", asks=table.decision.asks)
    match table.info.state:
        case TableState.FILLING:
            return table.seat is not None, _filling(table, can_invite=bool(model.welcome.houses))
        case TableState.BETWEEN:
            return _between(table)
        case TableState.PAUSED:
            return False, _paused(table)
        case TableState.PLAYING:
            pause = table.info.pause
            if pause is not None and table.seat is not None and not table.has_asked:
                return True, _asking(table, pause, "agree")
            return False, board_of(table).waiting(table)


def _filling(table: AtTable, *, can_invite: bool) -> str:
    if table.seat is None:
        return say("screen-empty-seat" if table.info.is_locked else "screen-empty-seat-free")
    empty = sum(seat.name is None for seat in table.info.seats)
    return say("screen-seats-empty-house" if can_invite else "screen-seats-empty", count=empty)


def _between(table: AtTable) -> tuple[bool, str]:
    waited = [seat.name or "" for seat in table.info.seats if not seat.agrees]
    if table.seat is None:
        return False, say("screen-over-another", names=waited) if waited else say("screen-over")
    if not table.info.seats[table.seat].agrees:
        return True, say("screen-over-agree")
    return False, say("screen-over-wait", names=waited)


def _paused(table: AtTable) -> str:
    waited = [info.name or "" for _, info in _waited(table)]
    if table.seat is not None and not table.has_asked:
        return say("screen-paused-go-on")
    return say("screen-paused-until", names=waited, count=len(waited)) if waited else say("screen-paused")


def _waited(table: AtTable) -> list[tuple[Seat, SeatInfo]]:
    """The people who have not yet asked for a pause or, during one, to go on."""
    ready = table.info.pause.seats if table.info.pause is not None else ()
    seats = [(Seat(seat), info) for seat, info in enumerate(table.info.seats) if seat not in ready]
    return [(seat, info) for seat, info in seats if not (info.name is None or info.is_house or info.is_gone)]


def _asking(table: AtTable, pause: PauseInfo, next_: str, waited: Sequence[Seat] = ()) -> str:
    """Players who ask for a pause, its length, and the next step: others `agree`, or it has to `wait`."""
    is_ours = table.seat in pause.seats
    who = ("you" if is_ours else "one") if len(pause.seats) == 1 else "ours" if is_ours else "many"
    names, waits = table.speaker.names(pause.seats), table.speaker.names(waited)
    time = format_minutes(pause.minutes)
    return capitalized(say("screen-pause-asked", who=who, names=names, time=time, next=next_, waited=waits))


def pause_in_words(table: AtTable) -> str:
    """Players who ask for a pause, and those it waits for; empty: none asks."""
    pause = table.info.pause
    if pause is None or table.is_paused:
        return ""
    if table.is_playing and not table.has_asked:
        return _asking(table, pause, "agree")
    waited = [seat for seat, info in _waited(table) if not info.is_away]
    return _asking(table, pause, "wait" if waited else "nothing", waited)


def is_short(notice: str, width: int) -> bool:
    """True if a notice fits in the line of keys. A longer one is drawn over the top of the screen."""
    return 0 < width_of(notice) <= width - 4


def draw_notice(canvas: Canvas, model: Model) -> None:
    """Draw a long notice over the top of the screen, unless a question is open."""
    if not model.notice or is_short(model.notice, canvas.width):
        return
    width = min(canvas.width - 2, 84)
    rows = wrap(model.notice, width - 6)[: max(canvas.height // 2, 1)]
    x = (canvas.width - width) // 2
    canvas.box(x, 1, width, len(rows) + 2)
    for line, row in enumerate(rows, start=2):
        canvas.put(x + 2, line, f"{'!' if line == 2 else ' '} {row}", NOTICE)


def draw_question(canvas: Canvas, model: Model, table: AtTable, now: int, *, is_held: bool = False) -> None:
    """The permanent question line, and below it the reason, if there is room."""
    y = canvas.height - lines_below(canvas.height) + 1
    if (confirm := _confirm_of(model)) is not None:
        is_ours, says, style = True, f"{confirm.question} ", ALARM
    else:
        is_ours, says = (False, say("screen-hand-held")) if is_held and model.lost is None else question_of(model)
        style = TURN if is_ours else PLAIN
        if canvas.height >= WHY_FROM_HEIGHT and table.is_asked and table.decision is not None and model.lost is None:
            why = _meaning_of_chosen(table) or pause_in_words(table) or table.decision.why
            canvas.put(3, y + 1, why, width=canvas.width - 4)
        elif canvas.height >= WHY_FROM_HEIGHT and table.info.is_in_play and model.lost is None and not is_ours:
            canvas.put(3, y + 1, pause_in_words(table), width=canvas.width - 4)
    clock = _clock(canvas, model, table, now)
    end = canvas.put_right(canvas.width - 1, y, clock) if clock else canvas.width
    pointer = canvas.theme.pointer if is_ours else " "
    room = max(end - 5, 0)
    if width_of(says) > room:
        says = says.removeprefix(say("screen-your-move", asks=""))
    canvas.put_all(1, y, [(style, f"{pointer} "), (style, says)], width=room + 2)


def _confirm_of(model: Model) -> Confirm | None:
    """The question to confirm, unless it is about a move that cannot be sent now."""
    overlay = model.overlay
    return overlay if isinstance(overlay, Confirm) and (model.lost is None or overlay.act is None) else None


def _meaning_of_chosen(table: AtTable) -> str:
    """The server's words for the choice that Enter would make."""
    return (
        "" if table.chosen is None or not table.legal else say("screen-enter-does", does=table.legal[table.chosen].says)
    )


def shows_clock(table: AtTable, left: int) -> bool:
    if table.clock is None or not table.info.is_in_play:
        return False
    return bool(table.info.clock.turn) or table.clock.is_away or table.is_paused or left <= UNHURRIED_MS


def _clock(canvas: Canvas, model: Model, table: AtTable, now: int) -> list[Fragment]:
    clock = table.clock
    left = clock.left(now) if clock is not None and model.lost is None else None
    if clock is None or left is None or not shows_clock(table, left):
        return []
    is_wide = canvas.width >= LABELS_FROM
    if table.is_paused:
        return [(PLAIN, f"{say('screen-clock-paused')} " if is_wide else ""), (STRONG, format_time_left(left))]
    seconds = -(-left // 1000)
    time = f"{seconds // 60}:{seconds % 60:02d}"
    whose = "yours" if clock.seat == table.seat else "away" if clock.is_away else "other"
    whose = f"{say(f'screen-clock-{whose}')} " if is_wide else ""
    if left <= CLOCK_WARNS_MS:
        return [(PLAIN, whose), (ALARM, f"!{time}!")]
    return [(PLAIN, whose), (STRONG, f" {time} ")]


def draw_choices(canvas: Canvas, model: Model, table: AtTable) -> None:
    """Draw the choices, each after its key, the selected one in brackets; or the meaning of a question."""
    y = canvas.height - 2 - (MEANINGS if canvas.height >= MEANINGS_FROM_HEIGHT else 0)
    if (confirm := _confirm_of(model)) is not None:
        canvas.put(3, y, confirm.says, width=canvas.width - 4)
        return
    if model.lost is not None:
        return
    if model.back and table.is_playing and table.is_paused:
        canvas.put(3, y, say("screen-may-quit"))
        return
    if model.invitation is not None and not table.is_playing:
        canvas.put(3, y, invitation_in_words(model.invitation, "sit"), STRONG)
        return
    keyed = action_keys(table, model.keys)
    if not keyed or table.decision is None:
        return
    number = table.decision.decision
    labels = []
    before = ""
    for place, (key, choice) in enumerate(keyed):
        style, text = board_of(table).label(table, choice, canvas.theme)
        is_told = key == before != ""  # the first with this key has said what it is
        shown = (style, text.partition(" ")[2] or text) if is_told else (style, text)
        label = _label("" if is_told else key, shown, is_chosen=place == table.chosen)
        labels.append((label, ChoiceTarget(number, place)))
        before = key
    has_cards = any(card_of(choice.action) for _, choice in keyed)
    x = _draw_labels(canvas, y, labels, table.chosen, has_cards=has_cards)
    says = _meaning_of_chosen(table)
    if canvas.height < WHY_FROM_HEIGHT and x + 3 + width_of(says) < canvas.width:
        canvas.put_right(canvas.width - 1, y, [(PLAIN, says)])
    if canvas.height >= MEANINGS_FROM_HEIGHT:
        _draw_meanings(canvas, keyed, y + 1)


def _label(key: str, label: Fragment, *, is_chosen: bool) -> list[Fragment]:
    style, text = label
    left, right = ("[", "]") if is_chosen else (" ", " ")
    shown = CHOSEN if is_chosen else ""
    parts: list[Fragment] = [(shown, left)]
    if key:
        parts.append((f"{shown} {KEY}".strip(), f"{label_of(key)} "))
    return [*parts, (f"{shown} {style}".strip(), text), (shown, right)]


def _draw_labels(
    canvas: Canvas,
    y: int,
    labels: list[tuple[list[Fragment], ChoiceTarget]],
    chosen: int | None,
    *,
    has_cards: bool,
) -> int:
    """Draw the labels in a line. If they do not fit, start so that the selected one is visible; without a selection,
    with the first that is no card, because cards have digits above them. Returns the column after them."""
    widths = [columns_of(label) + 1 for label, _ in labels]
    room = canvas.width - 6
    is_cut = sum(widths) > room
    if is_cut and chosen is None and has_cards:
        labels = [*reversed(labels)]
        widths.reverse()
    first = 0
    while is_cut and chosen is not None and first < chosen and sum(widths[first : chosen + 1]) > room:
        first += 1
    x = canvas.put(1, y, canvas.theme.ellipsis) + 1 if first else 3
    for (label, what), width in list(zip(labels, widths, strict=True))[first:]:
        if is_cut and x + width > room + 3:
            return canvas.put(x, y, canvas.theme.ellipsis) + 1
        canvas.spot(x, y, width - 1, 1, what)
        x = canvas.put_all(x, y, label) + 1
    return x


def _draw_meanings(canvas: Canvas, keyed: tuple[tuple[str, Choice], ...], y: int) -> None:
    """Draw the server's words for actions without a card; of several with one key, the first."""
    keys = [key for key, _ in keyed]
    meanings = [
        (key, choice.says)
        for place, (key, choice) in enumerate(keyed)
        if card_of(choice.action) is None and choice.says and (not key or keys.index(key) == place)
    ]
    lines = [((KEY, f"{label_of(key) or '-'} "), (FAINT, says)) for key, says in meanings[:MEANINGS]]
    canvas.put_lines(4, y, lines, width=canvas.width - 5)


def invitation_in_words(invited: Invited, next_: str = "nothing") -> str:
    """Sentence that another person invites us. `next_`: effect of a key, `sit` or `choose`."""
    return say("screen-invited", by=invited.by, table=invited.table, game=invited.info.game, next=next_)


def hearers(table: AtTable) -> str:
    """The people who hear us. During a game spectators are heard only by spectators."""
    info = table.info
    watching = info.watchers - (table.viewer == GALLERY)
    gallery = [say("screen-in-gallery", count=watching)] if watching > 0 else []
    if table.viewer == GALLERY and info.is_in_play:
        return say("screen-heard-gallery", count=max(watching, 0))
    people = [
        info.name
        for seat, info in enumerate(info.seats)
        if info.name is not None and not info.is_house and seat != table.seat
    ]
    heard = [*people, *gallery]
    return say("screen-heard-by", names=heard) if heard else say("screen-heard-nobody")


def draw_keys_line(canvas: Canvas, model: Model, table: AtTable, *, has_log: bool) -> None:
    """The bottom line: a notice; without a log, its last entry; otherwise the keys."""
    y = canvas.height - 1
    notice = model.notice if is_short(model.notice, canvas.width) else ""
    if not notice and isinstance(model.overlay, Confirm):
        canvas.spots.clear()  # nothing else is to be answered now
        yes = say("keys-enter-or-yes") if model.overlay.by_enter else "y"
        keys = ((yes, say("keys-yes"), "y"), (say("keys-escape-or-no"), say("keys-no"), "escape"))
        draw_row_of_keys(canvas, 3, y, canvas.width, keys)
        return
    if not notice and not has_log and table.log.entries:
        help_ = list(shown_below(model))[-2:-1]  # none while something lies over the screen
        start = canvas.width - 1 - sum(len(label) + len(word) + 1 for label, word, _ in help_)
        canvas.put(1, y, table.log.entries[-1].text, width=start - 3)
        draw_row_of_keys(canvas, start, y, canvas.width, help_)
        return
    draw_footer(canvas, list(shown_below(model)), notice)


def draw_footer(canvas: Canvas, shown: list[tuple[str, str, str]], notice: str) -> None:
    """A notice in the last line, otherwise keys with descriptions, as many as fit; help and quit, the last two,
    always."""
    if notice:
        canvas.put(1, canvas.height - 1, f"! {notice}", NOTICE, width=canvas.width - 2)
        return
    first, last = shown[:-2], shown[-2:]
    y, room = canvas.height - 1, canvas.width - 2 - sum(len(label) + len(word) + 4 for label, word, _ in last)
    x = 1
    for label, word, key in first:
        if x + len(label) + len(word) + 1 <= room:
            x = draw_row_of_keys(canvas, x, y, canvas.width, [(label, word, key)])
    draw_row_of_keys(canvas, x, y, canvas.width, last)


def keys_called(**does: str) -> list[tuple[str, str, str]]:
    """Keys with their descriptions, by messages, for `draw_row_of_keys`."""
    return [(label_of(key), say(f"keys-{done}"), key) for key, done in does.items()]


def draw_row_of_keys(canvas: Canvas, x: int, y: int, width: int, keys: Iterable[tuple[str, str, str]]) -> int:
    """Draw the keys with their descriptions that fit whole in this width; both can be clicked. Returns the column of
    the next one."""
    stop = x + width
    for label, word, key in keys:
        if x + width_of(label) + 1 + width_of(word) > stop:
            break
        end = canvas.put_all(x, y, [(KEY, label), (PLAIN, f" {word}")])
        canvas.spot(x, y, end - x, 1, KeyTarget(key))
        x = end + 3
    return x
