"""The screens as pure functions of the model: the lobby, a table, a replay, and overlays."""
