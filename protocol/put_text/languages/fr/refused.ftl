### Raisons du serveur : pour refuser une demande, pour prendre congé, pour fermer une table. Le client les retrouve par l'anglais.

refused-flaw = { $flaw ->
    [empty] est vide
    [spaced] commence ou finit par une espace
    [long] a plus de { $most } caractères
    [marks] a plus de { $most } signes sur une même lettre
    [mixed] mêle des lettres que l'on peut confondre, { $scripts } ; tiens-t'en à un seul alphabet
    [reserved] est réservé au serveur, ou ressemble à un nom réservé
   *[unprintable] contient un caractère qui ne peut pas s'afficher
}
refused-name = le nom { refused-flaw }
refused-talk = ce que tu dis { refused-flaw }
refused-name-here = une autre personne porte déjà ce nom ici
refused-name-looks = ce nom ressemble à celui de { $name }, déjà là
refused-name-kept = ce nom { $likeness ->
    [same] est réservé
   *[alike] ressemble à un nom réservé
} à la dernière personne qui l'a porté, jusqu'à { $days } jours après sa dernière visite : elle revient avec son jeton, ou ses mots
refused-person = personne ne porte ce nom ici
refused-yourself = c'est toi
refused-not-invited = { $name } n'accepte pas d'invitation de ta part
refused-invited-often = { $name } a reçu assez d'invitations pour l'instant ; attends un peu
refused-house = la maison n'a pas ce joueur ; il y a { $kinds }
refused-no-house = aucun joueur de la maison { $seat ->
    [0] ici
   *[other] à la place { $seat }
}

## Tables
refused-table = il n'y a pas de table { $table }
refused-tables = tu peux être à { $most } tables en même temps
refused-kept-out = qui a ouvert cette table ne t'y laisse plus entrer
refused-opener = seule la personne qui a ouvert la table peut renvoyer quelqu'un
refused-host = seul un joueur de la table, ou qui l'a ouverte, peut faire cela
refused-yourself-away = c'est toi : quitte plutôt la table
refused-person-here = personne ne porte ce nom à cette table
refused-guest-in-play = une partie est en cours : on ne renvoie quelqu'un qu'à la fin
refused-passcode-needed = cette table demande son mot de passe
refused-passcode = ce n'est pas le mot de passe de la table
refused-passcodes = trop de mauvais mots de passe : réessaie dans { $seconds } secondes
refused-passcodes-tried = De mauvais mots de passe ont été essayés à ta table { $table }. Elle n'écoute plus, pour un temps chaque fois plus long, qui les a essayés. Si tu connais cette personne, invite-la par son nom.
refused-no-seats = cette table a { $count } places
refused-no-seat = aucune place n'est libre
refused-seat = la place { $number } est prise
refused-not-seated = tu n'as pas de place à cette table
refused-not-there = tu n'es pas à cette table
refused-admits = { $name } ne peut pas prendre place ici : la table est réservée { $admits ->
    [bots] aux robots : dis-le dans hello, par is_bot
   *[people] aux personnes
}
refused-no-spectators = cette table n'admet pas de spectateurs
refused-gallery-full = la galerie est pleine
refused-seated = tu as déjà une place à cette table
refused-there = tu es déjà à cette table
refused-person-seated = { $name } a déjà une place à cette table

## Parties
refused-game = ce jeu n'existe pas ici
refused-games = ce jeu n'existe pas ici ; il y a { $games }
refused-option = { $game } n'a pas cette option ; il a { $options }
refused-value = { $option } doit être { $kind ->
    [text] un texte d'au plus { $most } caractères
    [number] un nombre entier de { $least } à { $most }
   *[one] l'une de ces valeurs : { $values }
}
refused-option-flaw = { $option } : { $flaw ->
    [twice] une carte est nommée deux fois
    [foreign] { $named } n'est pas une carte de ce jeu
   *[unknown] cette option n'existe pas
}
refused-seats = { $game } se joue avec tant de places : { $numbers }
refused-push = ce serveur n'y envoie pas de notifications
refused-deals = seule une exhibition donne des suites de paquets nommées
refused-seats-in-play = une partie est en cours ; on pourra prendre place quand elle sera finie
refused-stand-in-play = une partie est en cours : abandonne-la, ou pars, d'abord
refused-in-play = une partie est en cours
refused-analysis-in-play = une partie est en cours ; ses décisions seront pesées quand elle sera finie
refused-record-in-play = une partie est en cours ; elle sera envoyée quand elle sera finie
refused-illegal = ce n'est pas un des coups permis maintenant
refused-illegal-position = ce n'est pas un des coups permis dans cette position
refused-paused = la partie est en pause
refused-paused-already = la partie est déjà en pause
refused-not-paused = la partie n'est pas en pause
refused-pause-asked = tu as déjà demandé une pause, et la plus courte demandée compte
refused-ready = tu as déjà dit oui
refused-late = la décision { $decision } est passée
refused-early = la décision { $decision } n'est pas encore demandée
refused-turn = c'est à un autre joueur
refused-no-decision = aucune décision ne t'attend
refused-again = tu as déjà demandé une autre partie
refused-other-game = tu as accepté une autre partie que la prochaine, qui est le numéro { $game }
refused-no-game = aucune partie n'est en cours
refused-given-up = tu as abandonné cette partie
refused-finished-for-you = un autre joueur a fini cette partie à ta place
refused-never-played = tu n'as mené aucune partie à sa fin à cette table
refused-changed-nothing = cette demande n'a rien changé ; refais-la si tu le veux toujours
refused-coach-people = le conseiller n'aide que dans les parties contre la maison seule
refused-coach-blind = les cartes sont données à l'aveugle : personne d'autre ne voit les tiennes. Ouvre une table avec dealing=plain pour être conseillé
refused-analysis-blind = les cartes étaient données à l'aveugle : le serveur ne sait pas ce que les joueurs avaient en main. Le client du terminal juge une telle partie sur ta machine, s'il l'a vue en entier
refused-unsolved = le jeu parfait n'est pas connu pour { $game }{ $why ->
    [options] {" "}avec ces options, seulement avec les options habituelles
    [seats] {" "}à { $seats } joueurs, seulement à deux
    [games] {"\u00a0"}; il est connu, à deux joueurs, pour { $games }
   *[none] {""}
}
refused-entry-server = ce serveur tient la clé de ta place
refused-entry-no-deal = aucune donne n'est en cours
refused-entry = cette entrée ne peut être prise : { $flaw }
refused-entry-needed = tu tiens la clé de ta place : envoie l'entrée
refused-not-blind = à cette table on ne donne pas à l'aveugle
refused-analysis-full = trop d'analyses attendent ; redemande dans une minute
refused-analysis-many = tes demandes précédentes ne sont pas finies ; redemande quand elles le seront
refused-analysis-lost = l'analyse a échoué ; redemande
refused-position = la position n'a pas pu être calculée
refused-record-unwritten = la partie n'a pas pu être notée
refused-record-long = la partie est trop longue pour être envoyée

