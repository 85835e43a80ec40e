"""The form that opens a table. Its lines come from the server's offers; it needs no knowledge of games."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from put_client.tui.effects import NO_ID
from put_client.tui.model import FieldKind, FormField, OpenForm
from put_client.tui.update.typed_line import cleaned
from put_protocol.messages import OpenTable, Welcome
from put_protocol.offers import GameOffer, OptionOffer
from put_protocol.table_info import Admits
from put_protocol.text import capitalized
from put_text.catalogue import say

TURN_STEPS = (0, 10, 20, 30, 60, 120, 300)
BANK_STEPS = (0, 60, 120, 300, 600, 1_800)
LONGEST_S = 86_400
MORE = "more"
"""The line that shows the other lines."""

USUAL = ("turn", "passcode")
"""Lines shown at first, besides the game and its seats."""

PASSCODE_LENGTH = 128
"""Longest passcode in the wire's schema."""


def open_form(welcome: Welcome) -> OpenForm | None:
    """The form at its opening; None: the server offers no game."""
    if not welcome.games:
        return None
    offer = welcome.games[0]
    game = _choice("game", offer.name, tuple(game.name for game in welcome.games))
    limits = welcome.limits
    rest = (
        _number("turn", 0, TURN_STEPS, limits.longest_turn),
        _number("bank", 300, BANK_STEPS, limits.longest_bank),
        _field("passcode", FieldKind.TEXT, "", most=PASSCODE_LENGTH),
        _choice("gallery", "open", ("open", "shut")),
        _choice("admits", str(Admits.ALL), tuple(map(str, Admits))),
    )
    return _arranged((*_of_game(game, offer, ()), *rest), is_whole=False)


def _arranged(fields: Sequence[FormField], *, is_whole: bool) -> OpenForm:
    """The form with the usual lines first, and the others shown or behind a line for more."""
    usual = [field for field in fields if field.name in ("game", "seats", *USUAL)]
    others = [field for field in fields if field not in usual]
    if is_whole:
        return OpenForm(fields=(*usual, *others))
    usually = say("form-as-usual")
    return OpenForm(fields=(*usual, _choice(MORE, usually, (usually,))), hidden=tuple(others))


def _field(name: str, kind: FieldKind, value: str | int, *, most: int = 0) -> FormField:
    label, meaning = say(f"form-{name}"), say(f"form-{name}-means")
    return FormField(name=name, label=label, meaning=meaning, kind=kind, value=value, most=most)


def _choice(name: str, value: str | int, values: tuple[str | int, ...]) -> FormField:
    return replace(_field(name, FieldKind.CHOICE, value), values=values)


def _number(name: str, value: int, steps: tuple[int, ...], most: int) -> FormField:
    return replace(_field(name, FieldKind.NUMBER, value, most=most), values=steps)


def _of_game(game: FormField, offer: GameOffer, before: Iterable[FormField]) -> tuple[FormField, ...]:
    """The lines that depend on the rule set, with earlier choices that are still possible."""
    chosen = {field.name: field.value for field in before}
    meaning = say("form-rule-set", title=offer.title, source=offer.source, summary=offer.summary)
    game = replace(game, value=offer.name, meaning=meaning)
    before_seats = chosen.get("seats")
    value = before_seats if before_seats in offer.seats else offer.seats[0]
    seats = _choice("seats", value, offer.seats)
    return (game, seats, *(_of_option(option) for option in offer.options))


def _of_option(option: OptionOffer) -> FormField:
    is_text = not option.values and (option.longest is not None or isinstance(option.default, str))
    is_number = not option.values and not is_text
    least, most = option.least or 0, LONGEST_S if option.most is None else option.most
    return FormField(
        name=option.name,
        label=option.name.replace("_", " "),
        meaning=say("form-from-to", meaning=option.meaning, least=least, most=most) if is_number else option.meaning,
        kind=FieldKind.NUMBER if is_number else FieldKind.TEXT if is_text else FieldKind.CHOICE,
        value=option.default,
        values=range(least, most + 1) if is_number else option.values,
        least=least,
        most=option.longest or PASSCODE_LENGTH if is_text else most,
        is_option=True,
    )


def _with_field(form: OpenForm, field: FormField, welcome: Welcome) -> OpenForm:
    if field.name == MORE:
        return replace(form, fields=(*form.fields[:-1], *form.hidden), hidden=())
    fields = tuple(field if at == form.at else other for at, other in enumerate(form.fields))
    if field.name != "game" or field.value == form.field.value:
        return replace(form, fields=fields)
    offer = next(game for game in welcome.games if game.name == field.value)
    every = [one for one in (*fields, *form.hidden) if one.name != MORE]
    rest = [one for one in every if not one.is_option and one.name not in ("game", "seats")]
    return replace(_arranged((*_of_game(field, offer, every), *rest), is_whole=not form.hidden), at=form.at)


def move(form: OpenForm, step: int) -> OpenForm:
    at = (form.at + step) % len(form.fields)
    fields = tuple(replace(field, is_fresh=True) for field in form.fields)
    return replace(form, fields=fields, at=at)


def turn(form: OpenForm, step: int, welcome: Welcome) -> OpenForm:
    """The next or previous value of the current line."""
    field = form.field
    value, values = field.value, field.values
    match field.kind:
        case FieldKind.TEXT:
            return form
        case FieldKind.CHOICE:
            value = values[(values.index(value) + step) % len(values)]
        case FieldKind.NUMBER:
            at = bisect_right(values, int(value), key=int) if step > 0 else bisect_left(values, int(value), key=int) - 1
            value = values[at] if 0 <= at < len(values) else value
    return _with_field(form, replace(field, value=value, is_fresh=True), welcome)


def enter(form: OpenForm, text: str, welcome: Welcome) -> OpenForm:
    field, text = form.field, cleaned(text)
    match field.kind:
        case FieldKind.TEXT:
            value: str | int = (str(field.value) + text)[: field.most]
        case FieldKind.NUMBER if text.isdecimal() and text.isascii():
            typed = text if field.is_fresh else f"{field.value}{text}"
            if len(typed) > len(str(field.most)) or int(typed) > field.most:
                return form
            value = int(typed)
        case _:
            return form
    return _with_field(form, replace(field, value=value, is_fresh=False), welcome)


def erase(form: OpenForm, welcome: Welcome, *, everything: bool = False) -> OpenForm:
    """Delete the last character of the current line, or all of them."""
    field = form.field
    match field.kind:
        case FieldKind.TEXT:
            value: str | int = "" if everything else str(field.value)[:-1]
        case FieldKind.NUMBER:
            value = 0 if everything else int(field.value) // 10
        case _:
            return form
    return _with_field(form, replace(field, value=value, is_fresh=False), welcome)


def flaw_of(form: OpenForm) -> str | None:
    for field in (*form.fields, *form.hidden):
        if field.kind is FieldKind.NUMBER and not field.least <= int(field.value) <= field.most:
            return capitalized(say("form-beyond", field=field.label, least=field.least, most=field.most))
    return None


def request_of(form: OpenForm) -> OpenTable:
    return OpenTable(
        NO_ID,
        game=str(form.value("game")),
        seats=int(form.value("seats")),
        options={field.name: field.value for field in (*form.fields, *form.hidden) if field.is_option},
        turn=int(form.value("turn")),
        bank=int(form.value("bank")),
        passcode=str(form.value("passcode")),
        gallery=form.value("gallery") == "open",
        admits=Admits(str(form.value("admits"))),
    )
