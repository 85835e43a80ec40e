### Parties de phrases : personnes, listes, nombres, cartes, durées.

words-language = fr | français | francais | french
words-one = 0 | 1
words-elided = de|que
words-you = toi
words-seat = place { $number }
words-and = { $most } et { $last }
words-or = { $most } ou { $last }
words-semicolon = {"\u00a0"};{" "}
words-minus = moins { $number }
words-number = { $number ->
    [0] zéro
    [1] un
    [2] deux
    [3] trois
    [4] quatre
    [5] cinq
    [6] six
    [7] sept
    [8] huit
    [9] neuf
    [10] dix
   *[other] { $number }
}
words-decimal = { $whole },{ $tenth }
words-rank = { $rank ->
    [J] valet
    [C] cavalier
    [Q] dame
    [K] roi
    [A] as
   *[other] { $rank }
}
words-card = { $suit ->
    [t] { $rank ->
        [fool] le Fou
        [I] la triomphe I, le Basteleur
        [XIII] la triomphe XIII, la Mort
       *[other] la triomphe { $rank }
    }
   *[other] { $rank ->
        [A] l'
        [Q] la{" "}
       *[other] le{" "}
    }{ words-rank } { words-suit }
}
    .brief = { $suit ->
        [t] { $rank ->
            [fool] Fou
            [I] le Basteleur
            [XIII] la Mort
           *[other] triomphe { $rank }
        }
       *[other] { words-rank } { words-suit }
    }
words-suit = { $suit ->
    [s] de pique
    [h] de cœur
    [d] de carreau
    [c] de trèfle
    [w] d'épées
    [b] de bâtons
    [u] de coupes
    [o] de deniers
    [t] de triomphe
   *[other] de { $suit }
}
words-of-suit = { $suit ->
    [t] triomphes { $ranks }
   *[other] { $ranks } { words-suit }
}
words-place = la carte à la place { $number }
words-no-cards = aucune carte

words-cards = { $count ->
    [0] aucune carte
    [1] une carte
   *[other] { WORD($count) } cartes
}
words-points = { $count ->
    [0] aucun point
    [1] un point
   *[other] { WORD($count) } points
}
words-tricks = { $count ->
    [0] aucune levée
    [1] une levée
   *[other] { WORD($count) } levées
}
words-hands = { $count ->
    [0] aucune manche
    [1] une manche
   *[other] { WORD($count) } manches
}
words-deals = { $count ->
    [0] aucune donne
    [1] une donne
   *[other] { WORD($count) } donnes
}
words-stakes = { $count ->
    [0] aucune mise
    [1] une mise
   *[other] { WORD($count) } mises
}
words-players = { $count ->
    [0] aucun joueur
    [1] un joueur
   *[other] { WORD($count) } joueurs
}
words-spectators = { $count ->
    [0] aucun spectateur
    [1] un spectateur
   *[other] { WORD($count) } spectateurs
}
words-days = { $count ->
    [1] un jour
   *[other] { WORD($count) } jours
}
words-hours = { $count ->
    [1] une heure
   *[other] { WORD($count) } heures
}
words-minutes = { $count ->
    [1] une minute
   *[other] { WORD($count) } minutes
}
words-seconds = { $seconds } { $seconds ->
    [one] seconde
   *[other] secondes
}
words-minutes-seconds = { $minutes } minutes{ $seconds ->
    [0] {""}
   *[other] { " " }et { $seconds } { $seconds ->
        [one] seconde
       *[other] secondes
    }
}

words-holds = { $seat ->
    [you] tu as
   *[other] { $seat-name } a
} { $cards }
    .brief = { words-holds }
words-holds-count = { $seat ->
    [you] tu as
   *[other] { $seat-name } a
} { words-cards }
words-plays = { $leads ->
    [yes] { $seat ->
        [you] tu entames avec
       *[other] { $seat-name } entame avec
    }
   *[no] { $seat ->
        [you] tu joues
       *[other] { $seat-name } joue
    }
} { $card }
    .brief = { $leads ->
        [yes] { words-plays }
       *[no] { $seat-name } : { $card }
    }
words-played = { $leads ->
    [yes] { $seat ->
        [you] tu as entamé avec
       *[other] { $seat-name } a entamé avec
    }
   *[no] { $seat ->
        [you] tu as joué
       *[other] { $seat-name } a joué
    }
} { $card }
words-trick = levée { $number } : { $played } ; { $winner ->
    [nobody] égalité, personne ne la prend
    [you] tu l'as prise
   *[other] { $winner-name } l'a prise
}
words-tricks-taken = levées prises jusqu'ici : { $tricks }
words-gain = { $how ->
    [won] { $seat ->
        [you] tu gagnes
       *[other] { $seat-name } gagne
    } { $amount }
    [lost] { $seat ->
        [you] tu perds
       *[other] { $seat-name } perd
    } { $amount }
   *[even] { $seat ->
        [you] tu ne gagnes ni ne perds
       *[other] { $seat-name } ne gagne ni ne perd
    }
}
words-gain-so-far = { $how ->
    [won] { $seat ->
        [you] tu as gagné
       *[other] { $seat-name } a gagné
    } { $amount }
    [lost] { $seat ->
        [you] tu as perdu
       *[other] { $seat-name } a perdu
    } { $amount }
   *[even] { $seat ->
        [you] tu es à zéro
       *[other] { $seat-name } est à zéro
    }
}
words-is-to = { $seat ->
    [nobody] personne n'a à jouer
    [you] c'est à toi { $task }
   *[other] c'est à { $seat-name } { $task }
}
words-task-move = de jouer

words-typed-the = le | la | les | l'
words-typed-of = de | d'
words-typed-play = joue | jouer | je joue | entame | entamer | j'entame | jette | je jette
words-typed-card-0t = fou | le fou | l'excuse | excuse
words-typed-card-1t = le basteleur | basteleur | la triomphe i, le basteleur
words-typed-card-13t = la mort | mort | la triomphe xiii, la mort
words-typed-rank-J = valet
words-typed-rank-C = cavalier
words-typed-rank-Q = dame
words-typed-rank-K = roi
words-typed-rank-A = as
words-typed-number-1 = un | une
words-typed-number-2 = deux
words-typed-number-3 = trois
words-typed-number-4 = quatre
words-typed-number-5 = cinq
words-typed-number-6 = six
words-typed-number-7 = sept
words-typed-number-8 = huit
words-typed-number-9 = neuf
words-typed-number-10 = dix
words-typed-suit-s = pique | piques
words-typed-suit-h = cœur | coeur | cœurs | coeurs
words-typed-suit-d = carreau | carreaux
words-typed-suit-c = trèfle | trefle | trèfles | trefles
words-typed-suit-w = épées | épée | epees | epee
words-typed-suit-b = bâtons | bâton | batons | baton
words-typed-suit-u = coupes | coupe
words-typed-suit-o = deniers | denier
words-typed-suit-t = triomphes | triomphe | atouts | atout
