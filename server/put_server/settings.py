"""The operator's settings, with bounds and defaults."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from put_protocol import DEFAULT_PORT
from put_protocol.text import is_printable
from put_runtime.private_files import folders
from put_runtime.settings import SettingsError, SettingsReader, must_be, setting
from put_server.lobby.policy import EDITION, Policy
from put_server.table.clock import NEWS_MS
from put_server.transport.origins import parse_networks

if TYPE_CHECKING:  # SQLite comes with it, and a command that asks a server opens no file
    from put_server.journal.retention import Retention

FROM_INPUT = "-"
"""The seed is read from standard input, which has it only once."""

READY_SECONDS = 60
"""Time limit for a successor to be ready: loading takes a second, and five on a busy machine."""

MOST_CHARACTERS = 128
"""Characters of a name or a password: `hello` limits a password, and `welcome` a name."""

KEY_FILE = "tls.pem"
"""File with the key and certificate made by the server: a single file, so they always belong together."""


def _networks(value: object, source: str, name: str) -> str:
    try:
        parse_networks(value if isinstance(value, str) else "?")
    except ValueError:
        raise must_be(source, name, "addresses and prefixes, as 10.0.0.0/8 2001:db8::/32", value) from None
    return str(value)


def listed(text: str) -> list[str]:
    """Names of hosts, or addresses, separated by spaces or commas."""
    return text.replace(",", " ").split()


def _text(value: object, source: str, name: str) -> str:
    """A text for messages. Errors do not contain its value, because a setting may be secret."""
    if not isinstance(value, str) or len(value) > MOST_CHARACTERS or _SURROGATE.search(value):
        raise SettingsError(f"{source}: {name} must be text in UTF-8, of at most {MOST_CHARACTERS} characters")
    return value


def _line(value: object, source: str, name: str) -> str:
    """A text that clients show, and that the first line of output begins with."""
    text = _text(value, source, name)
    if not text.strip() or not is_printable(text):
        raise must_be(source, name, "a line of characters that can be shown", value)
    return text


def _path(value: object, source: str, name: str) -> str:
    """A path, with a user's home in place of `~`."""
    try:
        if isinstance(value, str) and "\0" not in value and not _SURROGATE.search(value):
            return str(Path(value).expanduser()) if value else value
    except RuntimeError:  # of a user who is unknown here
        pass
    raise must_be(source, name, "a path in UTF-8, and begin with ~ only where that is a user's home", value)


_SURROGATE = re.compile("[\ud800-\udfff]")
"""A byte of the environment or command line that is not UTF-8."""


def _hosts(value: object, source: str, name: str) -> str:
    if not isinstance(value, str) or not all(_NAME.fullmatch(host) for host in listed(value)):
        raise must_be(source, name, "names of hosts, as put.example.org *.example.net", value)
    return value


_NAME = re.compile(r"(\*\.)?[0-9A-Za-z_-]+(\.[0-9A-Za-z_-]+)*\.?")


def _brokers(value: object, source: str, name: str) -> str:
    """Addresses of the broker, without user or password, which every process list would show."""
    if not isinstance(value, str):
        raise SettingsError(f"{source}: {name} must be text")
    for url in listed(value):
        if "@" in url:
            raise SettingsError(f"{source}: {name} has a user or password; put them into the file of nats_creds")
        if not _is_broker(url):
            raise must_be(source, name, "addresses, as nats://one:4222 tls://two:4222", value)
    return value


def _monitors(value: object, source: str, name: str) -> str:
    if not isinstance(value, str) or not all(url.startswith("http://") for url in listed(value)):
        raise must_be(source, name, "addresses, as http://one:8222 http://two:8222", value)
    return value


def _is_broker(url: str) -> bool:
    try:
        parts = urlsplit(url)
        has_port = parts.port is None or parts.port > 0
    except ValueError:
        return False
    has_more = parts.path.strip("/") or parts.query or parts.fragment
    return parts.scheme in ("nats", "tls") and bool(parts.hostname) and has_port and not has_more


