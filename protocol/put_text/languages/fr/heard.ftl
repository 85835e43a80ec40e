### Ce qu'on entend à une table et au salon : réponses à ce qu'on tape, et ce que dit le serveur.

## Nulle part, et à une table.
heard-greeting = Tu es { $name }, chez { $server }. Dis « aide » pour avoir de l'aide.
heard-nowhere = Tu n'es à aucune table. Dis « tables » pour les entendre, « jeux » pour savoir ce qu'on joue ici, « ouvrir » pour en ouvrir une.
heard-no-table-open = Aucune table n'est ouverte. Dis « ouvrir » pour en ouvrir une.
heard-here-are = Sont là : { $names }.
heard-one-table = Tu es aussi à la table { $other }, mais une connexion suit une seule table : quitte la table { $here } et reviens pour suivre la table { $other }.
heard-in-seat = { $who } à la place { $number }
heard-in-seat-ready = { $who } à la place { $number }, d'accord pour une autre partie
heard-at-table = Tu es { $seat ->
    [gallery] dans la galerie
   *[other] à la place { $seat }
} de la table { $table }{ $after ->
    [none] .
   *[other] , après l'événement { $after }.
}
heard-left = Tu n'es plus à la table { $table } : { $why }.
heard-notice = { $speaker ->
    [operator] L'opérateur du serveur
   *[server] Le serveur
} dit : { $says }
heard-invited = { $by } t'invite à la table { $table }, { $game } : dis « { $command } » pour t'y asseoir.
heard-too-fast = C'était trop rapide : attends { $time }, et redis-le.
heard-table = Table { $table }, { $game } : { $seats } ; { $about }.
heard-table-filling = on attend des joueurs
heard-table-playing = la partie { $game } est en cours
heard-table-paused = la partie { $game } est en pause
heard-table-between = entre deux parties
heard-table-begins = la première partie va commencer
heard-table-turn = { $time } par coup
heard-table-locked = avec mot de passe
heard-table-no-spectators = sans spectateurs
heard-table-for-people = pour humains seulement
heard-table-for-bots = pour robots seulement
heard-table-assisted = avec le conseil
heard-table-exhibition = une exhibition, où rien ne compte
heard-no-player = personne
heard-house = de la maison
heard-house-named = de la maison, { $name }
heard-bot = robot
heard-away = hors ligne
heard-gone = n'est plus là
heard-among-them = { $watchers }, toi compris
heard-gallery-only = Pendant une partie, seule la galerie entend ce que dit la galerie.
heard-by-table = Toute la table entend ce que tu dis.
heard-by-all = Toute la table et la galerie entendent ce que tu dis.

## Un coup.
heard-move = À toi : { $choices }.
heard-asked = À toi. { $asks }
heard-can = Tu peux : { $choices }.
heard-partner = Ton partenaire : { $names }.
heard-about-to = Ton coup : « { $does } ». Dis « oui » pour le faire, ou joue autre chose.
heard-ask-off = Pour qu'on ne te le demande plus avant un tel coup, dis « confirmer off ».
heard-with-card = { $says } avec { $won }.
heard-no-cards = Tu n'as pas de cartes.
heard-hold = Tu as { $cards }.
heard-hold-taken = { $holds }, et levées prises : { $tricks }.
heard-no-card-yet = On n'a encore joué aucune carte.
heard-no-tricks = Ce jeu n'a pas de levées.
heard-on-table = sur la table, { $played }
heard-last-trick = à la dernière levée, { $played }, et { $winner ->
    [nobody] c'était une égalité
    [you] tu l'as prise
   *[other] { $winner-name } l'a prise
}
heard-purses = les bourses, mises gagnées moins mises perdues : { $purses }
heard-no-game = aucune partie n'a commencé

## Le temps.
heard-have-time = Tu as { $time }.
heard-left-time = Il te reste { $time }.
heard-time-left = { $seat ->
    [you] il te reste { $time }.
   *[other] il reste { $time } à { $seat-name }.
}
heard-no-clock = Aucune horloge ne tourne.
heard-limits = Il y a { $time } pour chaque décision, et { $bank } d'absence par partie.
heard-no-limit = Cette table n'a pas de limite à elle pour une décision, mais { $bank } d'absence par partie.
heard-paused-for = La partie est en pause, et reprend dans { $time } au plus. Aucune horloge ne tourne d'ici là.
heard-pause-asked = Une pause de { $time } au plus est demandée par { $seats }.
heard-pause-awaits = Elle commence avec l'accord de { $names }{ $who ->
    [one] .
    [ours]  : dis « pause ».
   *[many] .
}
heard-pause-ready = D'accord pour reprendre : { $seats }.
heard-pause-ends = La partie reprend quand tous les joueurs ont dit « reprendre », ou quand le temps est écoulé.
heard-agree = Dis « pause » pour l'accepter.

