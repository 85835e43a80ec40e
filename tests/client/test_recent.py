"""The servers played at, and choosing among them."""

from pathlib import Path

import pytest

from put_client.arguments import Place
from put_client.recent_servers import MOST, choose, recent, remember


def asked(servers: tuple[str, ...], *answers: str) -> tuple[Place, list[str], list[str]]:
    """The server that comes of these answers, the questions, and the complaints."""
    questions: list[str] = []
    complaints: list[str] = []
    rest = iter(answers)

    def ask(question: str) -> str:
        questions.append(question)
        return next(rest)

    return choose(servers, ask, complaints.append), questions, complaints


def test_recent_servers_are_the_latest_first_and_each_once() -> None:
    """Who plays at one of them again finds it on top; the oldest are forgotten."""
    assert recent() == ()
    for server in ("a:1", "b:2", "a:1"):
        remember(server)
    assert recent() == ("a:1", "b:2")
    for number in range(MOST):
        remember(f"c:{number + 1}")
    assert len(recent()) == MOST
    assert "b:2" not in recent()


def test_recent_servers_that_are_no_addresses_are_passed_over(state_home: Path) -> None:
    """A file somebody has edited is read for what makes sense in it."""
    state_home.mkdir(parents=True)
    (state_home / "servers").write_text("a:1\n[::1\nb:0\n\x1b[2J:3\n[::1]:5\n")
    assert recent() == ("a:1", "[::1]:5")


def test_recent_servers_that_cannot_be_kept_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home that cannot be written is no reason not to play."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    remember("a:1")
    assert recent() == ()


def test_choice_is_a_number_an_address_or_the_first() -> None:
    """Enter takes the latest; the server of this machine is always offered; a wrong answer is asked again."""
    servers = ("inn.example:1674", "[::1]:5")
    where, questions, _ = asked(servers, "")
    assert where == Place("inn.example", 1674)
    (question,) = questions
    assert question.splitlines() == [
        "Servers you have played at:",
        "  1  inn.example:1674",
        "  2  [::1]:5",
        "  3  localhost:1674",
        "A number, or an address [1]: ",
    ]
    assert asked(servers, "2")[0] == Place("::1", 5)
    assert asked(servers, "3")[0] == Place("localhost", 1674)
    assert asked(servers, "other:7")[0] == Place("other", 7)
    where, questions, complaints = asked(servers, "4", "0", "x:y", "1")
    assert where == Place("inn.example", 1674)
    assert questions[1:] == ["A number, or an address [1]: "] * 3
    assert complaints == [
        "There is no server 4 in the list.",
        "There is no server 0 in the list.",
        "'y' is no port: ports are numbers from 1 to 65535.",
    ]


@pytest.mark.parametrize("servers", [(), ("localhost:1674",)])
def test_choice_is_not_asked_where_there_is_none(servers: tuple[str, ...]) -> None:
    """Who has only ever played at home goes there."""
    assert asked(servers) == (Place("localhost", 1674), [], [])
