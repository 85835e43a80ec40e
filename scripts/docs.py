"""The parts of docs/ that follow from the code, between two markers in a page:

    <!-- options: put-1674 -->
    ... the options of this rule set (`rules: put-1674` are its rules as a player reads them) ...
    <!-- end -->

    <!-- observations: put-1674 -->
    ... what an agent observes and may do, in an environment ...
    <!-- end -->

In the same way `rule sets`, the index of them; `options of every table`; `keys`, those of the full screen; `line mode`,
its commands; `settings of the server`, those of its operator; `cases` and `checks`, those of the conformance suite; and
the parts of the protocol's reference, which `scripts.reference` makes.

They are rewritten in place; all else in a page is left as it is. A rule set without a page is given one. Manual pages,
shell completions and the schema of the protocol are written whole.
With --check nothing is written: the files that would change are named, and the exit status is 1 if there are any.
"""

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from put_client.keymap import BINDINGS, Mode, label_of, letter_of
from put_conformance.cases import all_cases
from put_conformance.checks import ALWAYS
from put_protocol.offers import GameOffer, OptionOffer
from put_rules.registry import GAMES
from put_rules.table_options import OFFERS
from put_server.settings import SETTINGS
from put_text.catalogue import ENGLISH, say, speaking
from put_text.plain.commands import COMMANDS
from put_text.translated import offer_in_language
from scripts.manuals import MANUALS, SHELLS, completion, manual_page
from scripts.reference import tables
from scripts.reference.deal_tables import packs_table, page_packs, page_tables, rule_sets_file
from scripts.reference.first_hands import first_hands
from scripts.reference.rule_set_tables import bounds, moments_tables, observations_table, shown
from scripts.reference.schema import page_types, schema
from scripts.reference.shapes import Undocumented
from scripts.reference.tables import table
from tests.docs.transcripts import frames_transcript, lines_transcript

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs"

_CLOSED = "<!-- end -->"


class MarkError(ValueError):
    """An invalid marker; the message names it."""


def pages() -> tuple[Path, ...]:
    return tuple(sorted(FOLDER.rglob("*.md")))


def new_pages() -> dict[Path, str]:
    """A first page for each rule set without one: its rules for players, to be extended by hand."""
    wanted = {FOLDER / "games" / f"{name}.md": rule_set.offer for name, rule_set in GAMES.items()}
    return {
        page: f"# {offer.title}\n\nAfter {offer.source}.\n\n<!-- rules: {offer.name} -->\n{_CLOSED}\n\n"
        f"## Options\n\n<!-- options: {offer.name} -->\n{_CLOSED}\n"
        for page, offer in wanted.items()
        if not page.exists()
    }


def rewritten(text: str) -> str:
    """The page with its marked parts as the code has them.

    :raises MarkError: a part has no end or no beginning, or names no registered rule set.
    """
    alone = _MARK.search(_PART.sub("", text))
    if alone is not None:
        raise MarkError(f"{alone[0]} stands alone: a part has a beginning and an end")
    return _PART.sub(_made, text)


def _made(found: re.Match[str]) -> str:
    name = found["name"]
    if name is not None and name not in GAMES:
        raise MarkError(f"{name} is no registered rule set")
    with speaking(found["language"] or ENGLISH):
        part = _PARTS[found["part"]] if name is None else partial(_OF_A_GAME[found["of"]], GAMES[name].offer)
        return "\n".join([found["begins"], *part(), _CLOSED])


def options_table(offer: GameOffer) -> list[str]:
    offer = offer_in_language(offer)
    own = _options([option for option in offer.options if option.name not in _OF_EVERY_TABLE])
    return [*own, "", say("docs-of-every-table")]


_OF_EVERY_TABLE = {option.name for option in OFFERS}


def _options(options: Iterable[OptionOffer]) -> list[str]:
    rows = [[f"`{o.name}`", shown(o.default), bounds(o), o.meaning.replace("|", "\\|")] for o in options]
    return table(say("docs-options").split(" | "), rows)


def rule_sets_table() -> list[str]:
    rows = [
        [f"[`{o.name}`]({o.name}.md)", o.title, o.source, ", ".join(map(str, o.seats))]
        for o in (rule_set.offer for rule_set in GAMES.values())
    ]
    return table(["name", "title", "source", "seats"], rows)


