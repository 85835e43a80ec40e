### Le Put et ses parents. Une proposition commence par une minuscule et finit sans point.

put-drawn = pour la donne, { $draws }{ $tied-count ->
    [0] {""}
   *[other] ; égalité entre { $tied }, on retire
}
    .brief = {""}
put-draws = { $seat ->
    [you] tu tires
   *[other] { $seat-name } tire
} { $card }
put-dealer = { $seat ->
    [you] tu donnes
   *[other] { $seat-name } donne
} en premier
put-dealt = { $dealer ->
    [you] tu donnes
   *[other] { $dealer-name } donne
} la manche { $hand }, { $dealt } ; { $eldest ->
    [you] à toi d'entamer
   *[other] à { $eldest-name } d'entamer
}{ $cards-count ->
    [0] {""}
   *[other] ; { $own }
}
    .brief = manche { $hand } ; { $eldest ->
        [you] à toi d'entamer
       *[other] à { $eldest-name } d'entamer
    }{ $cards-count ->
        [0] {""}
       *[other] ; { $own }
    }
put-dealt-each = { words-cards } chacun
put-dealt-each-to = { words-cards } chacun à { $players }
put-dealt-to = { words-cards } à { $seat-name }
put-played = { words-plays }
    .brief = { $leads ->
        [yes] { $seat ->
            [you] tu entames
           *[other] { $seat-name } entame
        } : { $card }
       *[no] { $seat-name } : { $card }
    }
put-accident = { $law ->
    [1] { $seat ->
        [you] une de tes cartes est vue pendant la donne
       *[other] une carte de { $seat-name } est vue pendant la donne
    }
    [2] une carte du donneur est vue pendant la donne
    [3] une carte retournée est trouvée dans le paquet
    [4] { $seat ->
        [you] tu as reçu une carte de trop
       *[other] { $seat-name } a reçu une carte de trop
    }
   *[5] { $seat ->
        [you] toi qui donnes, tu as reçu une carte de trop
       *[other] { $seat-name }, qui donne, a reçu une carte de trop
    }
}{ $card ->
    [none] {""}
   *[other] : { $card }
}
put-fresh-deal = { $seat ->
    [nobody] le paquet est battu, et le même donneur donne de nouveau
    [you] tu demandes une nouvelle donne{ $points ->
        [0] {""}
       *[other] { " " }et marques { put-worth } : le score est { $scores }
    } ; le même donneur donne de nouveau
   *[other] { $seat-name } demande une nouvelle donne{ $points ->
        [0] {""}
       *[other] { " " }et marque { put-worth } : le score est { $scores }
    } ; le même donneur donne de nouveau
}
put-worth = { $points ->
    [1] un point
   *[other] { WORD($points) } points
}
put-extra-drawn = une carte est tirée, sans être vue, { $seat ->
    [you] de ta main
   *[other] de la main de { $seat-name }
} et sort du jeu
put-taken-up = la donne est gardée, et chacun prend ses cartes{ $cards-count ->
    [0] {""}
   *[other] ; { $own }
}
    .brief = la donne est gardée{ $cards-count ->
        [0] {""}
       *[other] ; { $own }
    }
put-let = { $seat ->
    [you] tu laisses
   *[other] { $seat-name } laisse
} { $partner } donner
put-the-partner = son partenaire
put-gave = { $seat ->
    [you] tu donnes
   *[other] { $seat-name } donne
} la meilleure carte{ $card ->
    [none] {""}
   *[other] , { $card },
} à { $to-name }, et { $seat ->
    [you] jettes
   *[other] jette
} les autres
    .brief = { $seat ->
        [you] tu donnes
       *[other] { $seat-name } donne
    } { $card ->
        [none] la meilleure carte
       *[other] { $card }
    } à { $to-name }
put-discarded = { $seat ->
    [you] tu jettes
   *[other] { $seat-name } jette
} { $card ->
    [none] une carte, sans la montrer
   *[other] { $card }
}
put-passed = { $seat ->
    [you] tu ne dis
   *[other] { $seat-name } ne dit
} rien
put-doubled = { $seat ->
    [you] tu truques
   *[other] { $seat-name } truque
} : la manche vaudra { $value ->
    [1] un point
   *[other] { WORD($value) } points
} ; { put-must-take }
    .brief = { $seat ->
        [you] tu truques
       *[other] { $seat-name } truque
    } : { $value ->
        [1] un point
       *[other] { WORD($value) } points
    }
