"""The operator's settings: what they are, their bounds and their defaults."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from put_protocol import DEFAULT_PORT
from put_runtime.folders import folders
from put_runtime.settings import SettingsError, SettingsReader, must_be
from put_server.journal.retention import Retention
from put_server.lobby.policy import EDITION, Policy
from put_server.table.publisher import NEWS_MS
from put_server.transport.encryption import KEY_FILE
from put_server.transport.origins import parse_networks


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything set."""

    host: str = "*"
    port: int = DEFAULT_PORT
    name: str = "The Put Table"
    data: str = ""
    password: str = field(default="", repr=False)
    seed: int | None = None
    drain_seconds: int = 20
    back_seconds: int = 0
    admin: str = ""
    admin_by: str = "auto"
    tls: str = "on"
    certificate: str = ""
    key: str = ""
    plain: str = "private"
    exempt: str = ""
    announce: str = "yes"
    proxies: str = ""
    web: str = "yes"
    allowed_host: str = ""
    metrics_from: str = "127.0.0.1 ::1"
    log_level: str = "info"
    log_format: str = "text"
    at_eof: str = "stay"
    most_people: int = 2_500
    most_tables: int = 1_000
    most_people_per_address: int = 32
    most_tables_per_address: int = 96
    name_days: int = 7
    most_names: int = 5_000
    longest_turn: int = 86_400
    longest_bank: int = 86_400
    patience: int = 900
    first_move: int = 120
    news_ms: int = NEWS_MS
    history_days: int = 0
    history_megabytes: int = 1_024
    keep_exhibitions: str = "no"
    nats: str = ""
    cluster: str = "put"
    role: str = "both"
    shards: int = 0
    replicas: int = 0
    metrics_port: int = 0
    nats_creds: str = ""
    nats_ca: str = ""
    nats_certificate: str = ""
    nats_key: str = ""

    @property
    def retention(self) -> Retention:
        """What the journal keeps of finished games."""
        return Retention(self.history_days, self.history_megabytes, exhibitions=self.keep_exhibitions == "yes")

    @property
    def policy(self) -> Policy:
        """What the lobby allows."""
        return Policy(
            people=self.most_people,
            tables=self.most_tables,
            people_per_origin=self.most_people_per_address,
            tables_per_origin=self.most_tables_per_address,
            longest_turn=self.longest_turn,
            longest_bank=self.longest_bank,
            patience=self.patience,
            name_seconds=self.name_days * 86_400,
            names=self.most_names,
            first_move=self.first_move,
            edition=EDITION,
        )

    @property
    def journal(self) -> Path | None:
        """The journal's file; None: nothing is kept."""
        if self.data == ":memory:":
            return None
        folder = Path(self.data).expanduser() if self.data else default_data()
        return folder / "put.sqlite3"

    @property
    def own_key(self) -> Path | None:
        """The file of the server's own key; None: the key is of this run alone."""
        return None if self.journal is None else self.journal.with_name(KEY_FILE)

    @property
    def bans(self) -> Path | None:
        """The file of banned addresses; None: bans end with the server."""
        return None if self.journal is None else self.journal.with_name("bans")

    @property
    def door(self) -> Path | None:
        """The admin socket; None: there is none."""
        if self.admin:
            return Path(self.admin).expanduser()
        return None if self.journal is None else self.journal.with_name("admin.sock")


