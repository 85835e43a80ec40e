"""Command lines in the player's language: the help, and what argparse says of mistakes."""

from typing import NoReturn

from put_runtime.command_line import Parser
from put_text.catalogue import say
from put_text.translated import in_own_words


class LocalizedParser(Parser):
    """A parser whose headings and complaints are in the language of this context."""

    def __init__(self, prog: str, description: str, epilog: str | None = None) -> None:
        super().__init__(prog=prog, description=description, epilog=epilog, add_help=False)
        self.add_argument("-h", "--help", action="help", help=say("help-help"))

    def format_usage(self) -> str:
        return super().format_usage().replace("usage:", say("help-heading-0"), 1)

    def format_help(self) -> str:
        told = super().format_help().replace("usage:", say("help-heading-0"), 1)
        for number, heading in enumerate(("\npositional arguments:", "\noptions:"), 1):
            told = told.replace(heading, f"\n{say(f'help-heading-{number}')}", 1)
        return told

    def error(self, message: str) -> NoReturn:
        argument, colon, fault = message.partition(": ")
        if argument.startswith("argument ") and colon:
            name = argument.removeprefix("argument ")
            super().error(say("usage-argument", name=name, fault=in_own_words(fault)))
        super().error(in_own_words(message))
