"""`put-client`: chooses a server, a name and a way to play; each failure is a sentence and an exit code of sysexits."""

import asyncio
import getpass
import io
import os
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from put_client import recent_servers, settings
from put_client.arguments import Options, ServerPlace, language_flag, parse_arguments
from put_client.places import shown
from put_client.sdk import errors
from put_client.sdk.client import Client, connect
from put_client.sdk.dialler import Dialler
from put_client.sdk.errors import address
from put_client.sdk.session_store import SessionLock, last_left
from put_protocol import DEFAULT_PORT
from put_protocol.refusals import RefusalCode
from put_protocol.text import NAME_LENGTH, clause, flaw_of_name, printable
from put_runtime import exit_codes
from put_runtime.command_line import discard_stdout
from put_runtime.settings import FlagError, SettingsError
from put_runtime.system_errors import failure_of, reason_of
from put_text.catalogue import LANGUAGE, say

if TYPE_CHECKING:
    from put_client.record.store import LocalRecord
    from put_client.record.trainer import Positions
    from put_client.settings import Settings
    from put_client.teaching import Teacher

EXIT_CODES: Mapping[str, int] = {
    RefusalCode.WRONG_PASSWORD: exit_codes.NOPERM,
    RefusalCode.WRONG_PASSCODE: exit_codes.NOPERM,
    RefusalCode.VERSION: exit_codes.PROTOCOL,
    RefusalCode.BAD_REQUEST: exit_codes.PROTOCOL,
    "protocol": exit_codes.PROTOCOL,
    "kicked": exit_codes.NOPERM,
    RefusalCode.SERVER_FULL: exit_codes.UNAVAILABLE,
    RefusalCode.DRAINING: exit_codes.UNAVAILABLE,
    RefusalCode.TOO_FAST: exit_codes.TEMPFAIL,
    "idle": exit_codes.UNAVAILABLE,
}
"""Exit codes of refusals and goodbyes; any other refusal is EX_DATAERR: a bad name, or a bad table."""


def is_drawn(settings: "Settings") -> bool:
    has_screen = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") not in ("", "dumb")
    return has_screen and not settings.line


def login_name() -> str:
    try:
        name = getpass.getuser().strip()[:NAME_LENGTH]
    except (OSError, KeyError, ImportError):  # which one depends on the system and the version of Python
        return ""
    return "" if flaw_of_name(name) else name


def another_name(taken: str) -> str:
    words = taken.rsplit(" ", 1)
    number = int(words[1]) + 1 if len(words) > 1 and words[1].isascii() and words[1].isdecimal() else 2
    return f"{(words[0] if number > 2 else taken)[: NAME_LENGTH - 4].strip()} {number}"


def ask_name(ask: Callable[[str], str], complain: Callable[[str], None], offer: str = "") -> str:
    """Ask a person at a terminal for a valid name. An empty answer means `offer`, the last name, or the login name.

    :raises EOFError: the person ended the input.
    """
    offer = offer or recent_servers.last_name() or login_name()
    question = f"{say('client-your-name-or', offer=offer) if offer else say('client-your-name')} "
    while True:
        name = printable(ask(question)).strip() or offer
        flaw = flaw_of_name(name)
        if flaw is None:
            return name
        complain(say("client-name-flawed", flaw=say("refused-flaw", flaw=flaw, most=NAME_LENGTH)))