HELP: Mapping[str, str] = {
    "host": "address to listen on; * for every interface",
    "port": "port to listen on; 0 for any that is free",
    "name": "what the server calls itself",
    "data": "directory that keeps the tables; :memory: to keep nothing",
    "password": "asked of everyone who connects; better set by environment or file, for flags can be read by others",
    "seed": "repeat packs and house players exactly from this number; every table is marked as an exhibition; - reads "
    "it from the first line of standard input, where no other program can see it",
    "drain_seconds": "how long games in play may go on once the server is told to stop",
    "back_seconds": "how long it will be away once it stopped, as everyone is then told; 0: nobody knows",
    "admin": "socket for the operator's commands; needed where nothing is kept",
    "admin_by": "what that socket is: unix, of the file system; tcp, a port of this machine alone, with a key in the "
    "file that --admin names; auto: unix where the system has it",
    "tls": "encrypt the connections that ask for it: on or off",
    "certificate": "PEM file with a certificate for this host's name and its chain, as of ACME; without one the server "
    "makes a key of its own",
    "key": "PEM file with the key of that certificate; without one it is in the same file",
    "plain": "who may connect without encryption: private (this machine and local networks), all or none",
    "exempt": "addresses and prefixes without quotas, as 10.0.0.0/8 2001:db8::/32",
    "announce": "tell the local network that there is a server, by mDNS: yes or no (--no-announce)",
    "proxies": "addresses and prefixes of proxies, which must send a PROXY header; clients are then those it names",
    "web": "let people play with a browser, on the same port: yes or no (--no-web)",
    "allowed_host": "names by which browsers may ask for the server, besides its own and those of its certificate, as "
    "put.example.org *.example.net",
    "metrics_from": "addresses and prefixes that may read /metrics and /healthz over HTTP; empty: nobody",
    "log_level": "what to log: debug, info, warning or error",
    "log_format": "how to log: text, or json with an object a line",
    "at_eof": "when standard input ends: stay, or stop, as a server that another program starts and may not outlive it",
    "most_people": "how many people it holds, those included who are away",
    "most_tables": "how many tables it holds",
    "most_people_per_address": "how many people from one address it holds; 0 for no quota",
    "most_tables_per_address": "how many tables opened from one address it holds; 0 for no quota",
    "name_days": "how many days a name is kept for whoever has its token, after they were last here; 0 for not at all",
    "most_names": "how many names of people who are gone it keeps so",
    "longest_turn": "the longest limit for a decision that a table may have, in seconds",
    "longest_bank": "the longest time for being disconnected that a table may have, in seconds",
    "history_days": "how many days finished games are kept; 0 for ever",
    "history_megabytes": "size of the journal beyond which finished games go, the oldest of the network with most; "
    "0 for no limit",
    "keep_exhibitions": "whether finished games are kept whose packs repeat from a seed or were arranged: yes or no",
    "news_ms": "least time between two pieces of news of the lobby, in milliseconds; 0 to tell every change, "
    "as a program needs that follows the results of tables",
    "patience": "limit for a decision at tables that have none of their own, in seconds; 0 for no limit",
    "first_move": "limit for a decision at public ones of these, for a player who has not moved yet in a game with "
    "other guests, in seconds; 0 for the same",
    "nats": "addresses of NATS servers, as nats://one:4222 nats://two:4222: serve as a part of a cluster, which keeps "
    "everything there",
    "cluster": "name of that cluster, of letters, digits, - and _",
    "role": "part in the cluster: gateway, which holds connections; worker, which plays; or both",
    "shards": "how many parts the tables of a new cluster are in, for ever; 0: as the cluster has, and 8 for a new one",
    "replicas": "on how many NATS servers a new cluster keeps each thing; 0: as the cluster has, and 3 for a new one",
    "metrics_port": "port of a worker that is no gateway for /metrics and /healthz; 0 for none",
    "nats_creds": "file with our credentials for NATS: a .creds file, the seed of an nkey, or a user and a password",
    "nats_ca": "PEM file with the authority that signed the certificates of the NATS servers; makes TLS a must",
    "nats_certificate": "PEM file with our own certificate for NATS; makes TLS a must",
    "nats_key": "PEM file with its key; without one it is in the same file",
}

CHOICES: Mapping[str, tuple[str, ...]] = {
    "admin_by": ("auto", "unix", "tcp"),
    "log_level": ("debug", "info", "warning", "error"),
    "log_format": ("text", "json"),
    "tls": ("on", "off"),
    "plain": ("private", "all", "none"),
    "announce": ("yes", "no"),
    "web": ("yes", "no"),
    "at_eof": ("stay", "stop"),
    "keep_exhibitions": ("no", "yes"),
    "role": ("both", "gateway", "worker"),
}

