### Commandes que l'on tape : ce que fait chacune, comme le dit « aide », et ce que certaines répondent.

command-hand = les cartes que tu as en main
command-legal = tous les coups que tu peux jouer maintenant
command-why = pourquoi ces coups et pas d'autres
command-table = toute la table
command-score = le score et les bourses
command-mine = tes cartes, et les levées que tu as prises
command-trick = les cartes sur la table, ou la dernière levée
command-time = le temps qui reste
command-clock = le temps qu'il y a pour décider
command-proof = si la donne est honnête : qui a battu les cartes, et ce qui est prouvé
command-who = qui est là
command-rules = comment on joue à ce jeu, ou à un autre
command-options = ce qui est convenu pour ce jeu, ou peut l'être pour un autre
command-repeat = de nouveau ce que la table a dit depuis ta dernière ligne, ou ses dernières phrases
command-log = ce qui fut dit dans cette manche, dans une autre par son numéro, dans la partie, ou depuis 10m
command-save = écrire le journal dans un fichier
command-brief = peu de mots : les choix seulement quand tu les demandes, par une ligne vide
command-full = tous les mots
command-ask = demander confirmation avant un coup qui décide d'une manche ou d'une partie, ou non
command-alone = jouer tout seuls les coups sans choix, comme une dernière carte, ou non
command-yes = faire ce qui t'est demandé ; tout autre mot ne le fait pas
command-language = entendre tout dans une autre langue : fr, ou en pour l'anglais
command-numbers = chaque événement avec son numéro, ou sans
command-say = parler à la table ; depuis la galerie, à la galerie jusqu'à la fin de la partie
command-mute = ne plus entendre ce que dit une personne
command-unmute = entendre de nouveau ce que dit une personne
command-block = ne plus entendre une personne, qui ne peut ni t'inviter ni venir aux tables que tu ouvres
command-unblock = ne plus bloquer une personne
command-again = demander une autre partie
command-analyse = ce que tes décisions de la dernière partie ont coûté, face au jeu parfait
command-coach = ce qu'il y a de mieux à faire, et pourquoi, dans une partie contre la maison seule ; elle est marquée comme conseillée
command-pause = laisser reposer la partie quand tous sont d'accord, le temps que tu dis au plus : 30m, 2h ou 7d
command-go = dire que tu es là pour reprendre après une pause
command-goon = { command-go }
command-resign = abandonner la partie et garder ta place ; on te demande confirmation
command-stand = rendre ta place, entre deux parties
command-leave = quitter la table ; pendant une partie c'est l'abandonner, et on te demande confirmation
command-tables = les tables ouvertes, et qui est là
command-lobby = { command-tables }
command-games = les jeux qu'il y a
command-houses = les joueurs de la maison qu'il y a
command-open = ouvrir une table et y prendre place, put-1674 à deux si tu ne nommes rien ; les options d'une table sont turn et bank en secondes, passcode, gallery=shut, et admits=people ou admits=bots
command-sit = prendre cette place, ou n'importe laquelle
command-watch = entrer dans la galerie
command-invite = appeler à ta table un joueur de la maison, ou une personne qui est là
command-dismiss = renvoyer un joueur de la maison, entre deux parties : par sa place ou son nom, ou le dernier venu
command-send = renvoyer quelqu'un d'une table que tu as ouverte, entre deux parties, jusqu'à ce que tu l'invites
command-help = les mots pour commencer, ou ceux d'un sujet, ou ce que fait un mot
command-quit = t'arrêter pour l'instant : ta place est gardée un temps, et on te dit comment revenir
command-exit = { command-quit }

## Une commande comme on l'entend : « asseoir TABLE, et peut-être PLACE »
command-or = ou
command-perhaps = , et peut-être
command-argument = { $name ->
    [SEAT] PLACE
    [SEATS] PLACES
    [PASSCODE] MOT-DE-PASSE
    [GAME] JEU
    [WHO] QUI
    [NAME] NOM
    [TEXT] TEXTE
    [DEAL] NUMÉRO
    [COUNT] NOMBRE
    [WHAT] QUOI
    [FILE] FICHIER
    [LENGTH] DURÉE
    [TOPIC] SUJET
    [VALUE] VALEUR
   *[other] { $name }
}
command-topic = { $topic ->
    [game] jeu
    [after] après
    [people] gens
    [tables] tables
    [hearing] écoute
    [leaving] départ
   *[all] tout
}

