### Tes parties, la relecture et l'exercice, à l'écran.

record-the-record = Le registre
record-the-replay = La relecture
record-practice = Exercice
record-replay = Relecture
record-yours = Tes parties
record-list = Parties
record-escape-goes-back = Échap pour revenir
record-q-quits = q pour quitter
record-back-because = { $error } Échap pour revenir.

## L'exercice.
record-opponent = Adversaire
record-looking = On cherche une position ...
record-every-choice = Chaque choix
record-mistake = une erreur à toi
record-again = encore une fois
record-position = une position
record-right = { $right } sur { $answered } bien

## Le registre.
record-no-moves-kept = De cette partie on n'a gardé que les chiffres, pas les coups.
record-games = { $count ->
    [one] { $count } partie
   *[other] { $count } parties
}
record-won = { $count ->
    [one] { $count } gagnée
   *[other] { $count } gagnées
}
record-lost = { $count ->
    [one] { $count } perdue
   *[other] { $count } perdues
}
record-accuracy = justesse { $share }
record-practised = exercice { $share } sur { $count }
record-fine-by-month = Bonnes décisions par mois, en pour cent
record-month = { $month ->
    [1] jan
    [2] fév
    [3] mar
    [4] avr
    [5] mai
    [6] jui
    [7] jul
    [8] aoû
    [9] sep
    [10] oct
    [11] nov
   *[12] déc
}
record-against = Contre
record-by-rules = Par règles
record-fine = { $share } bien
record-won-of = { $won } sur { $games }
record-nothing = Rien encore. Une partie est notée quand elle finit.
record-cost = coût { $cost } %
record-mark-coach = conseil
record-mark-exhibition = exhibition
record-mark-no-moves = sans coups

## La relecture.
record-gallery = la galerie
record-seen-by = vu par { $viewer }
record-table-game = table { $table }, partie { $game }
record-beginning = Le début ; il ne s'est encore rien passé.
record-step = coup { $number } sur { $count }
record-playing = en marche
record-end = la fin
record-judged-fine = Bien : { $share } de gagner la partie. Jeu parfait : { $best }.
record-judged = { $quality ->
    [inaccuracy] Une imprécision
    [mistake] Une erreur
    [blunder] Une grosse erreur
   *[other] { $quality }
} : coût { $cost }. Jeu parfait : { $best }.
record-key-on = avancer d'un coup (ou Espace)
    .brief = avancer
record-key-back = reculer d'un coup
    .brief = reculer
record-key-play = avancer tout seul, ou s'arrêter
    .brief = marche
record-key-hand-on = à la manche suivante
    .brief = manche +
record-key-hand-back = au début de cette manche
    .brief = manche -
record-key-home = le début
record-key-end = la fin
record-key-close = fermer cette aide
record-key-help = cette aide
    .brief = aide
record-key-quit = quitter (ou Ctrl-C)
    .brief = quitter
