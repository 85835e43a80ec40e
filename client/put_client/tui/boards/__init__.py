"""Boards: how the game on a table is drawn, a module a family, and `plain_board` for families without one."""
