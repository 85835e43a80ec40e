"""Put and its family: trick-taking with a challenge.

`rules` holds the rule sets as data, `state` what a game is made of, `machine` the transitions, `tricks` who takes
what, `words` what the choices are called, `sight` what each viewer sees. No module here asks for a rule set's name.
"""
