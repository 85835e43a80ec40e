"""Keys: their effects on the model. The meaning of a key depends on the part that has the keyboard: see `keys`."""

from collections.abc import Callable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from put_client.keymap import Intent, Mode, stepped
from put_client.tui import moments
from put_client.tui.boards import board_of
from put_client.tui.effects import NO_ID, Effect, Quit, Show
from put_client.tui.keys import action_keys, intent_of, mode_of
from put_client.tui.model import (
    LOOKED_AT,
    AtTable,
    Confirm,
    Help,
    HouseMenu,
    LobbyModel,
    Model,
    OpenForm,
    PageKind,
    PromptKind,
    Step,
    Typing,
    card_of,
    hand_of,
    is_too_small,
)
from put_client.tui.update import departure, form, notes, typed_line
from put_client.tui.views.deal_view import beside
from put_client.tui.views.overlays import extent
from put_client.tui.widgets.canvas import ChoiceTarget, KeyTarget, LineTarget, Target
from put_protocol.games.unions import Choice
from put_protocol.messages import USUAL_HOUSE, Act, Again, Analyse, GoOn, Invite, Leave, OpenTable, Pause, Sit, Watch
from put_protocol.table_info import TableInfo
from put_protocol.text import capitalized, sentence
from put_text.catalogue import say
from put_text.presenters import presenter_of

REQUESTS: Mapping[Intent, Callable[[int, int], Effect]] = {
    Intent.SIT: Sit,
    Intent.AGAIN: Again,
    Intent.PAUSE: Pause,
    Intent.GO_ON: GoOn,
}

PAGES = {Intent(page): page for page in PageKind}


class KeyPress(Struct, frozen=True):
    """A key, by prompt_toolkit's name, or a typed character."""

    name: str


class Paste(Struct, frozen=True):
    text: str


class Click(Struct, frozen=True):
    what: Target


def click(model: Model, what: Target, now: int) -> Step:
    match what:
        case KeyTarget(key=key):
            return update_input(model, KeyPress(key), now)
        case ChoiceTarget() if moments.is_held(model, now):
            return replace(model, moments=()), ()
        case ChoiceTarget(decision=number, place=place):
            table = model.table
            if table is None or not table.is_asked or table.decision is None or table.decision.decision != number:
                return model, ()  # what was clicked is no longer asked
            return act(replace(model, notice=""), table, table.legal[place])
        case LineTarget(at=at):
            return _on_line(replace(model, notice=""), at)


def _on_line(model: Model, at: int) -> Step:
    match model.overlay:
        case HouseMenu():
            return _menu(model, HouseMenu(at=at), Intent.ACCEPT)
        case OpenForm(at=before) as opened if before == at:
            return replace(model, overlay=form.turn(opened, 1, model.welcome)), ()
        case OpenForm(at=before) as opened:
            return replace(model, overlay=form.move(opened, at - before)), ()
        case None if model.table is None and model.lobby.selected_table == at:
            return _in_lobby(model, Intent.SIT)
        case None if model.table is None:
            return replace(model, lobby=replace(model.lobby, selected_table=at)), ()
        case _:
            return model, ()


def update_input(model: Model, key: KeyPress, now: int) -> Step:
    is_held = moments.is_held(model, now)
    model = replace(model, notice="", moments=())
    if is_held and mode_of(model) is Mode.TABLE and _is_move(model, key.name):
        return model, ()  # they had not seen what it would be about
    intent = intent_of(model, key.name)
    if is_too_small(model.size) and mode_of(model) is not Mode.CONFIRM:
        intent = intent_of(replace(model, overlay=None), key.name)
        if intent not in (Intent.QUIT, Intent.DETACH, Intent.LINES):
            return model, ()  # what it would do is not to be seen
    return _intended(model, intent, now, key.name)


