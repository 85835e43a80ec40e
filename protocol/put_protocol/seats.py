"""Viewers: a seat, or the gallery. There is no third kind, and no viewer who sees all."""

from typing import Final, Literal, NewType

Seat = NewType("Seat", int)
"""0 to 9, clockwise: the next seat is at the left."""

Gallery = Literal["gallery"]
GALLERY: Final[Gallery] = "gallery"
"""Everyone who watches. All of them see the same."""

Viewer = Seat | Gallery