async def play(options: Options, server: ServerPlace, name: str, session_lock: SessionLock | None = None) -> int:
    """Connect and play, resuming the session of the lock, if any. Returns the exit code."""
    lock = session_lock or SessionLock()
    client = await connect(
        server.host,
        server.port,
        fingerprint=server.fingerprint,
        security=options.security,
        name=name,
        password=options.password,
        token=lock.token,
        incarnation=lock.incarnation,
        note_incarnation=lambda incarnation: lock.note_incarnation(incarnation),  # noqa: PLW0108  # of a later lock, too
        keys=lock.keys,
    )
    if client.dialler.notice:
        _complain(client.dialler.notice)
    recent_servers.remember(errors.address(server.host, server.port), client.name)
    if options.drill:
        return await _drill(client, options)
    if session_lock is None:
        lock = SessionLock.take(errors.address(server.host, server.port), client.name) or lock
    lock.leave(client.token, client.incarnation, client.keys)
    from put_client.record.game_recorder import keeping, opened  # noqa: PLC0415  # who practises does not wait for it
    from put_client.teaching import teacher_for  # noqa: PLC0415  # as above

    record, flaw = opened() if options.settings.keep_record else (None, "")
    if flaw:
        _complain(flaw)
    try:
        async with client, keeping(client, record) as flaws:
            notice = " ".join(filter(None, (client.dialler.notice, flaw)))
            flags = ("--line",) if options.settings.line else ()
            back = partial(way_back, client, is_stored=bool(lock.token), flags=flags)
            teacher = teacher_for(record, teaches=options.settings.teach)
            status = await play_at_table(client, options, record, teacher, notice=notice, back=back)
        for flaw in flaws:
            _complain(flaw)
        return status
    finally:
        (lock.let_go if client.token else lock.clear)()


async def _drill(client: Client, options: Options) -> int:
    from put_client.record.trainer import ServerPositions  # noqa: PLC0415  # who plays does not wait for it

    async with client:
        return await practise(options.settings, options.game, ServerPositions(client))


async def play_at_table(
    client: Client,
    options: Options,
    record: "LocalRecord | None",
    teacher: "Teacher | None",
    *,
    notice: str,
    back: Callable[[], str | None] = lambda: None,
) -> int:
    """Play according to the options, full screen or in lines. `back`: command to come back to a seat; None: seats are
    not kept."""
    try:
        first, retold, settings = options.first, None, options.settings
        if is_drawn(settings):
            from put_client.tui.app import run  # noqa: PLC0415  # lines do not wait for what draws

            status = await run(
                client, first, settings=settings, back=back() or "", notice=notice, teacher=teacher, record=record
            )
            if isinstance(status, int):
                return status
            first, retold = None, status
        from put_client.line import line_mode  # noqa: PLC0415  # nor a screen for what speaks

        by_ear = _by_ear(settings, record)
        return await line_mode.run(client, first, back=back(), settings=by_ear, teacher=teacher, retold=retold)
    except errors.ClientError:
        raise
    except Exception:  # a terminal that is gone, or a bug of ours: no reason to give up a game
        await client.close(keep=True)
        raise


def _by_ear(settings: "Settings", record: "LocalRecord | None") -> "Settings":
    """Settings of line mode: terse for a person whose record has enough games."""
    from put_client.record.store import RecordError  # noqa: PLC0415  # a screen does not wait for it
    from put_text.plain.text_state import LEARNED_GAMES  # noqa: PLC0415  # as above

    with suppress(RecordError):
        has_learned = record is not None and sys.stdin.isatty() and len(record.games(LEARNED_GAMES)) == LEARNED_GAMES
        return replace(settings, brief=settings.brief or has_learned)
    return settings


def play_as_named(options: Options) -> int:
    """Resume the last session at this server, if any. Otherwise play under the given name, or ask for a name until the
    server accepts it. Returns the exit code.

    Questions are asked outside the event loop, so that ^C ends the program.
    """
    is_interactive = sys.stdin.isatty() and sys.stderr.isatty()
    if options.server is not None or not is_interactive:
        return _play_at(
            options, options.server or ServerPlace("localhost", DEFAULT_PORT), is_interactive=is_interactive
        )
    from put_client.choosing import choose_server  # noqa: PLC0415  # most name a server

    while True:
        server = choose_server(_ask, _complain, searches=options.settings.search)
        try:
            return _play_at(options, server, is_interactive=True)
        except errors.NoServer as error:  # it has gone meanwhile, or never was there
            if server.host == "localhost":
                raise
            _complain(str(error))


