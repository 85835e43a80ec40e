### Primero. Une proposition commence par une minuscule et finit sans point.

## Événements
primero-turned-up = on retourne des cartes pour la donne, jusqu'au premier as : { $turned } ; { $dealer ->
    [you] tu donnes
   *[other] { $dealer-name } donne
} en premier
    .brief = { $dealer ->
        [you] tu donnes
       *[other] { $dealer-name } donne
    } en premier
primero-turned-card = { $card } pour { $seat-name }
primero-dealt = { $dealer ->
    [you] tu donnes
   *[other] { $dealer-name } donne
} { $again ->
    [yes] de nouveau{" "}
   *[no] {""}
}la manche { $hand }, deux cartes chacun{ $to ->
    [everyone] {""}
   *[other] {" "}à { $to }
}{ $again ->
    [yes] {""}
   *[no]  ; chaque joueur met un au pot
} ; { primero-speaks }
    .brief = manche { $hand }{ $again ->
        [yes] {" "}de nouveau
       *[no] {""}
    } ; { primero-speaks }
primero-speaks = { $eldest ->
    [you] à toi de parler
   *[other] à { $eldest-name } de parler
} en premier{ $own ->
    [none] {""}
   *[other]  ; { $own }
}
primero-more = encore deux cartes chacun : { $names }{ $own ->
    [none] {""}
   *[other]  ; { $own } en plus
}
    .brief = { $gets ->
        [none] encore deux cartes chacun
       *[other] { $gets }
    }
primero-gets = { $seat ->
    [you] tu reçois
   *[other] { $seat-name } reçoit
} { $cards }
    .brief = { primero-gets }
primero-thrown-in = personne n'a parié, et les cartes sont jetées et données de nouveau{ $ends_trading ->
    [yes] , sans échange à la prochaine donne
   *[no] {""}
} ; le pot reste
    .brief = pas de pari : on redonne{ $ends_trading ->
        [yes] , sans échange
       *[no] {""}
    }
primero-traded = { $seat ->
    [you] tu poses
   *[other] { $seat-name } pose
} { primero-cards }
    .brief = { $seat ->
        [you] {""}
       *[other] { $seat-name } échange { words-cards }
    }
primero-cards = { $cards-count ->
    [0] { words-cards } sans montrer
   *[other] { $cards }
}
primero-drew = { $seat ->
    [you] tu tires
   *[other] { $seat-name } tire
} { primero-cards } ; { primero-in-stock }
    .brief = { $cards-count ->
        [0] {""}
       *[other] { $seat ->
            [you] tu tires
           *[other] { $seat-name } tire
        } { $cards }
    }
primero-in-stock = { $stock ->
    [0] il ne reste rien au talon
   *[other] il reste { $left } au talon
}
primero-stock-renewed = le talon est épuisé : les cartes posées et celles des joueurs hors jeu, mêlées, en font un autre de { $left }
    .brief = le talon est refait
primero-raised = { $seat ->
    [you] tu relances de { $amount } et paies
   *[other] { $seat-name } relance de { $amount } et paie
} { $paid } : pour voir il faut { $level } en tout
    .brief = { $seat ->
        [you] tu relances
       *[other] { $seat-name } relance
    } de { $amount }, à { $level }
primero-bid = { $seat ->
    [you] tu paries
   *[other] { $seat-name } parie
} { $amount }
    .brief = { primero-bid }
primero-saw = { $seat ->
    [you] tu tiens le pari et paies
   *[other] { $seat-name } tient le pari et paie
} { $paid }
    .brief = { $seat ->
        [you] tu tiens
       *[other] { $seat-name } tient
    }
primero-refused = { $seat ->
    [you] tu refuses
   *[other] { $seat-name } refuse
} le pari
    .brief = { $seat ->
        [you] tu refuses
       *[other] { $seat-name } refuse
    }