BOUNDS: Mapping[str, tuple[int, int]] = {
    "port": (0, 65535),
    "drain_seconds": (0, 86_400),
    "back_seconds": (0, 86_400),
    "most_people": (2, 10_000),
    "most_tables": (1, 4_000),
    "most_people_per_address": (0, 10_000),
    "most_tables_per_address": (0, 4_000),
    "name_days": (0, 365),
    "most_names": (0, 100_000),
    "longest_turn": (10, 86_400),
    "longest_bank": (300, 86_400),  # 300 is what a table has whose opener names none
    "patience": (0, 86_400),
    "first_move": (0, 86_400),
    "news_ms": (0, 10_000),
    "history_days": (0, 36_500),
    "history_megabytes": (0, 1_000_000),
    "shards": (0, 256),
    "replicas": (0, 5),
    "metrics_port": (0, 65535),
}


def _networks(value: object, source: str, name: str) -> str:
    try:
        parse_networks(value if isinstance(value, str) else "?")
    except ValueError:
        raise must_be(source, name, "addresses and prefixes, as 10.0.0.0/8 2001:db8::/32", value) from None
    return str(value)


def names_in(text: str) -> list[str]:
    """Names of hosts, separated by spaces or commas."""
    return text.replace(",", " ").split()


def _hosts(value: object, source: str) -> str:
    if not isinstance(value, str) or not all(_NAME.fullmatch(name) for name in names_in(value)):
        raise must_be(source, "allowed_host", "names of hosts, as put.example.org *.example.net", value)
    return value


_NAME = re.compile(r"(\*\.)?[0-9A-Za-z_-]+(\.[0-9A-Za-z_-]+)*\.?")


def urls_in(text: str) -> list[str]:
    """Addresses, separated by spaces or commas."""
    return text.replace(",", " ").split()


def _brokers(value: object, source: str) -> str:
    """Addresses of the broker. A user or password in one would be shown by every list of processes."""
    if not isinstance(value, str):
        raise SettingsError(f"{source}: nats must be text")
    for url in urls_in(value):
        if "@" in url:
            raise SettingsError(f"{source}: nats has a user or password; put them into the file of nats_creds")
        if not _is_broker(url):
            raise must_be(source, "nats", "addresses, as nats://one:4222 tls://two:4222", value)
    return value


def _is_broker(url: str) -> bool:
    try:
        parts = urlsplit(url)
        has_port = parts.port is None or parts.port > 0
    except ValueError:
        return False
    has_more = parts.path.strip("/") or parts.query or parts.fragment
    return parts.scheme in ("nats", "tls") and bool(parts.hostname) and has_port and not has_more


def _cluster(value: object, source: str) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"[A-Za-z0-9_-]{1,32}", value):
        raise must_be(source, "cluster", "1 to 32 letters, digits, - and _", value)
    return value


_READER = SettingsReader(
    kind=Settings,
    program="put-server",
    bounds=BOUNDS,
    choices=CHOICES,
    secrets=frozenset({"password"}),
    checks={
        **{name: partial(_networks, name=name) for name in ("exempt", "proxies", "metrics_from")},
        "allowed_host": _hosts,
        "nats": _brokers,
        "cluster": _cluster,
    },
)
variable = _READER.variable
settle = _READER.settle


def default_data() -> Path:
    """Where tables are kept when nobody says otherwise, by the customs of the system."""
    return folders("put-server").user_data_path


def default_shown(name: str) -> str:
    """A default for `--help`."""
    if name == "data":
        return str(default_data())
    if name == "admin":
        return "admin.sock in the directory of --data"
    default = next(known.default for known in fields(Settings) if known.name == name)
    return "none" if default in ("", None) else str(default)