put-must-take = { $to ->
    [you] à toi de tenir ou de jeter tes cartes
    [nobody] les adversaires doivent tenir ou jeter leurs cartes
   *[other] { $to-name } doit tenir ou jeter ses cartes
}
put-must-see = { $to ->
    [you] à toi de voir ou de jeter tes cartes
    [nobody] les adversaires doivent voir ou jeter leurs cartes
   *[other] { $to-name } doit voir ou jeter ses cartes
}
put-put = { $seat ->
    [you] tu dis « put »
   *[other] { $seat-name } dit « put »
} ; { put-must-see }
    .brief = { $seat ->
        [you] tu dis « put »
       *[other] { $seat-name } dit « put »
    }
put-saw = { $value ->
    [0] { $seat ->
        [you] tu vois le put et continues
       *[other] { $seat-name } voit le put et continue
    }
   *[other] { $seat ->
        [you] tu tiens
       *[other] { $seat-name } tient
    } : la manche vaut { $value ->
        [1] un point
       *[other] { WORD($value) } points
    }
}
    .brief = { $value ->
        [0] { $seat ->
            [you] tu vois
           *[other] { $seat-name } voit
        }
       *[other] { $seat ->
            [you] tu tiens
           *[other] { $seat-name } tient
        }
    }
put-threw-in = { $cause ->
    [choice] { $seat ->
        [you] tu jettes tes cartes, que personne ne voit
       *[other] { $seat-name } jette ses cartes, que personne ne voit
    }
    [time] { $seat ->
        [you] ton temps est écoulé : tes cartes sont jetées
       *[other] le temps de { $seat-name } est écoulé : ses cartes sont jetées
    }
   *[left] { $seat ->
        [you] tu abandonnes la partie
       *[other] { $seat-name } abandonne la partie
    }
}
    .brief = { $cause ->
        [choice] { $seat ->
            [you] tu jettes tes cartes
           *[other] { $seat-name } jette ses cartes
        }
       *[other] { put-threw-in }
    }
put-trick = { $winner ->
    [nobody] la levée { $number } est nulle, personne ne la prend
    [you] tu prends la levée { $number }
   *[other] { $winner-name } prend la levée { $number }
} ; { words-tricks-taken }
    .brief = { $winner ->
        [nobody] la levée { $number } est nulle
        [you] tu prends la levée { $number }
       *[other] { $winner-name } prend la levée { $number }
    }
put-hand = { $how ->
    [tricks] { $winner ->
        [you] tu gagnes
       *[other] { $winner-name } gagne
    } la manche par les levées{ put-for-points }
    [thrown_in] { $winner ->
        [you] tu gagnes
       *[other] { $winner-name } gagne
    } la manche, tous les autres ayant jeté leurs cartes{ put-for-points }
   *[drawn] la manche est nulle, personne ne la gagne, et { $anew ->
        [yes] tous les scores reviennent à zéro
       *[no] le score reste { $scores }
    }
}
    .brief = { $anew ->
        [yes] { put-hand }
       *[no] { $winner ->
            [nobody] la manche est nulle
            [you] tu gagnes la manche{ $players ->
                [2] : { $scores }
               *[other] { " " }et en es à { $score }
            }
           *[other] { $winner-name } gagne la manche{ $players ->
                [2] : { $scores }
               *[other] { " " }et en est à { $score }
            }
        }
    }
put-for-points = { $points ->
    [0] {""}
   *[other] , pour { put-worth } : le score est { $scores }
}
put-game = { put-won }, au score de { $scores }{ put-payments }
    .brief = { put-won } : { $scores }{ put-payments }
