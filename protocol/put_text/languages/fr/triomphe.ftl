### La Triomphe forcée. Une proposition commence par une minuscule et finit sans point.

triomphe-turned-up = on retourne des cartes pour la donne, jusqu'à la première triomphe : { $turned } ; { triomphe-deals-first }
    .brief = { triomphe-deals-first }
triomphe-turned-card = { $card } pour { $seat-name }
triomphe-deals-first = { $dealer ->
    [you] tu donnes
   *[other] { $dealer-name } donne
} en premier
triomphe-dealt = { $dealer ->
    [you] tu donnes
   *[other] { $dealer-name } donne
} la manche { $hand }, { $dealt } ; { $staked }, et le pot est de { $pool } ; { $eldest ->
    [you] à toi de jouer en premier
   *[other] à { $eldest-name } de jouer en premier
}{ $cards-count ->
    [0] {""}
   *[other] ; { $own }
}
    .brief = manche { $hand }{ $eldest ->
        [you] ; à toi d'entamer
       *[other] {""}
    }{ $cards-count ->
        [0] {""}
       *[other] ; { $own }
    }
triomphe-dealt-each = { words-cards } chacun
triomphe-dealt-each-to = { words-cards } chacun à { $players }
triomphe-dealt-uneven = cartes données : { $counts }
triomphe-dealt-uneven-to = cartes données : { $counts }, à { $players }
triomphe-stakes-each = chacun mise { $stake }
triomphe-stakes-uneven = les mises sont { $stakes }
triomphe-la-mort = { $seat ->
    [you] tu montres
   *[other] { $seat-name } montre
} { $card }
    .brief = { triomphe-la-mort }
triomphe-declared = { $seat ->
    [you] tu annonces
   *[other] { $seat-name } annonce
} { $declared }, et { $seat ->
    [you] touches
   *[other] touche
} { $paid ->
    [0] zéro
   *[other] { $paid }
} du pot
    .brief = { $seat ->
        [you] tu annonces
       *[other] { $seat-name } annonce
    } { $declared }
triomphe-the-fool = le Fou
triomphe-la-force = la Force, { $card }
    .brief = la Force
triomphe-played = { words-plays }
    .brief = { $leads ->
        [yes] { $seat ->
            [you] tu entames
           *[other] { $seat-name } entame
        } : { $card }
       *[no] { $seat-name } : { $card }
    }
triomphe-trick = { $winner ->
    [you] tu prends
   *[other] { $winner-name } prend
} la levée { $number } ; { words-tricks-taken }
    .brief = { $winner ->
        [you] tu prends
       *[other] { $winner-name } prend
    } la levée { $number }
triomphe-hand = { $how ->
    [la_mort] { triomphe-wins } par la Mort, et { $winner ->
        [you] prends
       *[other] prend
    } les mises, { $paid }
    [emptied] { $winner ->
        [nobody] la manche est finie, car il ne reste rien du pot
       *[other] les annonces ont vidé le pot, et la manche est finie ; { $winner ->
            [you] tu
           *[other] { $winner-name }
        } { triomphe-takes }
    }
    [most] { triomphe-wins } par le plus de levées, et { triomphe-takes }
    [second_first] { triomphe-wins }, avec deux levées avant l'autre qui en a deux, et { triomphe-takes }
    [first_trick] { triomphe-wins }, par la première levée, chacun des cinq en ayant une, et { triomphe-takes }
   *[alone] { triomphe-wins }, tous les autres étant partis, et { triomphe-takes }
}
    .brief = { $winner ->
        [nobody] { triomphe-hand }
       *[other] { triomphe-wins } : { $paid ->
            [0] zéro
           *[other] { $paid }
        }
    }
triomphe-wins = { $winner ->
    [you] tu gagnes
   *[other] { $winner-name } gagne
} la manche
triomphe-takes = { $winner ->
    [you] prends
   *[other] prend
} { $paid ->
    [0] zéro
   *[other] { $paid }
} du pot

triomphe-sitting = la séance est de { words-hands }, et chacun mise { $stake } par manche
triomphe-force = la Force est { $card }
triomphe-undealt = aucune manche n'a encore été donnée
triomphe-over = la manche { $hand } est finie
triomphe-dealing = c'est la manche { $hand }{ $dealer ->
    [nobody] {""}
   *[other] , donnée par { $dealer-name }
}{ $eldest ->
    [nobody] {""}
    [you] ; tu as joué en premier
   *[other] ; { $eldest-name } a joué en premier
}
triomphe-on-the-table = sur la table : { $played }
triomphe-empty-table = il n'y a pas de carte sur la table
triomphe-task-lead = d'entamer
triomphe-task-follow = de jouer dans la levée
triomphe-showed = { $seat ->
    [you] tu as
   *[other] { $seat-name } a
} montré { $cards }
triomphe-gains = dans cette séance, { $gains }
triomphe-pool = le pot est de { $pool }
triomphe-trumps = les triomphes vont de XXI, la meilleure, à I, et battent toutes les couleurs ; le Fou ne bat rien
triomphe-suits = épées et bâtons : roi, dame, cavalier, valet, puis de 10 à 1 ; coupes et deniers : roi, dame, cavalier, valet, puis de 1 à 10
triomphe-typed-play = joue | jouer | entame | entamer

triomphe-lead = entame avec { $card }
triomphe-play = joue { $card }
triomphe-lead-fool = entame avec le Fou : il ne prend jamais la levée
triomphe-play-fool = joue le Fou : il ne prend jamais la levée
triomphe-asks-lead = Entame la levée { $number }.
triomphe-asks-play = Joue dans la levée { $number }.
triomphe-why-lead = Qui entame joue la carte qu'il veut.
triomphe-why-fool = Seul le Fou est joué : joue ce que tu veux, ta carte donne la couleur.
triomphe-why-follow = { $suit ->
    [t] Triomphe demandée : fournis si tu peux, sinon à ton gré ; le Fou toujours.
    [w] Épées demandées : fournis, sinon coupe, sinon à ton gré ; le Fou toujours.
    [b] Bâtons demandés : fournis, sinon coupe, sinon à ton gré ; le Fou toujours.
    [u] Coupes demandées : fournis, sinon coupe, sinon à ton gré ; le Fou toujours.
   *[o] Deniers demandés : fournis, sinon coupe, sinon à ton gré ; le Fou toujours.
}
