"""Presenters: the events and views of each family of games in English, a module a family.

`registry` finds the presenter of an event or a view by its type. A family without one is told in plain values, and its
choices in the server's own words (`Choice.says`).
"""
