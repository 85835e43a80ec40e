"""Games on the wire, a module a family: its actions, its events, its view, and how an event changes the view.

`unions` has every family's as one type each. A new family is a module here and a name in each of the unions.
"""