def _play_at(options: Options, server: ServerPlace, *, is_interactive: bool) -> int:
    name = options.settings.name
    session_lock = (
        last_left(errors.address(server.host, server.port), name) if not options.drill else None
    )  # who practises is at no table
    if session_lock is not None:
        try:
            return asyncio.run(play(options, server, session_lock.name, session_lock))
        except errors.Rejected as error:
            if error.code != RefusalCode.BAD_TOKEN:
                raise
            session_lock.clear()
            name = session_lock.name
    if not is_interactive:
        name = name or login_name()
    while True:
        if not name and is_interactive:
            name = ask_name(_ask, _complain)
        try:
            return asyncio.run(play(options, server, name))
        except errors.Rejected as error:
            if error.code not in (RefusalCode.NAME_TAKEN, RefusalCode.BAD_NAME):
                raise
            other = another_name(name) if error.code == RefusalCode.NAME_TAKEN else ""
            if not is_interactive:
                hint = say("client-try-name", name=shlex.quote(other)) if other else say("client-try-another")
                raise errors.Rejected(error.code, f"{clause(error.says)}. {hint}") from None
            _complain(str(error))
            name = ask_name(_ask, _complain, other)


def _ask(question: str) -> str:
    print(question, end="", file=sys.stderr, flush=True)  # standard output may be a file
    return input()


def show(path: Path, options: Options) -> int:
    from put_client import sheet_replay  # noqa: PLC0415  # who plays does not wait for what reads a file
    from put_client.line import line_mode  # noqa: PLC0415  # as above
    from put_text.notation import NotationError  # noqa: PLC0415  # as above

    try:
        sheet = sheet_replay.load(path)
    except NotationError as error:
        _complain(f"{shown(path)}: {error}.")
        return exit_codes.DATAERR
    except OSError as error:
        _complain(f"{shown(path)}: {reason_of(error)}.")
        return exit_codes.NOINPUT
    if not is_drawn(options.settings):
        sheet_replay.speak(sheet, line_mode.speak, input if sys.stdin.isatty() else None)
        return exit_codes.OK
    from put_client.tui.replay_screen import run  # noqa: PLC0415  # lines are spoken without loading what draws

    return asyncio.run(run(sheet, settings=options.settings))


async def practise(settings: "Settings", game: str, positions: "Positions | None" = None) -> int:
    """Practise, full screen or in lines; without a server if `positions` is None. Returns the exit code."""
    from put_client.record.game_recorder import own_record  # noqa: PLC0415  # who plays does not wait for it
    from put_client.record.store import RecordError, wall_ms  # noqa: PLC0415  # as above

    record = own_record()
    try:
        record.check()
        if not is_drawn(settings):
            from put_client.line import drill  # noqa: PLC0415  # as above
            from put_client.record.trainer import Trainer  # noqa: PLC0415  # as above

            return await drill.run(Trainer(record, game, wall_ms, positions), game=game)
    except RecordError as error:
        _complain(str(error))
        return exit_codes.DATAERR
    from put_client.tui import screens  # noqa: PLC0415  # as above
    from put_client.tui.terminal import run_alone  # noqa: PLC0415  # as above

    return await run_alone(lambda host: screens.own_screen(host, screens.DRILL, record, game, positions), settings)


def tell_record(options: Options) -> int:
    from put_client.record import summary  # noqa: PLC0415  # who plays does not wait for what counts
    from put_client.record.game_recorder import own_record, own_zone  # noqa: PLC0415  # as above
    from put_client.record.store import RecordError, wall_ms  # noqa: PLC0415  # as above
    from put_client.record.summary import summarize  # noqa: PLC0415  # as above

    record = own_record()
    try:
        if options.export is None and is_drawn(options.settings):
            from put_client.tui import screens  # noqa: PLC0415  # sentences do not wait for what draws
            from put_client.tui.terminal import run_alone  # noqa: PLC0415  # as above

            record.check()
            alone = run_alone(lambda host: screens.own_screen(host, screens.RECORD, record), options.settings)
            return asyncio.run(alone)
        if options.export is not None:
            count = summary.export(record, options.export)
            print(say("client-exported", count=count, path=shown(options.export)), flush=True)
            return exit_codes.OK
        games = record.games()
        zone = own_zone()
        for sentence in summary.in_sentences(summarize(games, record.answers(), wall_ms(), zone), games, zone):
            print(sentence, flush=True)
    except RecordError as error:
        _complain(str(error))
        return exit_codes.DATAERR
    return exit_codes.OK