primero-withdrawn = personne ne tient le pari : { $seat ->
    [you] tu reprends { $paid } et ne peux
   *[other] { $seat-name } reprend { $paid } et ne peut
} plus relancer dans ce tour{ $bettor ->
    [nobody] {""}
    [you]  ; ton pari vaut de nouveau, { $level } en tout
   *[other]  ; le pari de { $bettor-name } vaut de nouveau, { $level } en tout
}
    .brief = personne ne tient : { $seat ->
        [you] tu reprends
       *[other] { $seat-name } reprend
    } { $paid }{ $bettor ->
        [nobody] {""}
        [you]  ; ton pari de { $level } vaut
       *[other]  ; le pari de { $bettor-name }, { $level }, vaut
    }
primero-passed = { $seat ->
    [you] tu passes
   *[other] { $seat-name } passe
}
primero-out = hors de la manche : { $seats } ; personne ne voit les cartes
    .brief = hors jeu : { $seats }
primero-vada = { $seat ->
    [you] tu dis
   *[other] { $seat-name } dit
} vada : chacun montre aussitôt
primero-went-on = { $seat ->
    [you] tu continues
   *[other] { $seat-name } continue
}
    .brief = {""}
primero-announced = { $seat ->
    [you] tu annonces
   *[other] { $seat-name } annonce
} { primero-category }
primero-category = { $category ->
    [numerus] un Numerus
    [primero] un Primero
    [supremus] un Supremus
    [fluxus] un Fluxus
   *[chorus] un Chorus
}
primero-stood = { $seat ->
    [you] tu gardes
   *[other] { $seat-name } garde
} toutes { $seat ->
    [you] tes
   *[other] ses
} cartes
    .brief = { $seat ->
        [you] tu gardes tout
       *[other] { $seat-name } garde tout
    }
primero-betting-over = ce tour de paris est fini
    .brief = {""}
primero-shown = { $seat ->
    [you] tu montres
   *[other] { $seat-name } montre
} { $cards }, { primero-category } de { words-points }
    .brief = { $seat ->
        [you] tu montres
       *[other] { $seat-name } montre
    } { primero-category } de { $count }
primero-shows-none = personne ne montre ses cartes
primero-hand = { $winner ->
    [you] tu prends
   *[other] { $winner-name } prend
} le pot de { $paid }, { $how ->
    [showdown] pour le meilleur jeu
   *[alone] tous les autres étant hors jeu
}
    .brief = { $winner ->
        [you] tu prends
       *[other] { $winner-name } prend
    } le pot de { $paid }

## Vues
primero-running = { $count ->
    [1] une donne a été jetée
   *[other] { words-deals } de suite ont été jetées
}, chacun ayant échangé
primero-undealt = aucune manche n'a encore été donnée
primero-over = la manche { $hand } sur { $hands } { $pot ->
    [0] est finie
   *[other] est à redonner
}
primero-this-is = c'est la manche { $hand } sur { $hands }{ $dealer ->
    [nobody] {""}
   *[other] , donnée par { $dealer-name }
}{ $eldest ->
    [nobody] {""}
    [you]  ; tu parles en premier
   *[other]  ; { $eldest-name } parle en premier
}
primero-laid-down = tu as posé { $cards }
primero-has-announced = { $seat ->
    [you] tu as
   *[other] { $seat-name } a
} annoncé { primero-category }
primero-is-out = { $seat ->
    [you] tu es
   *[other] { $seat-name } est
} hors de cette manche
primero-holds = { words-holds-count }{ $traded ->
    [0] {""}
   *[other] , dont { $trades } par échange
}
primero-the-bet = le pari est { $seat ->
    [you] le tien
   *[other] de { $seat-name }
} : pour voir il faut { $level } en tout dans ce tour
primero-put-in = mis jusqu'ici : { $counts }
primero-refused-it = l'ont refusé : { $names }
primero-barred = pari repris, et plus de relance : { $names }
primero-sitting = la séance est de { words-hands }, et un pari ou une relance de { $limit } au plus
primero-pack = le jeu a 40 cartes, sans les huit, les neuf et les dix
primero-way-round = on joue vers la droite, dans le sens inverse des aiguilles d'une montre
primero-gains = dans cette séance, { $gains }
primero-pot = le pot est de { $pot }
primero-task-open = de parier ou d'échanger
primero-task-answer = de répondre au pari
primero-task-vada = de dire vada ou de continuer
primero-task-announce = d'annoncer un jeu
primero-task-bet = de parier ou de passer
primero-task-trade = d'échanger ou de garder

