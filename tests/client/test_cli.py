"""`put-client` as a person starts it: addresses, names, and one sentence and one exit code for every failure."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest

from put_client import cli
from put_client.arguments import Options, ServerPlace, UsageError, parse_address, parse_arguments
from put_client.cli import EXIT_CODES
from put_client.sdk.session_store import SavedSession, SessionLock
from put_client.settings import Settings
from put_protocol.games.put import DidPut
from put_protocol.messages import Bye, Goodbye, Hello, Ok, Refused, Sit, TableSnapshot, Watch
from put_protocol.refusals import RefusalCode
from put_protocol.seats import GALLERY, Seat
from put_protocol.text import flaw_of_name
from put_runtime import exit_codes
from tests.client.scripted_server import Peer, Server, events, info, welcome

# --- arguments ---


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("", "localhost", 1674),
        ("example.org", "example.org", 1674),
        ("example.org:80", "example.org", 80),
        (":1674", "localhost", 1674),
        ("127.0.0.1:65535", "127.0.0.1", 65535),
        ("[::1]:1675", "::1", 1675),
        ("[::1]", "::1", 1674),
        ("::1", "::1", 1674),
    ],
)
def test_address_is_read(text: str, host: str, port: int) -> None:
    """A host, a port, both, and IPv6 with or without brackets."""
    assert parse_address(text) == (host, port, "")


@pytest.mark.parametrize(
    "text",
    ["host:", "host:x", "host:0", "host:65536", "host:-1", "host:1e3", "host:\u0661", "[::1", "[]:80", "[::1]80"],
)
def test_address_that_is_none_is_refused(text: str) -> None:
    """A port that is no port, and brackets that do not close."""
    with pytest.raises(UsageError):
        parse_address(text)


@pytest.mark.parametrize("text", ["http://swan:1674", "https://swan:1674/", "swan:1674/table/3"])
def test_address_of_a_page_is_refused_with_the_one_to_write(text: str) -> None:
    """A browser opens the page; the program wants its host and port."""
    with pytest.raises(UsageError, match=r"a browser opens.* host:port, as in swan:1674$"):
        parse_address(text)


def test_practice_is_asked_for_with_a_flag() -> None:
    """Of a game, or of the usual one; and not together with a table."""
    options = parse_arguments(["--drill", "--game", "put-1800", "swan:1674"])
    assert (options.drill, options.game, options.server) == (True, "put-1800", ServerPlace("swan", 1674))
    assert parse_arguments(["--drill"]).game == "put-1674"
    with pytest.raises(SystemExit):
        parse_arguments(["--drill", "--table", "3"])


def test_arguments_have_defaults() -> None:
    """Nothing given is a game somewhere, by somebody."""
    assert parse_arguments([]) == Options()


def test_arguments_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every flag has its place; the password may come from the environment."""
    monkeypatch.setenv("PUT_PASSWORD", "hush")
    given = ["h:5", "--name", "Moll", "--watch", "3", "--passcode", "pc", "--line", "--ascii"]
    assert parse_arguments(given) == Options(
        server=ServerPlace("h", 5),
        password="hush",
        watch=3,
        passcode="pc",
        settings=Settings(name="Moll", line=True, ascii=True),
    )
    assert parse_arguments(["--table", "4", "--password", "pw", "--no-ask-before-deciding"]) == Options(
        password="pw", table=4, settings=Settings(ask_before_deciding=False)
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["host:x"],
        ["--table", "x"],
        ["--table", "0"],
        ["--table", "1", "--watch", "2"],
        ["--dance"],
        ["one", "two"],
    ],
)
def test_arguments_that_are_wrong_end_with_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A mistake is told with the usage, and the exit code says so."""
    with pytest.raises(SystemExit) as caught:
        parse_arguments(arguments)
    assert caught.value.code == os.EX_USAGE
    assert capsys.readouterr().err.startswith("put-client: ")


def test_help_and_version_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    """Both end well, and say what they are asked."""
    for flag in ("--help", "--version"):
        with pytest.raises(SystemExit) as caught:
            parse_arguments([flag])
        assert caught.value.code == 0
    assert "put-client [-h]" in (said := capsys.readouterr().out)
    assert said.splitlines()[-1].startswith("put-client ")


# --- names ---


def asked(*answers: str) -> tuple[str, list[str], list[str]]:
    """The name that comes of these answers, the questions, and the complaints."""
    questions: list[str] = []
    complaints: list[str] = []
    rest = iter(answers)

    def ask(question: str) -> str:
        questions.append(question)
        return next(rest)

    return cli.ask_name(ask, complaints.append), questions, complaints


def test_name_offered_is_the_login_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty answer takes it; any other replaces it."""
    monkeypatch.setattr("getpass.getuser", lambda: "moll")
    assert asked("") == ("moll", ["Your name [moll]: "], [])
    assert asked("  Moll Cutpurse ") == ("Moll Cutpurse", ["Your name [moll]: "], [])