## Entre les parties.
heard-waits = La table attend { $players }. On vient avec « asseoir { $table } » ; « inviter » appelle la maison.
heard-about-to-begin = Une partie va commencer.
heard-next-game = La partie suivante attend « encore » de { $who ->
    [you] toi
   *[other] { $names }
}.
heard-again = Dis « encore » pour une autre partie, ou « quitter ».
heard-again-solved = Dis « encore » pour une autre partie, « analyse » pour savoir ce que tes décisions ont coûté, ou « quitter ».
heard-rules = Dis « règles » pour savoir comment on joue, et « pourquoi » quand tes choix t'étonnent.
heard-brief = À partir d'ici tu entends peu de mots. Une ligne vide dit tes choix, et « complet » rend tous les mots.
heard-unproved = Aucune donne ne t'est prouvée ici : rien ne les vérifie sur une connexion tapée.

## La mémoire, et les mots qu'on ne comprend pas.
heard-nothing-said = On n'a encore rien dit.
heard-nothing-kept = Il n'en reste rien.
heard-log-how = Dis « journal » pour cette manche, « journal 2 » pour la deuxième, « journal partie », ou « journal 10m » pour dix minutes.
heard-say-it-as = Dis-le ainsi : « { $spoken } » : { $meaning }.
heard-say-more = « { $word } » peut être { $words } : dis-en plus.
heard-say-help = Dis « aide » pour savoir ce que tu peux dire.
heard-no-command = « { $word } » n'est pas une commande.
heard-nothing-asked = On n'a rien demandé à quoi répondre oui ou non.
heard-not-done = Ce n'est pas fait.
heard-question-over = Cette question n'existe plus : la partie a continué. Ce n'est pas fait.

## Partir.
heard-rest-of = ce qui reste de { $time }
heard-keeps-nothing = Cette table ne donne pas de temps d'absence : partir maintenant, c'est abandonner la partie.
heard-kept = Ta place à la table { $table } est gardée { $time }.
heard-kept-or-given-up = Ta place à la table { $table } est gardée { $time }. Ensuite la partie est abandonnée.
heard-kept-paused = Ta place à la table { $table } est gardée pendant la pause, { $rest } au plus, puis { $time }.
heard-house-plays-on = Quitter maintenant laisse la maison jouer à ta place : tu n'es plus de cette partie, ni de ses mises.
heard-resigns = Abandonner maintenant, c'est perdre cette partie, et payer ce qui est dû.
heard-leaves = Quitter maintenant, c'est abandonner cette partie : tu la perds, et tu paies ce qui est dû.
heard-purse-ends = Ta bourse de { $purse } finit avec ta place : quand tu te rassieds elle repart de zéro.

## Mots qu'on tape : une commande, et le mot anglais ; et les réponses.
heard-commands = aide: help | règles: rules | regles: rules | jeux: games | ouvrir: open | asseoir: sit | s'asseoir: sit | regarder: watch | inviter: invite | renvoyer: dismiss | encore: again | reprendre: go on | abandonner: resign | lever: stand | se lever: stand | quitter: leave | sortir: exit | fin: quit | oui: yes | faire partir: send away | salon: lobby | revenir: goon | dire: say | répéter: repeat | repeter: repeat | journal: log | bref: brief | complet: full | levée: trick | levee: trick | main: hand | mes cartes: mine | points: score | temps: time | horloge: clock | qui: who | pourquoi: why | choix: legal | conseil: coach | langue: language | enregistrer: save | donne: proof | preuve: proof | options: options | maisons: houses | maison: houses | seul: alone | seuls: alone | confirmer: ask | numéros: numbers | numeros: numbers | taire: mute | entendre: unmute | bloquer: block | débloquer: unblock | debloquer: unblock | analyser: analyse | journal manche: log hand | journal partie: log game | notes: teach | notes non: teach off | notes encore: teach again | sauter: skip
heard-typed-yes = oui | o
heard-typed-no = non | n