def exit_code(error: errors.ClientError) -> int:
    match error:
        case errors.NoServer() | errors.Unanswered():
            return exit_codes.UNAVAILABLE
        case errors.CannotTrust():
            return exit_codes.NOPERM
        case errors.BadServer():
            return exit_codes.PROTOCOL
        case errors.Cheated():
            return exit_codes.DATAERR
        case errors.Disconnected(code=code):
            return EXIT_CODES.get(code, exit_codes.UNAVAILABLE)
        case errors.Rejected(code=code) | errors.Refusal(code=code):
            return EXIT_CODES.get(code, exit_codes.DATAERR)
        case _:
            return exit_codes.SOFTWARE


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    asked = language_flag(arguments)
    LANGUAGE.set(settings.spoken(asked, os.environ))  # for the help, and for mistakes
    try:
        options = parse_arguments(arguments)
    except SettingsError as error:
        _complain(f"{error}.")
        sys.exit(exit_codes.USAGE if isinstance(error, FlagError) else exit_codes.CONFIG)
    LANGUAGE.set(settings.spoken(options.settings.language or asked, os.environ))
    for stream in (sys.stdout, sys.stderr):  # a name that cannot be written here must not end a game
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace", encoding="ascii" if options.settings.ascii else None)
    try:
        code = _run(options)
    except errors.ClientError as error:
        _complain(str(error))
        if isinstance(error, errors.NoServer) and options.server is None:
            from put_client.choosing import what_else  # noqa: PLC0415  # most find their server

            _complain(what_else(searches=options.settings.search))
        code = exit_code(error)
    except (KeyboardInterrupt, EOFError):
        code = exit_codes.INTERRUPTED
    except BrokenPipeError:
        discard_stdout()
        code = exit_codes.PIPE_BROKEN
    except OSError as error:  # our own input or output
        _complain(f"{failure_of(error)}.")
        code = exit_codes.IOERR
    sys.exit(code)


def _run(options: Options) -> int:
    if options.shows_config:
        print(settings.example(), end="", flush=True)
        return exit_codes.OK
    if options.drill and options.server is None:
        return asyncio.run(practise(options.settings, options.game))
    if options.page:
        from put_client.own_page import serve_page  # noqa: PLC0415  # most play without it

        place = options.server or ServerPlace("localhost", DEFAULT_PORT)
        dialler = Dialler(place.host, place.port, fingerprint=place.fingerprint, security=options.security)
        asyncio.run(serve_page(dialler))
        return exit_codes.OK
    if options.record or options.export is not None:
        return tell_record(options)
    return play_as_named(options) if options.replay is None else show(options.replay, options)


def _complain(says: str) -> None:
    print(f"put-client: {says}", file=sys.stderr, flush=True)


def way_back(client: Client, *, is_stored: bool, flags: tuple[str, ...] = ()) -> str:
    """Command to come back. `is_stored`: their token is on this computer, where `put-client` finds it; otherwise the
    command includes it, for plain text connections. `flags`: flags of this program."""
    if not is_stored:
        return say("client-way-back", place=f"nc {client.host} {client.port}", token=client.token)
    here = client.host in ("localhost", "127.0.0.1", "::1") and client.port == DEFAULT_PORT
    place = () if here and client.host == "localhost" else (address(client.host, client.port),)
    return shlex.join(("put-client", *flags, *place))
