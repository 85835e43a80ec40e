### La page de ce qu'ont coûté les décisions d'une partie.

review-awaited = Tes décisions sont à l'étude. Un instant.
review-more = D'autres sont à l'étude.
review-assumed = Les chances sont celles de gagner la partie si les deux joueurs jouaient parfaitement ensuite. On te juge d'après ce que tu savais : les cartes que tu n'as pas vues sont pesées d'après la façon dont on les aurait jouées.
review-place = manche
review-cards = cartes
review-did = ton coup
review-before = avant
review-after = après
review-cost = coût
review-held = tu avais
review-perfect = Jeu parfait : { $best }.
review-moment = { $moment ->
    [last_say] fin
    [reply] suite
    [lead] entame
    [answer] réponse
   *[other] { $moment }
}
review-quality = { $quality ->
    [slip] écart
    [mistake] erreur
    [blunder] bourde
   *[other] { $quality }
}
review-do-put = put
review-do-see = voir
review-do-throw = jeter
review-do-pass = passer
review-do-double = truquer

## Ce que coûtent les décisions, et pourquoi, en phrases.
review-percent = { $limit ->
    [low] moins de 0,1 %
    [high] plus de 99,9 %
   *[none] { $tenth ->
        [0] { $whole } %
       *[other] { $whole },{ $tenth } %
    }
}
review-nothing = rien
review-something-else = autre chose
review-opponent = ton adversaire
review-at = manche { $hand }, levée { $trick }, à toi { $task }
review-named = { $quality ->
    [fine] Bien joué
    [slip] Un écart
    [mistake] Une erreur
   *[blunder] Une bourde
}
review-decision = { review-named } : { $place }, au score de { $scores }. Tu avais { $cards }, et ton choix fut : { $done }.
review-judged = { $quality ->
    [fine] Juste
    [slip] Un écart
    [mistake] Une erreur
   *[blunder] Une bourde
} : { $done }.
review-fine = Cela ne coûte rien : ta chance de gagner la partie est de { $after }.
review-lost = Ta chance de gagner la partie est passée de { $before } à { $after }, ce qui coûte { $cost }.
review-best = Jeu parfait : { $best }.
review-undecided = Dans la partie { $game }, rien n'était laissé à ton choix.
review-decisions = { $count ->
    [1] Ta décision
   *[other] Tes { $count } décisions
}
review-free = { review-decisions } de la partie { $game } { $count ->
    [1] n'a
   *[other] n'ont
} rien coûté, face au jeu parfait.
review-total = { review-decisions } de la partie { $game } { $count ->
    [1] a
   *[other] ont
} coûté { $cost } d'une partie, face au jeu parfait ; { $costly ->
    [0] aucune ne coûte 1 % ou plus
    [1] l'une coûte 1 % ou plus
   *[other] { $costly } coûtent 1 % ou plus chacune
}.
review-number = la { $number }
review-dearest = Les plus chères : { $numbers }.
review-line = { $number }. { $place } ({ $held }) : { $done } ; de { $before } à { $after }, { $loses ->
    [yes] ce qui coûte { $cost }
   *[no] sans rien coûter
}{ $quality ->
    [fine] {""}
    [slip] , un écart
    [mistake] , une erreur
   *[blunder] , une bourde
} ; jeu parfait : { $best }
review-no-choice = Il n'y a rien à choisir ici.
review-coach = Conseil : { $best }.
review-weighed = { $choice } : { $chance } de gagner la partie ; le jeu parfait { $often ->
    [never] ne le fait jamais ici
    [hardly] ne le fait presque jamais ici
    [always] le fait toujours ici
   *[other] le fait { $share } du temps
}.
review-reason = { $best } : { $why }.
review-wins = cela gagne { $chance } des parties
review-wins-more = cela gagne { $chance } des parties, et « { $next } » { $less }
review-score = au score de { $own } à { $other }, { $means }
review-beaten = { $count ->
    [0] aucune des { $of } cartes que les autres peuvent avoir ne la bat
    [1] une des { $of } cartes que les autres peuvent avoir la bat
   *[other] { WORD($count) } des { $of } cartes que les autres peuvent avoir la battent
}
review-won = jusqu'au bout, { $prize ->
    [hand] la manche est gagnée
    [pool] le pot est gagné
   *[pot] le pot de { $worth } est gagné
} { $times } fois sur 100