def _intended(model: Model, intent: Intent | None, now: int, key: str = "") -> Step:
    """Do what a key, or a typed word that means one, is for."""
    if intent is Intent.QUIT:
        return departure.quit_(model, now)
    if intent is Intent.DETACH:
        return model, (Quit(keeps=True),)
    if intent is Intent.JOIN:
        return _join(model)
    if intent is Intent.LINES:
        return model, (Quit(to_line_mode=True),)
    if intent is Intent.CANCEL:
        return replace(model, overlay=None), ()
    overlay, table = model.overlay, model.table
    match overlay:
        case Typing():
            return _typing(model, overlay, intent, key, now)
        case OpenForm():
            return _form(model, overlay, intent, key)
        case Confirm():
            return _confirm(model, overlay, intent)
        case HouseMenu():
            return _menu(model, overlay, intent, key)
        case Help():
            return _help(model, overlay, intent)
        case None if table is None:
            return _in_lobby(model, intent, key)
        case None:
            return (_by_key(model, table, key) if key else None) or _at_table(model, table, intent)


def _is_move(model: Model, key: str) -> bool:
    """True if a key plays, puts, or chooses."""
    table = model.table
    if table is None:
        return False
    if key in ("enter", "left", "right") or _digit(key) >= 0:
        return True
    return board_of(table).pressed(table, key, action_keys(table, model.keys)) is not None


def paste(model: Model, text: str) -> Step:
    """Text is pasted only where text is typed: a clipboard must not play cards."""
    match model.overlay:
        case Typing() as typing:
            typing, notice = typed_line.insert(typing, text)
            return replace(model, notice=notice, overlay=typing), ()
        case OpenForm() as open_form:
            return replace(model, notice="", overlay=form.enter(open_form, text, model.welcome)), ()
        case _:
            return model, ()


def _with_notice(model: Model, notice: str) -> Step:
    return replace(model, notice=notice), ()


def _digit(key: str) -> int:
    """The number on a key; below 0: none."""
    return int(key) if key.isascii() and key.isdecimal() else -1


def _by_key(model: Model, table: AtTable, key: str) -> Step | None:
    """Do or select the legal action of this key; None: the key has none."""
    pressed = board_of(table).pressed(table, key, action_keys(table, model.keys))
    if pressed is not None and pressed.is_done:
        return act(model, table, table.legal[pressed.place])
    if pressed is not None:
        return replace(model, table=replace(table, chosen=pressed.place)), ()
    if not table.is_playing or not 1 <= _digit(key) <= len(hand_of(table)):
        return None
    if table.is_asked:
        return _with_notice(model, _why_no_card(table))
    return _with_notice(model, say("screen-game-paused") if table.is_paused else say("screen-not-your-turn"))


def _why_no_card(table: AtTable) -> str:
    if not any(card_of(choice.action) for choice in table.legal) or table.decision is None:
        return say("screen-not-card-now")
    return say("screen-no-because", why=table.decision.why) if table.decision.why else say("screen-not-that-card")


def act(model: Model, table: AtTable, choice: Choice) -> Step:
    """Answer the decision, or ask for a confirmation first."""
    assert table.decision is not None
    effect = Act(NO_ID, table.id, table.decision.decision, choice.action)
    if model.confirms and model.lost is None and isinstance(choice.action, presenter_of(choice.action).GRAVE):
        head, _, rest = choice.says.partition(": ")
        says = sentence(rest) if rest else say("screen-no-way-back")
        confirm = Confirm(question=capitalized(say("screen-question", does=head.strip())), says=says, effects=(effect,))
        return replace(model, overlay=confirm), ()
    return _answered(model, table, (effect,))


def _answered(model: Model, table: AtTable, effects: tuple[Effect, ...]) -> Step:
    if model.lost is not None:
        return _with_notice(model, say("screen-not-now-lost"))
    return replace(model, table=notes.acted(replace(table, is_answered=True))), effects


def _confirm(model: Model, confirm: Confirm, intent: Intent | None) -> Step:
    if intent is not Intent.YES and not (intent is Intent.ACCEPT and confirm.by_enter):
        return model, ()
    model = replace(model, overlay=None)
    if confirm.act is not None and model.table is not None:
        return _answered(model, model.table, confirm.effects)
    return model, confirm.effects