## Pourquoi le serveur bat seul les cartes d'une table
refused-plain = { $why ->
    [asked] la table le demande
    [arranged] le paquet est arrangé
    [house] la maison peut reprendre une place
    [package] il manque à ce serveur le paquet coincurve
    [accidents] un accident de la donne montre des cartes
    [full] trop de parties contre la maison sont données à l'aveugle en ce moment
   *[keys] personne ici ne garde la clé de ses cartes
}

## Ce qui met fin à une table ou à une place
refused-left = { $why ->
    [place] la table a été retirée, car il fallait sa place
    [empty] la table a été retirée, car personne n'y avait plus de place
    [client] ton client n'a pas fait sa part d'une donne
    [sent] qui a ouvert cette table t'en a fait partir
    [away] ton absence a duré trop longtemps
   *[gone] tu n'es plus à cette table
}

## Bonjour et au revoir
refused-version = ce serveur parle les versions { $first } et { $second } du protocole
refused-password = ce serveur demande un mot de passe
refused-token = ce jeton est inconnu, ou il a expiré
refused-token-lost = ce jeton est inconnu : le serveur a perdu une partie de ce qu'il gardait, et toi avec
refused-draining = le serveur s'arrête
refused-draining-table = le serveur s'arrête ; plus rien ne commence à la table { $table }
refused-full = le serveur est plein : il { $of ->
    [people] n'accueille plus personne
    [tables] n'a plus de place pour une table
   *[connections] ne prend plus de connexions
}
refused-crowded = { $most } { $of ->
    [people] personnes sont ici
   *[tables] tables ont été ouvertes
} depuis { $where ->
    [address] ton adresse
   *[network] ton réseau
}, autant qu'il en peut y avoir
refused-newcomers = trop de monde est venu de ton adresse : réessaie dans { $seconds } secondes
refused-gave-way = le serveur est plein, et ta place est allée à quelqu'un d'un réseau moins présent ici
refused-late-hello = un bonjour plus récent de ta part est arrivé avant celui-ci
refused-taken-over = tu as repris par une autre connexion
refused-bye = au revoir
refused-too-fast = tu as envoyé tes demandes trop vite, sans attendre quand on te le disait
refused-wait = trop de demandes : attends { $seconds } secondes
refused-no-hello = aucun bonjour n'est venu
refused-no-answer = cette partie du serveur ne répond pas pour l'instant ; réessaie
refused-part-stopped = une partie du serveur s'est arrêtée ; reviens dans un moment, tes places sont gardées
refused-part-silent = une partie du serveur ne répond pas ; réessaie dans un moment
refused-gateway-stops = cette porte du serveur se ferme ; reviens, et une autre aura tes places
refused-bug = le serveur n'a pas pu traiter ta demande ; reviens, tes places sont gardées
refused-disk = le serveur ne peut pas écrire sur son disque, et s'arrête
refused-hands-over = le serveur cède la main à son successeur ; les places sont gardées
refused-sent-away = l'opérateur t'a fait quitter le serveur{ $because ->
    [none] {""}
   *[other] {"\u00a0"}: { $because }
}
refused-time = { $unit ->
    [days] { words-days }
    [hours] { words-hours }
   *[minutes] { words-minutes }
}
refused-stops = le serveur s'arrête{ $kept ->
    [no] { $unit ->
        [none] {""}
       *[other] , et revient dans { refused-time } environ
    }
   *[yes] {"\u00a0"}; tables et places sont gardées jusqu'à son retour{ $unit ->
        [none] {""}
       *[other] , dans { refused-time } environ
    }
}
refused-will-stop = Le serveur s'arrête{ $seconds ->
    [0] { $unit ->
        [none] {""}
       *[other] , et doit revenir dans { refused-time } environ
    }
   *[other] {"\u00a0"}: les parties en cours peuvent durer encore { $seconds } secondes{ $unit ->
        [none] {""}
       *[other] {"\u00a0"}; il doit revenir { refused-time } environ après
    }
}.
refused-loss = Le serveur a perdu une partie de ce qu'il t'avait dit, et reprend à un moment antérieur. Tes tables te sont montrées à nouveau.
