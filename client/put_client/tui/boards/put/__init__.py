"""The board of Put: its field and tricks, its events at the table, and its pages."""

from put_client.tui.boards.put.board import PutBoard

__all__ = ["PutBoard"]