def _at_table(model: Model, table: AtTable, intent: Intent | None) -> Step:
    def at(changed: AtTable) -> Step:
        return replace(model, table=changed), ()

    match intent:
        case Intent.LEFT | Intent.RIGHT:
            return at(_choose(table, -1 if intent is Intent.LEFT else 1))
        case Intent.ACCEPT if table.is_asked and table.chosen is not None:
            return act(model, table, table.legal[table.chosen])
        case Intent.ACCEPT if table.is_noted:
            return at(notes.closed(table))
        case Intent.COACH:
            return notes.ask_coach(model, table)
        case Intent.PAGE_UP:
            model, shown = _open_log(model, table)
            return _help(model, shown, Intent.PAGE_UP)
        case Intent.TALK | Intent.COMMAND:
            return replace(model, overlay=Typing(prompt=PromptKind(intent))), ()
        case Intent.SIT | Intent.AGAIN | Intent.PAUSE | Intent.GO_ON:
            return model, (REQUESTS[intent](NO_ID, table.id),)
        case Intent.INVITE:
            return _invite(model, table)
        case Intent.CONFIRMS:
            asks = not model.confirms
            message = "screen-asked-again" if asks else "screen-asked-no-more"
            says = say(message, actions=say(board_of(table).asked_before))
            return _with_notice(replace(model, confirms=asks), says)
        case Intent.BACK:
            return _back(model, table)
        case Intent() if intent in PAGES:
            return _open_page(model, PAGES[intent])
        case _:
            return model, ()


def _open_page(model: Model, page: PageKind) -> Step:
    """Open a page. The analysis of the last game is requested when its page is first opened."""
    table = model.table
    if page is PageKind.LOG and table is not None:
        return _open_log(model, table)[0], ()
    model = replace(model, overlay=Help(page=page))
    if page is not PageKind.ANALYSIS or table is None or table.awaits_analysis or not table.is_between:
        return model, ()
    if table.analysis is not None and table.analysis.game == table.info.games:
        return model, ()
    return replace(model, table=replace(table, awaits_analysis=True)), (Analyse(NO_ID, table.id),)


def _open_log(model: Model, table: AtTable) -> tuple[Model, Help]:
    log = table.log
    shown = Help(page=PageKind.LOG, down=None, unread_from=log.unread_from if log.unread else None)
    return replace(model, overlay=shown, table=replace(table, log=replace(log, unread=0))), shown


def _choose(table: AtTable, step: int) -> AtTable:
    count = len(table.legal)
    if not count:
        return table
    before = table.chosen if table.chosen is not None else -1 if step > 0 else 0
    return replace(table, chosen=(before + step) % count)


def _invite(model: Model, table: AtTable) -> Step:
    houses = model.welcome.houses
    if len(houses) == 1:
        return model, (Invite(NO_ID, table.id, house=houses[0].name),)
    return replace(model, overlay=HouseMenu(at=_usual_house(model))), ()


def _usual_house(model: Model) -> int:
    return next((at for at, house in enumerate(model.welcome.houses) if house.name == USUAL_HOUSE), 0)


def _play_house(model: Model, house: str) -> Step:
    """Open a new table of the first offered game with its fewest seats, with house players in all other seats."""
    if model.house:
        return model, ()  # one is being opened: a key that was pressed twice opens no second
    offer = model.welcome.games[0]
    is_plain = model.coaches and any(option.name == "dealing" for option in offer.options)  # it has to see our cards
    options: dict[str, int | str] = {"dealing": "plain"} if is_plain else {}
    opened = OpenTable(NO_ID, game=offer.name, seats=min(offer.seats), options=options)
    return replace(model, overlay=None, house=house), (opened,)


def _back(model: Model, table: AtTable) -> Step:
    """One step back: close a note, then clear the selection, then leave the table."""
    if table.is_noted:
        return replace(model, table=notes.closed(table)), ()
    if table.chosen is not None:
        return replace(model, table=replace(table, chosen=None)), ()
    return departure.leave(model, table)