put-won = { $winners-are ->
    [nobody] personne ne gagne la partie
    [you] tu gagnes la partie
    [other] { $winners } gagne la partie
   *[many] partie gagnée par { $winners }
} { $how ->
    [points] aux points
    [put] par le put
    [outright] d'emblée
   *[forfeit] par abandon
}
put-payments = { $flows ->
    [0] {""}
   *[other] ; { $payments }
}{ $games ->
    [0] {""}
   *[other] ; { put-rubber }
}{ $goes_on ->
    [yes] ; la suivante commence
   *[no] {""}
}
put-rubber = parties gagnées dans le robre : { $rubber }
put-pays = { $seat ->
    [you] tu paies
   *[other] { $seat-name } paie
} { words-stakes }
put-receives = { $seat ->
    [you] tu reçois
   *[other] { $seat-name } reçoit
} { words-stakes }

put-to-points = la partie est en { words-points }
put-score = le score est { $scores }
put-to-points-score = { put-to-points }, et { put-score }
put-undealt = aucune manche n'a encore été donnée
put-over = la manche { $hand } est finie
put-dealing = c'est la manche { $hand }{ $dealer ->
    [nobody] {""}
   *[other] , donnée par { $dealer-name }
}{ $eldest ->
    [nobody] {""}
    [you] ; tu es premier en cartes
   *[other] ; { $eldest-name } est premier en cartes
}
put-your-partner = { $seat-name } joue avec toi
put-partners = { $names } font équipe
put-ranks = ordre des cartes, la meilleure d'abord : { $ranks }
put-given = { $seat ->
    [you] tu as
   *[other] { $seat-name } a
} donné la meilleure carte à { $partner }
put-you-gave = tu as donné { $card }
put-you-threw = tu as jeté { $cards }
put-out = { $seat ->
    [you] tu ne joues plus
   *[other] { $seat-name } ne joue plus
} cette manche
put-on-the-table = sur la table : { $played }
put-empty-table = il n'y a pas de carte sur la table
put-has-put = { $seat ->
    [you] tu as
   *[other] { $seat-name } a
} dit « put »{ put-seen }
put-seen = { $seers ->
    [0] {""}
   *[other] , vu par { $seen }
}
put-has-doubled = { $seat ->
    [you] tu as truqué
   *[other] { $seat-name } a truqué
}{ $seers ->
    [0] {""} : la manche vaut { words-points } pour l'instant
   *[other] , tenu par { $seen } : la manche vaut { words-points }
}

put-task-accident = de dire ce que devient la donne
put-task-give = de donner la meilleure carte, ou d'en recevoir une
put-task-discard = de jeter une carte
put-task-opening = de dire « put », ou rien
put-task-lead = d'entamer
put-task-reply = de jouer dans la levée
put-task-answer = de voir le put, ou de jeter les cartes
put-task-answer-double = de tenir, ou de jeter les cartes
put-task-last-say = de dire « put », ou de jeter les cartes

put-typed-put = put | je dis put | je mets | dis put
put-typed-see = vois | voir | je vois | tiens | tenir | je tiens | tiens bon | accepte | j'accepte
put-typed-throw = jette | jeter | je jette | jette tes cartes | je jette mes cartes | passe la main | abandonne la manche
put-typed-pass = passe | je passe | rien | ne dis rien
put-typed-double = truque | truquer | je truque | truc | double | je double
put-typed-give = donne | je donne | donne ma meilleure carte
put-typed-let = laisse | je laisse | laisse donner
put-typed-redeal = redonne | nouvelle donne
put-typed-abide = garde | garde la donne | tire
put-cannot-put = Tu ne peux pas dire « put » maintenant.
put-cannot-see = Il n'y a rien à voir ou à tenir maintenant.
put-cannot-throw = Tu ne peux pas jeter tes cartes maintenant.
put-cannot-pass = Tu ne peux pas passer maintenant.
put-cannot-double = Tu ne peux pas truquer maintenant.
put-cannot-give = Tu ne peux pas donner maintenant.
put-cannot-let = Tu ne peux pas laisser donner ton partenaire maintenant.
put-cannot-redeal = Tu ne peux pas demander une nouvelle donne maintenant.
put-cannot-abide = Tu ne peux pas garder la donne maintenant.

