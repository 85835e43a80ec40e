"""The sentences that the catalogue has said in French, to tell which texts come from there."""

import re
from typing import Any

import pytest

from put_text import catalogue
from tests.text.english_words import english_in


class FrenchSaid:
    """What was said in French since this was made."""

    def __init__(self, patched: pytest.MonkeyPatch) -> None:
        self._texts: set[str] = set()
        said = catalogue._said

        def note(language: str, message: str, *rest: Any) -> str:
            text = said(language, message, *rest)
            if language == "fr" and message in catalogue.every_message(language, message.partition("-")[0]):
                self._texts.add(text.casefold().strip(" .;:"))
            return text

        patched.setattr(catalogue, "_said", note)

    def others(self, sentence: str) -> str:
        """What of the sentence did not come from the catalogue, or is English all the same."""
        rest = sentence.casefold()
        for text in sorted(filter(None, self._texts), key=len, reverse=True):
            if text in rest or "{}" in text:  # of an option's value, which is put in later
                pattern = r"\w+".join(map(re.escape, text.split("{}")))
                rest = re.sub(rf"(?<!\w){pattern}(?!\w)", " ", rest)
        return " ".join([*re.findall(r"\w*[^\W\d_]\w*", rest), *english_in(sentence)])