def _join(model: Model) -> Step:
    """Sit down where we are invited, leaving the current table."""
    invited = model.invitation
    assert invited is not None
    model = replace(model, invitation=None)
    sit = Sit(NO_ID, invited.table, invited.seat)
    if model.table is None:
        return model, (sit,)
    return (model, ()) if model.table.id == invited.table else (model, (Leave(NO_ID, model.table.id), sit))


def _in_lobby(model: Model, intent: Intent | None, key: str = "") -> Step:
    lobby = model.lobby
    table = lobby.table
    houses = model.welcome.houses
    if not lobby.tables and 1 <= _digit(key) <= len(houses):
        return _play_house(model, houses[_digit(key) - 1].name)
    match intent:
        case Intent.DECLINE:
            return replace(model, invitation=None), ()
        case Intent.HOUSE:
            return replace(model, overlay=HouseMenu(at=_usual_house(model))), ()
        case Intent.UP | Intent.DOWN | Intent.HOME | Intent.END:
            selected = _selected(lobby.listed, lobby.selected_table, intent)
            if selected == lobby.selected_table and (page := _next_page(lobby, intent)) != lobby.page:
                return model, (model.look(page),)
            return replace(model, lobby=replace(lobby, selected_table=selected)), ()
        case Intent.SIT if table is not None:
            return _enter(model, table, Sit(NO_ID, table.id))
        case Intent.WATCH if table is not None:
            if not table.is_gallery_open:
                return _with_notice(model, say("screen-no-spectators", table=table.id))
            return _enter(model, table, Watch(NO_ID, table.id))
        case Intent.OPEN:
            if (opened := form.open_form(model.welcome)) is None:
                return _with_notice(model, say("screen-no-game"))
            return replace(model, overlay=opened), ()
        case Intent.COMMAND:
            return replace(model, overlay=Typing(prompt=PromptKind.COMMAND)), ()
        case Intent.FILTER:
            return replace(model, overlay=Typing(prompt=PromptKind.FILTER, text=lobby.wanted, at=len(lobby.wanted))), ()
        case Intent.HELP | Intent.RULES:
            return replace(model, overlay=Help(page=PAGES[intent])), ()
        case Intent.RECORD | Intent.DRILL:
            return model, (Show(intent.value),)
        case _:
            return model, ()


def _selected(tables: tuple[TableInfo, ...], selected: int | None, intent: Intent) -> int | None:
    numbers = [table.id for table in tables]
    if not numbers:
        return None
    at = numbers.index(selected) if selected in numbers else 0
    return numbers[stepped(intent, at, len(numbers) - 1)]


def _next_page(lobby: LobbyModel, intent: Intent) -> int:
    """The page to look at when the selection reaches the end of the listed ones."""
    match intent:
        case Intent.DOWN if lobby.has_more:
            return lobby.page + LOOKED_AT
        case Intent.UP:
            return max(0, lobby.page - LOOKED_AT)
        case Intent.HOME:
            return 0
        case _:
            return lobby.page


def _enter(model: Model, table: TableInfo, request: Sit | Watch) -> Step:
    is_full = all(seat.name is not None for seat in table.seats) or table.is_in_play
    if isinstance(request, Sit) and is_full:
        says = say("screen-no-free-seat", table=table.id, watch=table.is_gallery_open)
        return _with_notice(model, says)
    if table.is_locked:
        return replace(model, overlay=Typing(prompt=PromptKind.PASSCODE, request=request)), ()
    return model, (request,)


def _typing(model: Model, typing: Typing, intent: Intent | None, key: str, now: int) -> Step:
    match intent:
        case None:
            typing, notice = typed_line.insert(typing, key if len(key) == 1 else "")
            return replace(model, notice=notice or model.notice, overlay=typing), ()
        case Intent.ACCEPT:
            return _entered(model, typing, now)
        case _:
            return replace(model, overlay=typed_line.edit(typing, intent)), ()


