"""Presenters: the events and views of each family of games in English, a module a family.

`registry` finds the presenter of an event, a view or an action by its type. A family without one is told by
`plain_values`, and its choices in the server's own words (`Choice.says`).
"""