## Aide
command-help-lobby = Pour jouer contre la maison dis « ouvrir », puis « inviter ». Pour te joindre à d'autres dis « tables », puis « asseoir » et un numéro.
command-help-table = « main », « table » et « points » disent où l'on en est, « pourquoi » ce que tu peux faire, et « règles » comment on joue.
command-help-moves = À ton tour dis le numéro d'un choix, ou une carte, comme 3s ou le 3 de pique, ou put, voir, truquer, tenir ou jeter.
command-help-lines = Une ligne vide dit ce qui t'est demandé, et « répéter » ce qui fut dit. « fin » arrête pour l'instant.
command-help-more = Il y a plus : dis « aide » et { $topics } ou { $all } ; ou « aide » et un mot.
command-help-none = Il n'y a pas d'aide sur { $topic }. Dis « aide » et { $topics } ou { $all }.

## Réponses
command-say-repeat = Dis « répéter », ou « répéter 5 » pour les cinq dernières phrases.
command-say-seat = Quelle place ? Par exemple « asseoir 1 2 » pour la deuxième à la table 1, ou « asseoir 1 » pour n'importe laquelle.
command-say-table = Quelle table ? Par exemple : « regarder 1 ».
command-say-deal = Quelle donne ? Par exemple : « donne », ou « donne 3 ».
command-to-do-it = { $means } Dis « oui » pour le faire.{ $keeps ->
    [yes] {" "}Pour t'arrêter maintenant et garder ta place, dis « fin ».
   *[no] {""}
}
command-to-quit = { $why } Dis « oui » pour finir.
command-ends-table = Cette table finit avec le programme, et la partie avec elle.
command-table-lost = Le serveur a ouvert une table et n'a pas dit laquelle.
command-no-house = Ce joueur de la maison n'est pas à cette table.
command-invited = { $name } reçoit ton invitation.
command-sent-away = { $name } doit partir, et ne revient que si tu l'invites.
command-heard-no-more = { $kind ->
    [mute] Tu n'entends plus ce que dit cette personne.
    [unmute] Tu l'entends de nouveau.
    [block] Tu n'entends plus rien de cette personne, ni elle de toi que là où d'autres jouent.
   *[unblock] Cette personne peut de nouveau t'inviter.
}
command-few-words = { $on ->
    [yes] Tu entends peu de mots. Une ligne vide dit tes choix.
   *[no] Tu entends tout.
}
command-asked = { $on ->
    [yes] On te demande confirmation avant un coup qui décide d'une manche ou d'une partie.
   *[no] On ne te demande plus confirmation avant un coup qui décide d'une manche ou d'une partie.
}
command-played-alone = { $on ->
    [yes] Les coups sans choix se jouent tout seuls.
   *[no] Les coups sans choix t'attendent.
}
command-numbered = { $on ->
    [yes] Les événements sont numérotés.
   *[no] Les événements ne sont plus numérotés.
}
command-no-files = Ici rien ne peut s'écrire : garde ce que montre ton terminal, ou joue avec put-client, qui connaît « enregistrer ».

## Ce que le serveur offre
command-game = { $name } : { $title }, à { $seats } joueurs. D'après { $source }.
command-say-game = Dis « règles » et un nom pour savoir comment on y joue, « ouvrir » et le nom pour y jouer.
command-house = { $name } : { $meaning }.
command-say-house = Dis « inviter » et un nom.
command-rules-of = { $title }, d'après { $source }.
command-option = { $name } : { $meaning } ; { $range ->
    [none] {""}
   *[other] { $range } ;{" "}
}{ $where ->
    [here] ici
   *[default] sauf si tu dis autre chose,
} { $value ->
    [none] rien
   *[other] { $value }
}.
command-range = de { $least } à { $most }
command-no-options = { $game } n'a pas d'options.
command-no-game = Il n'y a pas de jeu « { $game } » ici. Dis « jeux » pour savoir lesquels il y a.
command-how-many = Combien de places ? Par exemple : « ouvrir { $game } { $seats } ».
command-no-option = Il n'y a pas d'option « { $name } » dans { $game }. Il y a { $options }.
command-seconds = turn et bank sont des nombres de secondes, comme « turn=60 » : pour une décision, et pour être absent en tout.
command-gallery = La galerie est ouverte (open) ou fermée (shut), comme « gallery=shut ».
command-admits = Une table admet tous (all), les personnes (people) ou les robots (bots), comme « admits=people ».

## Des lignes qu'on ne peut prendre
command-line-long = une ligne a { $most } octets au plus, et la tienne n'a pas été prise
command-line-bytes = une ligne est du texte en UTF-8, et la tienne n'a pas été prise
command-line-first = ce que tu dis d'abord doit être une ligne
command-lines-ahead = tu as tapé trop loin devant les réponses
command-no-web = ceci est un serveur de put, et non un serveur web
command-late = tu n'as pas dit qui tu es en { $minutes } minutes
