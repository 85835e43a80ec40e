"""Eight bytes as four words that can be said across a table: `fozat ligub rokit hames`.

Each word is 16 bits, from the highest: a consonant (4), a vowel (2), a consonant (4), a vowel (2), a consonant (4).
"""

CONSONANTS = "bdfghklmnprstvwz"
VOWELS = "aeio"
WORD_BYTES = 8
"""64 bits. They are the hash of the cuts too, which nobody knows before the seals are told; so whoever would show two
players different seals under the same words has one chance in 2**64, and cannot try beforehand."""


def words_of(eight: bytes) -> str:
    """The four words."""
    return " ".join([_word(int.from_bytes(eight[at : at + 2], "big")) for at in range(0, WORD_BYTES, 2)])


def _word(bits: int) -> str:
    return "".join(
        [
            CONSONANTS[bits >> 12],
            VOWELS[bits >> 10 & 3],
            CONSONANTS[bits >> 6 & 15],
            VOWELS[bits >> 4 & 3],
            CONSONANTS[bits & 15],
        ]
    )