put-lead = entame avec { $card }
put-play = joue { $card }
put-throw-away = jette { $card }
put-say-put = dis « put » : l'autre jette ses cartes pour un point, ou cette manche décide de la partie
put-say-put-inviting = dis « put » : invite l'autre à jeter ses cartes pour un point
put-offer-to-double = truque : la manche vaudra { put-choice-points }
put-take-double = tiens : la manche vaut { put-choice-points }
put-see-put = vois le put : cette manche décide de la partie
put-see-inviting = vois le put et continue
put-throw-in = jette tes cartes et cède { put-choice-points }
put-throw-in-if-seen = jette tes cartes : les autres jouent la partie
put-throw-in-if-all = jette tes cartes : si tous le font, qui a dit « put » a un point
put-say-nothing = ne dis rien
put-give = donne ta meilleure carte à qui joue avec toi, et laisse-le jouer pour deux
put-let-give = reçois la meilleure carte de qui joue avec toi, et joue pour deux
put-redeal = demande une nouvelle donne
put-redeal-for-a-point = marque un point et demande une nouvelle donne
put-abide = garde la donne
put-abide-drawn = fais tirer la carte de trop, sans la voir, et joue
put-choice-points = { $points ->
    [1] un point
   *[other] { WORD($points) } points
}

put-asks-accident = Un accident pendant la donne : que devient-elle ?
put-asks-give = Donnes-tu ta meilleure carte, ou en reçois-tu une ?
put-asks-discard = Tu as quatre cartes : jettes-en une.
put-asks-opening = Avant la première levée : dis « put », ou rien.
put-asks-lead = Entame la levée { $number }{ put-asks-more }.
put-asks-reply = Joue dans la levée { $number }{ put-asks-more }.
put-asks-more = { $more ->
    [double] , ou truque d'abord
    [put] , ou dis « put » d'abord
    [throw] , ou dis « put », ou jette tes cartes
   *[none] {""}
}
put-asks-last-say = La première levée est finie : dis « put », ou jette tes cartes.
put-asks-answer = Vois-tu le put, ou jettes-tu tes cartes ?
put-asks-answer-double = Tiens-tu, ou jettes-tu tes cartes ?

put-why-accident = Les Lois du Put te laissent choisir, avant qu'on ne regarde ses cartes.
put-why-give = Un seul de chaque camp joue pour deux ; qui donne jette ses autres cartes.
put-why-discard = Tu as reçu une carte, et tu joues pour deux avec trois.
put-why-opening = Maintenant ou jamais : plus de put après la première carte.
put-why-last-say = Pas de deuxième levée sans put vu : dis « put », ou cède un point.
put-why-nobody-put = Pas de put avant la première carte : la manche se joue pour un point.
put-why-follow = Seul qui entame peut dire « put » ou jeter ; qui suit doit jouer.
put-why-put = Pas encore de put : la manche vaut un point, jusqu'à ce qu'on le dise.
put-why-lead-final = Seul qui entame peut dire « put » ou jeter. Qui gagne la manche gagne tout.
put-why-lead = Tu parles d'abord ; si tu entames, l'autre peut dire « put » ou jeter.
put-why-reply = Ta seule chance de dire « put » ou de jeter : si tu joues, l'autre conclut.
put-why-bound = Ton put est vu : maintenant, tu dois entamer.
put-why-bound-double = Ton truc est tenu : maintenant, tu dois jouer.
put-why-bound-final = Le put est vu : qui gagne cette manche gagne la partie.
put-why-double = La manche vaut { put-choice-points } ; qui va jouer peut truquer d'abord.
put-why-no-double = La manche vaut déjà tout ce qu'il faut pour gagner : on ne truque plus.
put-why-take = Jette, et tu cèdes { put-choice-points } ; tiens, et la manche en vaut { WORD($taken) }.
put-why-see-inviting = Jette, et l'autre a un point. Vois : l'autre doit entamer, et on continue.
put-why-see-too = Le put est vu : vois aussi, et joue la partie, ou jette et sors.
put-why-see-among-many = Si tous jettent, un point ; si quelqu'un voit, la manche décide de la partie.
put-why-see = Jette, et l'autre a un point ; vois, et cette manche décide de la partie.
