"""Homes: names that could be taken for each other have one, and a token leads to the same as its person's name."""

import unicodedata
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from put_protocol.text import same_name
from put_server.cluster.home_shards import home_of_digest, home_of_name, name_key, token_for
from put_server.lobby.names import looks, skeletons
from put_server.transport.reception import digest_of
from put_server.transport.shuffler import Shuffler

UNTOLD = frozenset("ßẞβΒϐᏸᏰꞴЮⲴƫᶵꮏᏏţțῴ")
"""Letters that look like two others, or in one case only: what the docstring of `home_shards` says of them."""


def test_letters_that_look_alike_lead_to_one_home() -> None:
    """Every letter of the table of lookalikes, small and capital, with all that share a skeleton with it."""
    letters = {letter for source in map(chr, looks()) for letter in (source, source.upper())}
    keys: dict[str, dict[str, str]] = {}
    for letter in letters:
        if not letter.isalpha() or UNTOLD & {letter, same_name(letter), *unicodedata.normalize("NFKC", letter)}:
            continue
        for skeleton in skeletons(letter):
            keys.setdefault(skeleton, {})[name_key(letter)] = letter
    assert {skeleton: told for skeleton, told in keys.items() if len(told) > 1} == {}


def test_words_that_look_alike_have_one_home() -> None:
    for words in (("Maria", "rnaria", "MARlA", "MARIA"), ("Iris", "lris", "1ris"), ("BOB", "\u0412\u041e\u0412")):
        assert len({name_key(word) for word in words}) == 1, words


IOTA_BELOW = "\u0345"  # a mark that folds to a letter: the exception that `home_shards` names


@given(st.text(st.characters(codec="utf-8", exclude_characters=IOTA_BELOW), max_size=24))
def test_one_name_in_any_case_and_composition_has_one_home(name: str) -> None:
    assert name_key(name) == name_key(same_name(name))


def test_homes_are_about_as_full() -> None:
    for shards in (2, 3, 8):
        people = Counter(home_of_name(f"bot-{number}", shards) for number in range(300))
        assert min(people.values()) > 300 / shards / 2


def test_a_token_leads_to_the_home_it_was_made_for() -> None:
    for home in range(5):
        token = token_for(home, 5, Shuffler.token)
        assert home_of_digest(digest_of(token), 5) == home
