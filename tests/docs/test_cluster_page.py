"""The page about clusters: whatever it tells an operator to copy is what the programs take."""

import re
import shlex
import subprocess
import tomllib
from configparser import ConfigParser
from pathlib import Path

import pytest

from put_server.cli import parser
from put_server.settings import settle
from scripts.docs import FOLDER
from tests.cluster.nats_server import PROGRAM, needs_nats
from tests.cluster.test_broker import certificates

FILES = FOLDER / "cluster"
PAGE = (FOLDER / "cluster.md").read_text("utf-8")


OWN = ("command", "config", "file", "to", "replace", "action", "shard")
"""Arguments of subcommands that are no settings."""


def takes(arguments: list[str]) -> bool:
    """The program has these flags, and their values will do; if not, it exits or raises, as at the command line."""
    given = vars(parser().parse_args(arguments))
    flags = {name: value for name, value in given.items() if name not in OWN}
    settle({name: value for name, value in flags.items() if name != "json"}, {}, None)
    return True


def test_cluster_page_names_every_file() -> None:
    """None lies there unmentioned, and none is missing."""
    named = set(re.findall(r"\(cluster/([^)]+)\)", PAGE))
    assert named == {file.name for file in FILES.iterdir()}


@pytest.mark.parametrize("line", re.findall(r"^    (?:\$ )?(put-server [^\n]*)", PAGE, re.MULTILINE))
def test_cluster_page_shows_commands_that_work(line: str) -> None:
    """Each as it stands there."""
    assert takes(shlex.split(re.sub(r"\$\([^)]*\)", "today", line))[1:])


@pytest.mark.parametrize("name", ["put-gateway.service", "put-worker@.service"])
def test_cluster_units_start_what_there_is(name: str) -> None:
    """systemd can read them, and the program takes their command lines."""
    unit = ConfigParser(interpolation=None, strict=False)  # for systemd, too, a key may come twice
    unit.optionxform = str  # type: ignore[assignment,method-assign]  # as the manual of ConfigParser says
    unit.read_string((FILES / name).read_text("utf-8"))
    assert set(unit.sections()) == {"Unit", "Service", "Install"}
    program, *arguments = shlex.split(unit["Service"]["ExecStart"].replace("%i", "1"))
    assert Path(program).name == "put-server"
    assert takes(arguments)


def test_cluster_settings_are_settings() -> None:
    text = (FILES / "put.toml").read_text("utf-8")
    assert settle({}, {}, FILES / "put.toml").nats == tomllib.loads(text)["nats"]


def test_cluster_compose_starts_what_there_is() -> None:
    """Its commands and variables are the program's."""
    text = (FILES / "compose.yaml").read_text("utf-8")
    for role in re.findall(r"command: \[--role, (\w+)\]", text):
        assert takes(["--role", role])
    variables = dict(re.findall(r'^    (PUT_SERVER_\w+): "?([^"\n]*)"?$', text, re.MULTILINE))
    assert settle({}, variables, None).cluster == variables["PUT_SERVER_CLUSTER"]


@needs_nats
def test_cluster_configuration_of_nats_is_valid(tmp_path: Path) -> None:
    """nats-server reads it, with certificates in place; an old one without the setting that it does not know."""
    ca, certificate, key = certificates(tmp_path)
    text = (FILES / "nats.conf").read_text("utf-8")
    for named, there in (("/etc/nats/one.pem", certificate), ("/etc/nats/one-key.pem", key), ("/etc/nats/ca.pem", ca)):
        assert named in text
        text = text.replace(named, there)
    assert PROGRAM is not None
    version = subprocess.run([PROGRAM, "--version"], check=True, capture_output=True, text=True, timeout=30).stdout
    assert "  sync_interval: always\n" in text
    if " v2.9." in version:
        text = text.replace("  sync_interval: always\n", "")
    (tmp_path / "nats.conf").write_text(text)
    subprocess.run([PROGRAM, "-t", "-c", tmp_path / "nats.conf"], check=True, capture_output=True, timeout=30)
