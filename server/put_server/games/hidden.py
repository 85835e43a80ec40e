"""A holder for what not everyone may see.

No codec can encode it, no log or error can show it, nothing can copy it out by accident: to see inside one must write
`unseal()`, and a reader of the code can find every place that does.
"""

from typing import Generic, NoReturn, TypeVar

T = TypeVar("T")


class Hidden(Generic[T]):
    """Opaque; equal iff what it holds is equal."""

    __slots__ = ("_value",)

    def __init__(self, value: T) -> None:
        self._value = value

    def unseal(self) -> T:
        """What is inside. Only rules, and what shows a viewer their own, may ask."""
        return self._value

    def __repr__(self) -> str:
        return "<hidden>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hidden) and self._value == other._value

    __hash__ = None  # type: ignore[assignment]  # a hash of a hand would tell the hand

    def __reduce__(self) -> NoReturn:
        raise TypeError("what is hidden cannot be pickled")