def test_name_is_asked_until_it_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that no server takes is complained of here, and without a login name none is offered."""

    def getuser() -> str:
        raise OSError("no such user")

    monkeypatch.setattr("getpass.getuser", getuser)
    name, questions, complaints = asked("", "x" * 25, "\x1b", "Moll")
    assert name == "Moll"
    assert questions == ["Your name: "] * 4
    assert complaints == [
        "This name is empty.",
        "This name is longer than 24 characters.",
        "This name is empty.",
    ]


# --- the program ---


@dataclass
class Run:
    """A `put-client` in a process of its own."""

    process: asyncio.subprocess.Process

    async def ends(self) -> tuple[int, str, str]:
        """Its exit code, and what it said on either output; its input ends."""
        out, err = await self.process.communicate(b"")
        assert self.process.returncode is not None
        return self.process.returncode, (out or b"").decode(), (err or b"").decode()


async def start(*arguments: str, stdin: int = PIPE, stdout: int = PIPE, stderr: int = PIPE) -> Run:
    # Whoever runs the tests in the background, or under nohup, has them and their children ignore ^C, or SIGHUP.
    heed = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "signal.signal(signal.SIGHUP, signal.SIG_DFL)"
    )
    program = f"{heed}; from put_client.cli import main; main()"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TERM": "dumb", "PYTHONWARNINGS": "error"}
    environment.pop("PUT_PASSWORD", None)
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-c", program, *arguments),
        env=environment,
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
    )
    return Run(process)


async def meet(server: Server, *arguments: str) -> tuple[Run, Peer]:
    """A client that has connected and not yet said hello."""
    run = await start(f"127.0.0.1:{server.port}", "--name", "Moll", *arguments)
    return run, await server.arrival()


def configure(config_home: Path, text: str) -> Path:
    """A file of settings, where programs look for it."""
    config_home.mkdir(parents=True)
    file = config_home / "config.toml"
    file.write_text(text)
    return file


async def test_program_with_a_bad_flag_was_used_wrongly() -> None:
    """The command is wrong, not the configuration."""
    run = await start("127.0.0.1:1", "--language", "xx")
    code, _, said = await run.ends()
    assert code == os.EX_USAGE
    assert said == "put-client: --language: language must be en or fr, not 'xx'.\n"


async def test_program_with_a_bad_setting_says_which(config_home: Path) -> None:
    """One sentence with the file, the setting and what it may be; the exit code is that of a configuration."""
    file = configure(config_home, '[suits]\nhearts = "pink"\n')
    run = await start("127.0.0.1:1", "--name", "Moll")
    code, _, said = await run.ends()
    assert code == os.EX_CONFIG
    assert said.startswith(f"put-client: {file}: suits.hearts must be one of none, black, red, ")
    assert said.endswith(", not 'pink'.\n")
    example = await start("--print-config")
    assert (await example.ends())[0] == os.EX_OK


async def test_program_reads_the_name_from_the_settings(server: Server, config_home: Path) -> None:
    """Who has written it down is not asked; a flag goes before."""
    configure(config_home, 'name = "Moll"\n')
    for flags, name in (((), "Moll"), (("--name", "Nan"), "Nan")):
        run = await start(f"127.0.0.1:{server.port}", *flags)
        peer = await server.arrival()
        assert (await peer.welcome()).name == name
        await run.ends()


def test_name_that_is_taken_is_answered_with_another() -> None:
    """The same with a number behind it, which grows, and which fits a name."""
    assert [cli.another_name(name) for name in ("Moll", "Moll 2", "Moll Cutpurse", "Moll 9")] == [
        "Moll 2",
        "Moll 3",
        "Moll Cutpurse 2",
        "Moll 10",
    ]
    assert flaw_of_name(cli.another_name("x" * 24)) is None
    asked: list[str] = []

    def answered(question: str) -> str:
        asked.append(question)
        return ""

    assert cli.ask_name(answered, print, "Moll 2") == "Moll 2"
    assert asked == ["Your name [Moll 2]: "]


async def test_program_without_a_server_is_unavailable(server: Server) -> None:
    """Nobody listening is one sentence and no traceback."""
    server.shut()
    run = await start(f"127.0.0.1:{server.port}", "--name", "Moll")
    address = f"127.0.0.1:{server.port}"
    assert await run.ends() == (
        os.EX_UNAVAILABLE,
        "",
        f"put-client: No put server at {address}: no server listens there.\n",
    )


@pytest.mark.parametrize(
    ("refusal", "code"),
    [
        (RefusalCode.WRONG_PASSWORD, os.EX_NOPERM),
        (RefusalCode.NAME_TAKEN, os.EX_DATAERR),
        (RefusalCode.VERSION, os.EX_PROTOCOL),
    ],
)
async def test_program_that_is_rejected_says_why(server: Server, refusal: RefusalCode, code: int) -> None:
    """A refused hello has the exit code of its reason."""
    run, peer = await meet(server)
    await peer.hear(Hello)
    peer.say(Goodbye(code="refused", says="because", refusal=refusal))
    hints = {RefusalCode.NAME_TAKEN: " Try --name 'Moll 2'.", RefusalCode.BAD_NAME: " Try --name with another."}
    says = f"put-client: The server does not let you in: because.{hints.get(refusal, '')}\n"
    assert await run.ends() == (code, "", says)


def test_every_other_rejection_has_a_code_of_its_kind() -> None:
    """Waiting helps where the server is full or stopping; the wrong passcode is the wrong password of a table."""
    assert EXIT_CODES[RefusalCode.SERVER_FULL] == EXIT_CODES[RefusalCode.DRAINING] == os.EX_UNAVAILABLE
    assert EXIT_CODES[RefusalCode.WRONG_PASSCODE] == os.EX_NOPERM
    assert RefusalCode.UNKNOWN_TABLE not in EXIT_CODES


async def test_program_at_a_server_of_another_kind_says_so(server: Server) -> None:
    """Garbage is a broken protocol."""
    run, peer = await meet(server)
    await peer.hear(Hello)
    peer.say_bytes(b"\xc1")
    code, _, said = await run.ends()
    assert code == os.EX_PROTOCOL
    assert said.startswith("put-client: The other side does not speak as a put server does: ")


async def test_program_refused_a_table_says_so(server: Server) -> None:
    """A table that cannot be had ends what was started for it."""
    run, peer = await meet(server, "--table", "9")
    await peer.welcome()
    request = await peer.hear(Sit)
    peer.say(Refused(request.id, RefusalCode.UNKNOWN_TABLE, "there is no table 9"))
    code, _, said = await run.ends()
    assert (code, said) == (os.EX_DATAERR, "put-client: There is no table 9.\n")


async def test_program_sent_away_is_unavailable(server: Server) -> None:
    """A goodbye in the middle of it all is said on standard error."""
    run, peer = await meet(server, "--line", "--watch", "7")
    await peer.welcome()
    request = await peer.hear(Watch)
    peer.say(Ok(request.id), Goodbye(code="taken_over", says="you came back elsewhere"))
    code, out, said = await run.ends()
    assert (code, said) == (os.EX_UNAVAILABLE, "put-client: The connection is over: you came back elsewhere.\n")
    assert out == 'You are Moll, at scripted. Say "help" for help.\n'


async def test_program_without_a_terminal_speaks_in_lines(server: Server) -> None:
    """A pipe gets sentences without being asked for them, ASCII if it wants, under the login name if none is given."""
    run = await start(f"127.0.0.1:{server.port}", "--ascii", "--watch", "7")
    peer = await server.arrival()
    hello = await peer.hear(Hello)
    assert hello.name == cli.login_name()
    peer.say(welcome("Zo\u00eb"))
    request = await peer.hear(Watch)
    table = info(names=("Zo\u00eb", "Nan"))
    peer.say(Ok(request.id), TableSnapshot(7, GALLERY, 0, table), events(1, DidPut(Seat(1))))
    assert run.process.stdout is not None
    said = [(await run.process.stdout.readline()).decode() for _ in range(5)]
    assert said[0] == 'You are Zo?, at scripted. Say "help" for help.\n'
    assert said[4] == "Nan puts: Zo? must see it or throw in.\n"
    run.process.send_signal(signal.SIGINT)
    code, _, err = await run.ends()
    assert (code, err) == (exit_codes.INTERRUPTED, "")


async def test_program_interrupted_says_bye(server: Server) -> None:
    """^C leaves in good order."""
    run, peer = await meet(server, "--line")
    await peer.welcome()
    assert run.process.stdout is not None
    await run.process.stdout.readline()
    run.process.send_signal(signal.SIGINT)
    await peer.hear(Bye)
    code, _, said = await run.ends()
    assert (code, said) == (exit_codes.INTERRUPTED, "")


def kept(state_home: Path) -> list[SavedSession]:
    """Session tokens that are kept."""
    return [msgspec.json.decode(path.read_bytes(), type=SavedSession) for path in state_home.glob("*.json")]


async def is_welcome(run: Run) -> None:
    """The client has said who it is, and so has left its token before."""
    assert run.process.stdout is not None
    assert (await run.process.stdout.readline()).startswith(b"You are Moll")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
async def test_program_that_is_killed_leaves_its_token_to_the_next(
    server: Server, state_home: Path, number: signal.Signals
) -> None:
    """However it is ended from outside it says no goodbye, and the same command, with the name or without, is back."""
    run, peer = await meet(server)
    await peer.welcome()
    await is_welcome(run)
    run.process.send_signal(number)
    await peer.hear_end()
    await run.ends()
    (session,) = kept(state_home)
    assert session == SavedSession(f"127.0.0.1:{server.port}", "Moll", "t1", 1)
    for arguments in ((), ("--name", "moll")):
        again = await start(f"127.0.0.1:{server.port}", *arguments)
        peer = await server.arrival()
        assert (await peer.welcome()).token == "t1"
        await is_welcome(again)
        again.process.kill()
        await again.ends()


async def test_program_that_says_goodbye_leaves_nothing(server: Server, state_home: Path) -> None:
    """There is nothing to come back to."""
    run, peer = await meet(server)
    await peer.welcome()
    code, _, _ = await run.ends()  # by the end of its input
    assert code == os.EX_OK
    assert kept(state_home) == []


async def test_program_that_is_kicked_leaves_nothing(server: Server, state_home: Path) -> None:
    """Their token has ended, and the next client says hello."""
    run, peer = await meet(server)
    await peer.welcome()
    await is_welcome(run)
    peer.say(Goodbye(code="kicked", says="enough"))
    await run.process.wait()  # lest the end of its input ends it first
    code, _, said = await run.ends()
    assert (code, said) == (os.EX_NOPERM, "put-client: The connection is over: enough.\n")
    assert kept(state_home) == []


async def test_program_whose_token_has_ended_says_hello_with_the_name(server: Server, state_home: Path) -> None:
    """Nobody is bothered with a token that is no good any more."""
    session_lock = SessionLock.take(f"127.0.0.1:{server.port}", "Moll")
    assert session_lock is not None
    session_lock.leave("stale", 1)
    session_lock.let_go()
    run = await start(f"127.0.0.1:{server.port}")
    stale = await server.arrival()
    assert (await stale.hear(Hello)).token == "stale"
    stale.say(Goodbye(code="refused", says="this token has ended", refusal=RefusalCode.BAD_TOKEN))
    fresh = await server.arrival()
    hello = await fresh.welcome()
    assert (hello.name, hello.token) == ("Moll", "")
    await is_welcome(run)
    assert [saved_session.token for saved_session in kept(state_home)] == ["t1"]
    run.process.kill()
    await run.ends()


async def test_programs_of_one_user_do_not_take_each_others_seat(server: Server) -> None:
    """While one runs, another is somebody new."""
    run, peer = await meet(server)
    await peer.welcome()
    await is_welcome(run)
    other, arrived = await meet(server)
    hello = await arrived.hear(Hello)
    assert (hello.name, hello.token) == ("Moll", "")
    arrived.say(Goodbye(code="refused", says="Moll is taken", refusal=RefusalCode.NAME_TAKEN))
    assert (await other.ends())[0] == os.EX_DATAERR
    run.process.kill()
    await run.ends()


async def test_program_that_cannot_keep_a_token_plays_all_the_same(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A home that cannot be written is no reason not to play."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    run, peer = await meet(server)
    await peer.welcome()
    await is_welcome(run)
    assert (await run.ends())[::2] == (os.EX_OK, "")


@pytest.mark.skipif(sys.platform == "win32", reason="names of files are Unicode there")
async def test_file_whose_name_is_no_text_is_named_all_the_same(tmp_path: Path) -> None:
    """In the bytes that it has."""
    name = os.fsdecode(bytes(tmp_path) + b"/\xff\xe9.put")
    run = await start("--replay", name)
    code, _, said = await run.ends()
    assert code == exit_codes.NOINPUT
    assert "/\\xff\\xe9.put: no such file" in said


async def test_program_whose_reader_has_gone_ends_quietly(server: Server) -> None:
    """`put-client | head -1` is no error to complain of."""
    reading, writing = os.pipe()
    run = await start(f"127.0.0.1:{server.port}", "--name", "Moll", stdout=writing)
    os.close(writing)
    os.close(reading)
    peer = await server.arrival()
    await peer.welcome()
    code, _, said = await run.ends()
    assert (code, said) == (exit_codes.PIPE_BROKEN, "")


def everything(keyboard: int) -> str:
    """All that a terminal nobody holds any more has shown."""
    seen = b""
    with suppress(OSError):  # it reads as an error when it has been read to its end
        while more := os.read(keyboard, 4096):
            seen += more
    os.close(keyboard)
    return seen.decode()


async def test_program_at_a_terminal_asks_for_a_name_until_it_is_free(server: Server) -> None:
    """A name that is taken is told, and another asked for."""
    keyboard, terminal = os.openpty()
    run = await start(f"127.0.0.1:{server.port}", stdin=terminal, stderr=terminal)
    os.close(terminal)
    os.write(keyboard, b"Moll\nNan\n")
    taken = await server.arrival()
    assert (await taken.hear(Hello)).name == "Moll"
    taken.say(Goodbye(code="refused", says="Moll is taken", refusal=RefusalCode.NAME_TAKEN))
    free = await server.arrival()
    assert (await free.welcome()).name == "Nan"
    assert run.process.stdout is not None
    assert await run.process.stdout.readline() == b'You are Nan, at scripted. Say "help" for help.\n'
    os.write(keyboard, b"quit\n")
    await free.hear(Bye)
    assert await run.process.wait() == os.EX_OK
    seen = everything(keyboard)
    assert seen.count("Your name [") == 2
    assert "Moll is taken." in seen


async def test_program_interrupted_at_the_question_ends(server: Server) -> None:
    """The end of input at the name is the end of the program."""
    keyboard, terminal = os.openpty()
    run = await start(f"127.0.0.1:{server.port}", stdin=terminal, stderr=terminal)
    os.close(terminal)
    os.write(keyboard, b"\x04")
    assert await run.process.wait() == exit_codes.INTERRUPTED
    os.close(keyboard)


async def test_program_remembers_where_it_was_and_offers_it(server: Server) -> None:
    """Without an address, a person at a terminal chooses among the servers they have played at."""
    run, peer = await meet(server)
    await peer.welcome()
    await run.ends()
    keyboard, terminal = os.openpty()
    again = await start("--no-search", "--name", "Moll", stdin=terminal, stderr=terminal)
    os.close(terminal)
    os.write(keyboard, b"7\n1\n")
    peer = await server.arrival()
    await peer.welcome()
    os.write(keyboard, b"quit\n")
    assert await again.process.wait() == os.EX_OK
    seen = everything(keyboard)
    assert f"   1  127.0.0.1:{server.port}\r\n   2  localhost:1674\r\n" in seen
    assert "There is no server 7 in the list." in seen


def test_passcode_comes_from_the_environment_and_the_flag_goes_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that no list of processes shows it; and no repr does."""
    monkeypatch.setenv("PUT_PASSCODE", "sesame")
    assert parse_arguments(["--table", "1"]).passcode == "sesame"
    assert parse_arguments(["--table", "1", "--passcode", "other"]).passcode == "other"
    assert "sesame" not in repr(parse_arguments(["--table", "1"]))