def _entered(model: Model, typing: Typing, now: int) -> Step:
    closed = replace(model, overlay=None)
    table = model.table
    if typing.request is not None:
        return closed, (replace(typing.request, passcode=typing.text),)
    if typing.prompt is PromptKind.FILTER:
        is_part = closed.lobby.is_part
        lobby = replace(closed.lobby, wanted=" ".join(typing.text.split()))
        if lobby.table is None:
            lobby = replace(lobby, selected_table=_selected(lobby.listed, None, Intent.HOME))
        closed = replace(closed, lobby=lobby)
        is_other = closed.look() != model.look()
        return closed, ((closed.look(),) if is_other and (is_part or model.lobby.wanted) else ())
    if not typing.text.strip():
        return closed, ()
    entered: typed_line.Entered | Intent | int
    if typing.prompt is PromptKind.TALK and table is not None:
        entered = typed_line.talk(closed, table, typing.text)
    else:
        entered = typed_line.command(closed, typing.text)
    match entered:
        case Intent():
            return _intended(closed, entered, now)
        case str():  # a wrong line stays open
            return replace(closed, overlay=typing, notice=entered), ()
        case int():
            assert table is not None
            return act(closed, table, table.legal[entered])
        case _:
            return entered


def _form(model: Model, opened: OpenForm, intent: Intent | None, key: str) -> Step:
    welcome = model.welcome
    match intent:
        case Intent.UP | Intent.DOWN:
            changed = form.move(opened, -1 if intent is Intent.UP else 1)
        case Intent.LEFT | Intent.RIGHT:
            changed = form.turn(opened, -1 if intent is Intent.LEFT else 1, welcome)
        case Intent.ERASE | Intent.ERASE_LINE:
            changed = form.erase(opened, welcome, everything=intent is Intent.ERASE_LINE)
        case Intent.ACCEPT:
            flaw = form.flaw_of(opened)
            return (model, (form.request_of(opened),)) if flaw is None else _with_notice(model, flaw)
        case _:
            changed = form.enter(opened, key if len(key) == 1 else "", welcome)
    return replace(model, overlay=changed), ()


def _menu(model: Model, menu: HouseMenu, intent: Intent | None, key: str = "") -> Step:
    houses = model.welcome.houses
    if not houses:
        return replace(model, overlay=None), ()
    if 1 <= _digit(key) <= len(houses):
        menu, intent = HouseMenu(at=_digit(key) - 1), Intent.ACCEPT
    match intent:
        case Intent.UP | Intent.DOWN:
            at = (menu.at + (1 if intent is Intent.DOWN else -1)) % len(houses)
            return replace(model, overlay=HouseMenu(at=at)), ()
        case Intent.ACCEPT if model.table is not None:
            return replace(model, overlay=None), (Invite(NO_ID, model.table.id, house=houses[menu.at].name),)
        case Intent.ACCEPT:
            return _play_house(model, houses[menu.at].name)
        case _:
            return model, ()


def _help(model: Model, shown: Help, intent: Intent | None) -> Step:
    match intent:
        case Intent.ACCEPT if shown.page is PageKind.LOG:
            return replace(model, overlay=Typing(prompt=PromptKind.TALK)), ()
        case Intent.ACCEPT:
            return replace(model, overlay=None), ()
        case Intent() if intent in PAGES:
            if PAGES[intent] is shown.page:
                return replace(model, overlay=None), ()
            return _open_page(model, PAGES[intent])
        case Intent.LEFT | Intent.RIGHT if model.table is not None:
            deal = beside(model.table, shown.deal, -1 if intent is Intent.LEFT else 1)
            return replace(model, overlay=replace(shown, deal=deal, down=0)), ()
        case Intent.UP | Intent.DOWN | Intent.PAGE_UP | Intent.PAGE_DOWN | Intent.HOME | Intent.END:
            return replace(model, overlay=_scrolled(model, shown, intent)), ()
        case _:
            return model, ()


def _scrolled(model: Model, shown: Help, intent: Intent) -> Help:
    """A page after a scrolling key. After turning, the first line is the last one before."""
    lines, room = extent(model, shown)
    last = max(lines - room, 0)
    at = last if shown.down is None else min(shown.down, last)
    down = stepped(intent, at, last, max(room - 1, 1))
    return replace(shown, down=None if shown.page is PageKind.LOG and down == last else down)
