"""Completions for bash, zsh and fish, made from the parsers of the programs. `scripts/docs` writes them."""

from collections.abc import Iterable, Iterator

from scripts.manuals import Flag, Program

_MADE = "# Made by scripts/docs from the program's options."


def bash(program: Program) -> str:
    """A function that knows which subcommand was typed."""
    function = f"_{program.name.replace('-', '_')}"
    everything = [flag for its in (program, *program.commands) for flag in its.options]
    lines = [
        _MADE,
        f"{function}() {{",
        "    local word command= words= cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}",
        "    COMPREPLY=()",
        "    case $prev in",
        *(f"    {case}" for case in _values(everything)),
        "    esac",
        *_command_typed(program),
        "    case $command in",
        *(f'    {its.name}) {_files(its)}words="{_words(its)}" ;;' for its in program.commands),
        f'    *) words="{_words(program)}" ;;',
        "    esac",
        '    COMPREPLY=($(compgen -W "$words" -- "$cur"))',
        "}",
        f"complete -F {function} {program.name}",
    ]
    return _text(lines)


def _command_typed(program: Program) -> Iterator[str]:
    if program.commands:
        names = " | ".join(its.name for its in program.commands)
        yield '    for word in "${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do'
        yield f"        case $word in {names}) command=$word ;; esac"
        yield "    done"


def _values(flags: Iterable[Flag]) -> Iterator[str]:
    """What may follow a flag: a file, one of some words, or something nobody can guess."""
    cases: dict[str, set[str]] = {}
    for flag in flags:
        if flag.words:
            answer = f'COMPREPLY=($(compgen -W "{" ".join(flag.words)}" -- "$cur"))'
        else:
            answer = "compopt -o default" if flag.is_file else ":"
        if flag.value:
            cases.setdefault(answer, set()).update(flag.names)
    for answer, names in cases.items():
        yield f"{' | '.join(sorted(names))}) {answer}; return ;;"


def _files(program: Program) -> str:
    return "compopt -o default; " if any(flag.is_file for flag in program.positional) else ""


def _words(program: Program) -> str:
    names = [name for flag in program.options for name in flag.names]
    return " ".join([*names, *(its.name for its in program.commands)])


def zsh(program: Program) -> str:
    """A function of zsh's own completion system, named like the file."""
    lines = [f"#compdef {program.name}", _MADE]
    if not program.commands:
        return _text([*lines, _arguments("", _specs(program))])
    commands = " ".join(_quoted(f"{its.name}:{_first(its.says)}") for its in program.commands)
    lines += [
        "local -a commands line",
        "local state",
        f"commands=({commands})",
        _arguments("-C", [*_specs(program), "'1: :{_describe command commands}'", "'*:: :->rest'"]),
        "[[ $state == rest ]] || return",
        "case $line[1] in",
    ]
    for its in program.commands:
        lines += [f"{its.name})", _arguments("", _specs(its)), ";;"]
    return _text([*lines, "esac"])


def _specs(program: Program) -> list[str]:
    specs = []
    for flag in program.flags:
        names = "{" + ",".join(flag.names) + "}" if len(flag.names) > 1 else "".join(flag.names)
        value = f":{flag.value}:{_zsh_value(flag)}" if flag.value else ""
        if not flag.names:
            spec = _quoted(f"1:{_zsh(flag.value)}:{_zsh_value(flag)}")
        elif len(flag.names) > 1:
            spec = _quoted(f"({' '.join(flag.names)})") + names + _quoted(f"[{_zsh(flag.says)}]{value}")
        else:
            spec = _quoted(f"{names}[{_zsh(flag.says)}]{value}")
        specs.append(spec)
    return specs


def _arguments(flags: str, specs: Iterable[str]) -> str:
    """The command, a spec a line."""
    return " \\\n    ".join([f"_arguments {flags}".rstrip(), *specs])


def _zsh_value(flag: Flag) -> str:
    if flag.words:
        return f"({' '.join(flag.words)})"
    return "_files" if flag.is_file else " "


def _zsh(says: str) -> str:
    for sign in "\\[]:":
        says = says.replace(sign, f"\\{sign}")
    return says


def fish(program: Program) -> str:
    """A line a flag."""
    head = f"complete -c {program.name}"
    lines = [_MADE, f"{head} -f"]
    lines += [f"{head} -n __fish_use_subcommand {words}" for words in map(_fish, program.options)]
    for its in program.commands:
        lines.append(f"{head} -n __fish_use_subcommand -a {its.name} -d {_quoted(_first(its.says))}")
        seen = f"{head} -n '__fish_seen_subcommand_from {its.name}'"
        lines += [f"{seen} {words}" for words in map(_fish, its.options)]
        lines += [f"{seen} -F" for flag in its.positional if flag.is_file]
    return _text(lines)


def _fish(flag: Flag) -> str:
    names = [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in flag.names]
    value = [] if not flag.value else ["-r -F"] if flag.is_file else ["-x"]
    words = [f"-a {_quoted(' '.join(flag.words))}"] if flag.words else []
    return " ".join([*names, *value, *words, f"-d {_quoted(flag.says)}"])


def _first(says: str) -> str:
    return says.rstrip(".")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