def keys_table() -> list[str]:
    """The keymap, with the names in the settings file of commands that may have another key."""
    rows: dict[tuple[str, ...], list[str]] = {}
    for mode, screen in _SCREENS.items():
        for binding in BINDINGS:
            if mode in binding.modes and binding.label:
                letter = letter_of(binding)
                others = [label_of(key) for key in binding.keys if letter and label_of(key) not in binding.label]
                shown = ", ".join(f"`{key}`" for key in (*binding.label.split(", "), *others))
                row = (shown, binding.says, f"`{binding.intent.value}`" if letter else "")
                rows.setdefault(row, []).append(screen)
    return table(
        ["key", "where", "what it does", "in `[keys]`"],
        [[shown, ", ".join(screens), says, name] for (shown, says, name), screens in rows.items()],
    )


_SCREENS = {Mode.LOBBY: "lobby", Mode.TABLE: "table", Mode.FORM: "form", Mode.CONFIRM: "question"}


def server_settings_table() -> list[str]:
    rows = []
    for name, known in SETTINGS.flags.items():
        more = f" ([more]({known.see}))" if known.see else ""
        sources = f"`--{name.replace('_', '-')}`", f"`{SETTINGS.variable(name)}`"
        rows.append([f"`{name}`", *sources, f"`{SETTINGS.default(name)}`", f"{SETTINGS.meaning(name)}{more}"])
    return table(["setting", "flag", "environment", "default", "meaning"], rows)


def checks_table() -> list[str]:
    rows = [[f"`{check.name}`", check.should, f'"{check.section.value}"'] for check in ALWAYS]
    return table(["check", "the client", "in reference.md"], rows)


_OF_A_GAME: Mapping[str, Callable[[GameOffer], list[str]]] = {
    "options": options_table,
    "rules": lambda offer: [f"- {rule}" for rule in offer_in_language(offer).rules],
    "observations": observations_table,
}

_PARTS: Mapping[str, Callable[[], list[str]]] = {
    "rule sets": rule_sets_table,
    "options of every table": lambda: _options(OFFERS),
    "keys": keys_table,
    "line mode": lambda: table(["say", "to"], [[f"`{command.usage}`", command.meaning] for command in COMMANDS]),
    "settings of the server": server_settings_table,
    "cases": lambda: table(["case", "what is tried"], [[f"`{c.name}`", c.summary] for c in all_cases(GAMES).values()]),
    "checks": checks_table,
    **tables.PART_BY_MARK,
    "moments": moments_tables,
    "conversation in lines": lines_transcript,
    "conversation in frames": frames_transcript,
    "packs": packs_table,
}

_WHOLE_FILES: Mapping[str, Callable[[], str]] = {
    "docs/protocol.schema.json": lambda: json.dumps(schema(), indent=2, ensure_ascii=False) + "\n",
    "protocol/put_protocol/rule_sets.json": rule_sets_file,
    "server/put_server/web/first_hands.js": first_hands,
    "server/put_server/web/first_hands_fr.js": partial(first_hands, "fr"),
    "server/put_server/web/protocol.d.ts": page_types,
    "server/put_server/web/blind/packs.js": page_packs,
    "server/put_server/web/blind/tables.js": page_tables,
}

_OPENED = (
    rf"<!-- (?:(?P<of>{'|'.join(_OF_A_GAME)}): (?P<name>\S+)(?: in (?P<language>[a-z]{{2}}))?"
    rf"|(?P<part>{'|'.join(map(re.escape, _PARTS))})) -->"
)
_PART = re.compile(rf"^(?P<begins>{_OPENED})\n(?:(?!<!-- ).*\n)*{_CLOSED}$", re.MULTILINE)
_MARK = re.compile(rf"^(?:{_OPENED}|{_CLOSED})$", re.MULTILINE)


def whole_files(root: Path = ROOT) -> dict[Path, str]:
    """The schema, manual pages and completions, which are not edited by hand."""
    made = {root / name: file() for name, file in _WHOLE_FILES.items()}
    for manual in MANUALS:
        made[root / "docs/man" / f"{manual.name}.1"] = manual_page(manual)
        for shell, name in SHELLS.items():
            made[root / "docs/completions" / name.format(manual.name)] = completion(manual.parser, shell)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="scripts/docs", description="Write the marked parts of docs/ from the code.")
    parser.add_argument("--check", action="store_true", help="write nothing; name the files that are stale")
    is_check = parser.parse_args(arguments).check
    wanted: dict[Path, str] = {}
    for page, text in ({page: page.read_text("utf-8") for page in pages()} | new_pages()).items():
        try:
            wanted[page] = rewritten(text)
        except (MarkError, Undocumented) as error:
            print(f"{page.relative_to(ROOT)}: {error}", file=sys.stderr)
            return 2
    stale = 0
    for file, text in (wanted | whole_files(ROOT)).items():
        if not file.exists() or file.read_text("utf-8") != text:
            stale += 1
            print(f"{'stale' if is_check else 'written'}: {file.relative_to(ROOT)}")
            if not is_check:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, "utf-8")
    return 1 if is_check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
