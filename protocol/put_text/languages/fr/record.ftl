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
record-practice-help = Réponds avec la touche à côté d'un choix. Une réponse qui coûte moins de 0,1 % d'une partie est juste. Une position manquée revient, plus tard à chaque bonne réponse. Entrée passe à la suivante, Échap finit l'exercice. Une touche ferme ceci.
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
record-percent = { $whole } %
record-house = maison, { $house }
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
record-key-close = fermer cette aide, ou quitter
record-key-help = cette aide
    .brief = aide
record-key-quit = quitter (ou Ctrl-C)
    .brief = quitter

## Une partie revue, en phrases.
record-replay-keys = Entrée montre le pas suivant, « b » recule d'un pas, « h » va à la manche suivante, « q » finit.
record-replay-heading = Partie { $number } à la table { $table }{ $server ->
    [none] {""}
   *[other] {" "}de { $server }
}{ $date ->
    [none] {""}
   *[other] , { $date }
} : { $game }{ $exhibition ->
    [yes] , une exhibition
   *[no] {""}
}, jouée par { $players }, { $viewer ->
    [gallery] depuis la galerie
   *[other] comme { $viewer } (toi) l'a vue
}.
record-replay-player = { $name }{ $kind ->
    [house] {" "}(maison)
    [bot] {" "}(robot)
   *[person] {""}
}
record-replay-ends = C'est tout.
record-replay-begins = C'est le début.
record-file-long = le fichier a plus de { $bytes } octets
record-file-no-text = ce n'est pas du texte en UTF-8

## L'historique en phrases.
record-none-yet = Rien n'est encore noté. Les parties sont notées quand elles finissent.
record-all = { record-games } : gagnées { $won }, perdues { $lost }, nulles { $even }.
record-run = { $which ->
    [none] Aucune suite de gains ou de pertes.
    [wins] { $count ->
        [1] 1 gain
       *[other] { $count } gains
    } de suite.
   *[losses] { $count ->
        [1] 1 perte
       *[other] { $count } pertes
    } de suite.
}
record-longest-run = La plus longue suite de gains : { $count }.
record-assisted = { record-games } avec le conseiller : ni suites ni justesse.
record-decisions = { $decisions ->
    [1] 1 décision
   *[other] { $decisions } décisions
}
record-against-perfect = Face au jeu parfait : { $share } de bien sur { record-decisions }, et { $each } % d'une partie perdu par chacune en moyenne.
record-practice-all = Exercice : { $count ->
    [1] 1 réponse
   *[other] { $count } réponses
} ; bien : { $right }.
record-by = { $by ->
    [rules] Au jeu
   *[opponents] Contre
} { $label } : { $tally }.
record-tally = { record-games }, gagnées { $won }, perdues { $lost }{ $even ->
    [0] {""}
   *[other] , nulles { $even }
}{ $decisions ->
    [0] {""}
   *[other] {"\u00a0"}; { $share } de bien sur { record-decisions }
}
record-in-month = { $label } : { record-games }, gagnées { $won }{ $decisions ->
    [0] {""}
   *[other] , { $share } de bien sur { record-decisions }
}{ $answers ->
    [0] {""}
   *[other] , exercice { $right } de bien sur { $answers }
}.
record-outcome = { $outcome ->
    [won] gagnée
    [lost] perdue
   *[even] nulle
}
record-game = Partie { $number }, { $ended } : { $game } contre { $against ->
    [none] personne
   *[other] { $against }
}, { record-outcome } ({ $gain }){ $decisions ->
    [0] {""}
   *[other] , { record-decisions } : coût { $cost } %
}{ $assisted ->
    [yes] , avec le conseiller
   *[no] {""}
}
record-from-yours = { $date ->
    [none] D'une de tes parties.
   *[other] De ta partie du { $date }.
}
record-no-position = Il n'y a pas de nouvelle position ici.
record-no-judgement = La réponse ne peut pas être jugée.
record-no-solutions = Il n'y a pas de nouvelles positions : le programme qui a les solutions ne tourne pas ici.
record-nothing-came = rien n'est venu en { $seconds } secondes
record-closed = La connexion est fermée.
record-later = L'historique { $file } a été écrit par une version plus récente de put-client ; on n'y touche pas.
record-unusable = L'historique { $file } ne peut pas servir : { $why }. Rien n'est noté{ $damaged ->
    [yes] {" "}; déplace le fichier pour en commencer un autre
   *[no] {""}
}.