def _cluster(value: object, source: str, name: str) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"[A-Za-z0-9_-]{1,32}", value):
        raise must_be(source, name, "1 to 32 letters, digits, - and _", value)
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    host: str = setting("*", "address to listen on; * for every interface")
    port: int = setting(DEFAULT_PORT, "port to listen on; 0 for any that is free", 0, 65_535)
    name: str = setting("The Put Table", "what the server calls itself, as clients show it", check=_line)
    data: str = setting(
        "",
        "directory that keeps the tables; :memory: to keep nothing",
        default_says="~/.local/share/put-server, or as the system has it",
        check=_path,
    )
    password: str = setting(
        "",
        "asked of everyone who connects; better set by environment or file, for flags can be read by others",
        is_secret=True,
        check=_text,
    )
    seed: int | None = setting(
        None,
        "repeat packs and house players exactly from this number; every table is marked as an exhibition; - reads it "
        "from the first line of standard input, where no other program can see it; no upgrade is possible then",
    )
    drain_seconds: int = setting(20, "how long games may go on once the server is told to stop", 0, 86_400)
    back_seconds: int = setting(0, "how long it will then be away, as everyone is told; 0: unknown", 0, 86_400)
    admin: str = setting(
        "",
        "socket for the operator's commands; needed where nothing is kept",
        default_says="admin.sock in the directory of --data",
        check=_path,
    )
    admin_by: str = setting(
        "auto",
        "what that socket is: unix, of the file system; tcp, a port of this machine alone, with a key in the file that "
        "--admin names; auto: unix where the system has it",
        choices=("auto", "unix", "tcp"),
    )
    tls: str = setting("on", "encrypt the connections that ask for it", choices=("on", "off"))
    certificate: str = setting(
        "",
        "PEM file with a certificate for this host's name and its chain, as of ACME; without one the server makes a "
        "key of its own",
        check=_path,
        see="#encryption",
    )
    key: str = setting("", "PEM file with the key of that certificate; without one it is in the same file", check=_path)
    plain: str = setting(
        "private",
        "who may connect without encryption; private is this machine and local networks",
        choices=("private", "all", "none"),
    )
    exempt: str = setting(
        "", "addresses and prefixes without quotas, as 10.0.0.0/8 2001:db8::/32", check=_networks, see="#admission"
    )
    announce: str = setting(
        "yes",
        "tell the local network that there is a server, by mDNS (--no-announce)",
        choices=("yes", "no"),
        see="#on-a-local-network",
    )
    proxies: str = setting(
        "",
        "addresses and prefixes of proxies, which must send a PROXY header; clients are then those it names",
        check=_networks,
        see="#behind-a-proxy",
    )
    web: str = setting(
        "yes", "let people play with a browser, on the same port (--no-web)", choices=("yes", "no"), see="web.md"
    )
    allowed_host: str = setting(
        "",
        "names by which browsers may ask for the server, besides its own and those of its certificate, as "
        "put.example.org *.example.net",
        check=_hosts,
        see="#names",
    )
    push_hosts: str = setting(
        "browsers",
        "push services that may be asked to tell people of their turn, if they want it: browsers, those of the usual "
        "browsers; or names, as push.example.org, also where their addresses are private; empty: none",
        check=_hosts,
        see="#push-messages",
    )
    metrics_from: str = setting(
        "127.0.0.1 ::1",
        "addresses and prefixes that may read /metrics and /healthz over HTTP; empty: none",
        check=_networks,
        see="#metrics-and-health",
    )
    log_level: str = setting("info", "what to log", choices=("debug", "info", "warning", "error"))
    log_format: str = setting("text", "how to log; json is an object a line", choices=("text", "json"))
    at_eof: str = setting(
        "stay",
        "what to do when standard input, a pipe, ends; stop is for a server that may not outlive the program that "
        "started it",
        choices=("stay", "stop"),
    )
    most_people: int = setting(2_500, "how many people it holds, those included who are away", 2, 10_000)
    most_tables: int = setting(1_000, "how many tables it holds", 1, 4_000)
    most_people_per_address: int = setting(32, "how many people from one address it holds; 0: no quota", 0, 10_000)
    most_tables_per_address: int = setting(
        96, "how many tables opened from one address it holds; 0: no quota", 0, 4_000
    )
    most_blind_house_seats: int = setting(
        256,
        "how many seats the house plays at once where cards are dealt blind for one player: a core deals to some 40 in "
        "a second; further games against the house are dealt plain; 0: no limit",
        0,
        40_000,
    )
    name_days: int = setting(
        7, "how many days a name is kept for the holder of its token, after they were last here; 0: not at all", 0, 365
    )
    most_names: int = setting(5_000, "how many names of people who are gone it keeps so", 0, 100_000)
    longest_turn: int = setting(
        86_400, "the longest limit for a decision that a table may have, in seconds", 10, 86_400
    )
    longest_bank: int = setting(  # 300 at a table whose opener gives none
        86_400, "the longest time for being disconnected that a table may have, in seconds", 300, 86_400
    )
    patience: int = setting(
        900, "limit for a decision at tables that have none of their own, in seconds; 0: no limit", 0, 86_400
    )
    first_move: int = setting(
        120,
        "limit for a decision at public ones of these, for a player who has not moved yet in a game with other guests, "
        "in seconds; 0: as patience",
        0,
        86_400,
    )
    news_ms: int = setting(
        NEWS_MS,
        "least time between two pieces of news of the lobby, in milliseconds; 0 to tell every change, as a program "
        "needs that follows the results of tables",
        0,
        10_000,
    )
    history_days: int = setting(0, "how many days finished games are kept; 0: for ever", 0, 36_500)
    history_megabytes: int = setting(
        1_024,
        "size of the journal beyond which finished games go, the oldest of the network with most; 0: no limit",
        0,
        1_000_000,
    )
    keep_exhibitions: str = setting(
        "no", "keep finished games whose packs repeat from a seed or were arranged", choices=("no", "yes")
    )
    nats: str = setting(
        "",
        "addresses of NATS servers, as nats://one:4222 nats://two:4222: serve as a part of a cluster, which keeps "
        "everything there; it needs put-cards[cluster]",
        check=_brokers,
        see="cluster.md",
    )
    cluster: str = setting("put", "name of that cluster, of letters, digits, - and _", check=_cluster)
    role: str = setting(
        "both",
        "part in the cluster: gateway, which holds connections; worker, which plays; or both",
        choices=("both", "gateway", "worker"),
    )
    shards: int = setting(
        0, "how many parts the tables of a new cluster are in, for ever; 0: as it has, and 8 for a new one", 0, 256
    )
    replicas: int = setting(
        0, "on how many NATS servers a new cluster keeps each thing; 0: as it has, and 3 for a new one", 0, 5
    )
    metrics_port: int = setting(
        0,
        "port of a worker that is no gateway for /metrics and /healthz; 0: none",
        0,
        65_535,
        see="cluster.md#watching",
    )
    may_lose_seconds: int = setting(
        0,
        "seconds of acknowledged play that a worker may lose if power fails, because NATS does not keep all at once; "
        "0: refuse such a NATS",
        0,
        86_400,
        see="cluster.md#what-nats-keeps",
    )
    nats_monitor: str = setting(
        "",
        "monitoring ports of all NATS servers, as http://one:8222 http://two:8222: a worker asks there whether "
        "they keep what they acknowledge",
        check=_monitors,
        see="cluster.md#what-nats-keeps",
    )
    nats_creds: str = setting(
        "",
        "file with our credentials for NATS: a .creds file, the seed of an nkey, or a user and a password",
        check=_path,
        see="cluster.md#credentials-and-tls",
    )
    nats_ca: str = setting(
        "",
        "PEM file with the authority that signed the certificates of the NATS servers; makes TLS a must",
        check=_path,
    )
    nats_certificate: str = setting("", "PEM file with our own certificate for NATS; makes TLS a must", check=_path)
    nats_key: str = setting("", "PEM file with its key; without one it is in the same file", check=_path)

    @property
    def retention(self) -> "Retention":
        from put_server.journal.retention import Retention  # noqa: PLC0415

        return Retention(self.history_days, self.history_megabytes, exhibitions=self.keep_exhibitions == "yes")

    @property
    def policy(self) -> Policy:
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
            blind_house_seats=self.most_blind_house_seats,
            edition=EDITION,
        )

    @property
    def journal(self) -> Path | None:
        """The journal's file; None: there is no journal."""
        if self.data == ":memory:":
            return None
        folder = Path(self.data) if self.data else folders("put-server").user_data_path
        return folder / "put.sqlite3"

    @property
    def own_key(self) -> Path | None:
        """File of the server's own key; None: a key for this run only."""
        return None if self.journal is None else self.journal.with_name(KEY_FILE)

    @property
    def bans(self) -> Path | None:
        """The file of banned addresses; None: bans end with the server."""
        return None if self.journal is None else self.journal.with_name("bans")

    @property
    def admin_path(self) -> Path | None:
        """The admin socket; None: there is none."""
        if self.admin:
            return Path(self.admin)
        return None if self.journal is None else self.journal.with_name("admin.sock")


SETTINGS = SettingsReader(Settings, "put-server")
settle = SETTINGS.settle
