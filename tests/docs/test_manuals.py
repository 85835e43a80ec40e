"""Manual pages and completions say what the programs take, and are those that `scripts/docs` would write."""

import shutil
import subprocess
import tomllib
from functools import cache

import pytest

from scripts.docs import whole_files
from scripts.manuals import MANUALS, ROOT, SHELLS, Manual, arguments_of, commands_of, completion, manual_page

ALL = {manual.name: manual for manual in MANUALS}


@cache
def completions() -> dict[str, dict[str, str]]:
    """What each shell completes, by the program; it takes a while to make."""
    return {name: {shell: completion(manual.parser, shell) for shell in SHELLS} for name, manual in ALL.items()}


def test_files_made_from_the_parsers_are_fresh() -> None:
    """What `scripts/docs` would write is there already."""
    stale = [file.name for file, text in whole_files().items() if file.read_text("utf-8") != text]
    assert not stale, "run scripts/docs"


def _roff(name: str) -> str:
    return name.replace("-", r"\-")


@pytest.mark.parametrize("manual", ALL.values(), ids=ALL)
def test_everything_the_program_takes_is_everywhere(manual: Manual) -> None:
    """Each option and subcommand, in the manual and in what every shell completes."""
    made, page = completions()[manual.name], manual_page(manual)
    for parser in (manual.parser, *commands_of(manual.parser)):
        for name in (name for argument in arguments_of(parser) for name in argument.option_strings):
            assert rf"\fB{_roff(name)}\fR" in page
            assert name in made["bash"]
            assert name in made["zsh"]
            assert f"-l {name[2:]}" in made["fish"] or f"-s {name[1:]}" in made["fish"]
    for command in commands_of(manual.parser):
        name = command.prog.split()[-1]
        assert f".SS {_roff(name)}" in page
        assert all(name in completed for completed in made.values())


@pytest.mark.parametrize("manual", ALL.values(), ids=ALL)
@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_manual_is_typeset_without_a_warning(manual: Manual) -> None:
    """As man would do it."""
    typeset = subprocess.run(
        ["groff", "-man", "-Tascii", "-ww"], input=manual_page(manual).encode("ascii"), capture_output=True, check=True
    )
    assert typeset.stderr == b""
    assert manual.name.upper().encode() in typeset.stdout


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (("put-server", "ki"), {"kick"}),
        (("put-server", "kick", "--b"), {"--because"}),
        (("put-server", "--log-format", ""), {"text", "json"}),
        (("put-server", "games", "--j"), {"--json"}),
        (("put-server", "--name", "x"), set()),
        (("put-client", "--re"), {"--record", "--replay"}),
        (("put-client", "--no-a"), {"--no-ascii", "--no-ask-before-deciding"}),
    ],
)
def test_bash_completes(typed: tuple[str, ...], offered: set[str]) -> None:
    """Commands, their own flags, and the values of a flag that has a few."""
    script = f"""{completions()[typed[0]]["bash"]}
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
        _shtab_{typed[0].replace("-", "_")}
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    run = subprocess.run(["bash", "-c", script, "bash", *typed], capture_output=True, text=True, check=True)
    assert set(run.stdout.split()) == offered
    assert run.stderr == ""


def test_every_program_has_its_manual_and_completions_in_the_wheel() -> None:
    """Whatever is installed to be run, and wherever its files lie here."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert set(ALL) == set(project["project"]["scripts"])
    shared = project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    made = {str(file.relative_to(ROOT)) for file in whole_files()}
    pages = {file for file in made if file.startswith("docs/") and not file.startswith("docs/man/")}
    assert pages == set(shared) - {"docs/man"}
