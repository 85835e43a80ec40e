### The form that opens a table: its lines, and what they mean.

form-game = rules
form-game-means = what is played
form-rule-set = { $title }, after { $source }. { $summary }
form-seats = seats
form-seats-means = how many play
form-turn = turn clock
form-turn-means = seconds for each decision; 0: as long as the server allows
form-bank = time away
form-bank-means = seconds a player may be disconnected during a game, in all
form-passcode = passcode
form-passcode-means = asked of all who sit or watch; empty for a public table
form-gallery = gallery
form-gallery-means = whether anybody may watch
form-admits = players
form-admits-means = who may sit: all, people only, or bots only; the house comes where it is invited
form-more = more
form-more-means = options of these rules, time away, and who may watch and sit: Right shows them
form-as-usual = all as usual
form-from-to = { $meaning }, { $least } to { $most }
form-beyond = { $field } is { $least } to { $most }.