## Choix, questions et raisons, comme les règles les ont
primero-choose-bet = parie { $amount }
primero-choose-raise = relance de { $amount } : paie { $paid }
primero-choose-see = tiens le pari : paie { $paid }
primero-choose-refuse = refuse le pari
primero-choose-out = refuse le pari : tu es hors jeu
primero-choose-pass = passe
primero-choose-trade = échange { $cards }
primero-choose-vada = dis vada : chacun montre maintenant
primero-choose-stand = garde tout : { primero-own }
primero-choose-go-on = continue : tu as { primero-own }
primero-choose-announce = annonce { primero-category } : { $beside ->
    [more] plus que ton jeu
    [less] moins que ton jeu
   *[own] tu as { primero-category } de { $points }
}
primero-own = { primero-category } de { $points }
primero-asks-open = Parie, ou échange une carte ou les deux.
primero-asks-answer = Tiens-tu le pari, relances-tu ou refuses-tu ?
primero-asks-vada = Vada, et chacun montre aussitôt ? Ou continues-tu ?
primero-asks-announce = Annonce quel jeu tu as.
primero-asks-bet = Parie, ou passe.
primero-asks-trade = Échange une carte ou deux, ou garde tout.
primero-asks-taker = Tiens-tu le pari, ou relances-tu ?
primero-asks-no-raise = Tiens-tu le pari, ou refuses-tu ?
primero-asks-no-trade = Parie : personne ne peut échanger dans cette donne.
primero-why-open = Après le premier pari plus d'échange. Si chacun échange, on redonne.
primero-why-answer = Qui refuse sort si un autre tient ; sinon le pari est repris.
primero-why-vada = On le demande à tous ; seul un Primero ou un Fluxus permet vada.
primero-why-announce = Pas moins que ton jeu ; un Chorus peut répéter Primero, Supremus, Fluxus.
primero-why-bet = Dans ce tour nul ne doit tenir un pari ; refusé de tous, il te revient.
primero-why-trade = Ensuite on montre. Tu ne peux pas reprendre ce que tu poses.
primero-why-taker = Tous ont refusé le premier pari de la manche : tu dois le tenir.
primero-why-taken = Quelqu'un a tenu le pari : qui le refuse sort de la manche.
primero-why-no-raise = Qui refuse sort si un autre tient. Tu ne peux plus relancer.
primero-why-no-trade = Trois donnes de suite chacun a échangé : qui parle en premier parie.

## Ce qu'on tape, et ce qui est dit quand cela ne va pas maintenant
primero-typed-bet = parie | parier | je parie | mise | miser | je mise
primero-typed-raise = relance | relancer | je relance
primero-typed-see = vois | voir | je vois | tiens | tenir | je tiens | tiens le pari
primero-typed-refuse = refuse | refuser | je refuse | refuse le pari
primero-typed-pass = passe | passer | je passe
primero-typed-trade = échange | échanger | j'échange | echange | echanger | pose | poser | change | changer
primero-typed-stand = garde | garder | je garde | garde tout
primero-typed-vada = vada | dis vada | je dis vada
primero-typed-go-on = continue | continuer | je continue | non
primero-typed-announce = annonce | annoncer | j'annonce
primero-cannot-see = Il n'y a pas de pari à tenir pour toi maintenant.
primero-cannot-refuse = Il n'y a pas de pari à refuser pour toi maintenant, ou tu dois le tenir.
primero-cannot-raise = Tu ne peux pas relancer maintenant.
primero-cannot-bet = Tu ne peux pas parier maintenant.
primero-cannot-vada = Tu ne peux pas dire vada : il faut un Primero ou un Fluxus, et qu'on te le demande.
primero-cannot-pass = Tu ne peux pas passer maintenant.
primero-cannot-trade = Tu ne peux pas échanger maintenant.
primero-cannot-stand = Tu ne peux pas garder tes cartes maintenant.
primero-cannot-go-on = Tu ne peux pas continuer maintenant.
primero-cannot-announce = Tu ne peux pas annoncer maintenant.
