table-sat = { $seat ->
    [you] tu t'assois
   *[other] { $kind ->
        [house] { $name }, de la maison, s'assoit
        [bot] { $name }, un robot, s'assoit
       *[person] { $name } s'assoit
    }
} à la place { $number }
table-stood = { $seat ->
    [you] tu quittes
   *[other] { $name } quitte
} la place { $number }
table-started = la partie { $game } commence : { $players }
    .brief = { $game ->
        [1] { table-started }
       *[other] la partie { $game } commence
    }
table-deals-alone = Le serveur donne seul : { $why }
table-agreed = { $seat ->
    [you] tu veux
   *[other] { $seat-name } veut
} jouer une autre partie
table-presence = { $away ->
    [yes] { $seat ->
        [you] tu as
       *[other] { $seat-name } a
    } perdu la connexion
   *[no] { $seat ->
        [you] te revoilà
       *[other] revoilà { $seat-name }
    }
}
table-pause-asked = { $seat ->
    [you] tu demandes
   *[other] { $seat-name } demande
} une pause, au plus long : { $length }
table-paused = tout le monde accepte une pause, au plus long : { $length } ; les horloges sont arrêtées
table-go-on-asked = { $seat ->
    [you] tu veux
   *[other] { $seat-name } veut
} reprendre
table-went-on = { $by_time ->
    [yes] la pause est finie, son temps est écoulé
   *[no] la pause est finie, et la partie reprend
}
table-said = { $seat ->
    [you] tu dis
    [nobody] { $name }, du public, dit
   *[other] { $name } dit
} : « { $text } »
table-said-muted = { $name }, que tu ne veux plus entendre, dit quelque chose
table-timed-out = { $seat ->
    [you] ton temps est écoulé
   *[other] le temps de { $seat-name } est écoulé
}
    .brief = { $seat ->
        [you] ton temps est écoulé
       *[other] {""}
    }
table-left-game = { $seat ->
    [you] tu abandonnes
   *[other] { $seat-name } abandonne
} la partie
table-over = la partie est finie{ $winners-are ->
    [nobody] {""}
    [you] , et tu gagnes
    [many] ; gagnants : { $winners }
   *[other] , et { $winners } gagne
} : { $gained }
table-blind = les cartes sont données à l'aveugle : { $sees }
table-blind-sees = { $seat ->
    [you] personne d'autre ne voit tes cartes
   *[other] personne d'autre que { $seat-name } ne voit ses cartes
}
table-blind-server = ce serveur peut voir les cartes de { $names }
table-blind-read = les cartes sont données à l'aveugle : ce serveur peut lire toutes les mains de cette partie, et ne peut pas les choisir
table-part-missed = { $seat ->
    [you] tu n'as pas fait ta part de la donne, et tu perds
   *[other] { $seat-name } n'a pas fait sa part de la donne, et perd
} { $loses ->
    [seat] la place
   *[other] la main suivante
} ({ $missed } dans cette partie)
table-a-player = quelqu'un
