### La table dessinée et le salon : ce qu'on voit à l'écran.

## La question, et ce qu'on attend.
screen-your-move = À toi. { $asks }
screen-hand-held = La manche est finie. Une touche pour continuer.
screen-caught = Le donneur a triché : on ne joue plus ici. v dit comment ; b sort.
screen-sent = Envoyé ; la table l'aura dans un instant ...
screen-not-your-turn = Ce n'est pas à toi de jouer.
screen-game-paused = La partie est en pause.
screen-empty-seat-free = Une place est libre ; s pour s'y asseoir.
screen-empty-seat = Une place est libre.
screen-seats-empty-house = { $count ->
    [1] Une place est libre : attends, ou h pour inviter la maison.
   *[other] Des places sont libres : attends, ou h pour inviter la maison.
}
screen-seats-empty = { $count ->
    [1] Une place est libre : attends que quelqu'un s'y asseye.
   *[other] Des places sont libres : attends que quelqu'un s'y asseye.
}
screen-over = La partie est finie.
screen-over-another = La partie est finie. Une autre dès l'accord de { $names }.
screen-over-agree = La partie est finie : a pour une autre, b pour le salon.
screen-over-wait = Pour une autre partie, on attend l'accord de { $names } ...
screen-paused-go-on = Pause : g pour reprendre.
screen-paused = Pause.
screen-paused-until = Pause jusqu'à l'accord de { $names }.
screen-pause-asked = { $who ->
    [you] Tu demandes
    [ours] { $names } demandez
    [one] { $names } demande
   *[many] { $names } demandent
} une pause de { $time }{ $next ->
    [agree]  : z pour accepter.
    [wait]  ; on attend { $waited }.
   *[nothing] .
}
screen-away = { $name } est hors ligne ; la table attend.
screen-away-deal = On attend { $names } pour donner les cartes.
screen-dealing = On donne les cartes ...
screen-thinking = { $name } réfléchit ...
screen-thinking-task = C'est à { $name } { $task } ...
screen-thinking-trick = C'est à { $name } { $task } à la levée { $number } ...
screen-thinking-lead = { $name } réfléchit : entame de la levée { $number } ...
screen-thinking-follow = { $name } réfléchit : que jouer à la levée { $number } ...
screen-enter-does = Entrée : { $does }
screen-may-quit = Tu peux quitter : ta place est gardée.
screen-invited = { $by } t'invite à la table { $table }, { $game }{ $next ->
    [sit]  : Entrée pour s'y asseoir.
    [choose]  : Entrée pour y aller, Échap pour rester.
   *[nothing] .
}
screen-clock-paused = au plus
screen-clock-yours = ton temps
screen-clock-away = hors ligne, retour sous
screen-clock-other = temps

## Qui entend ce qu'on dit.
screen-heard-gallery = Pendant la partie, seule la galerie t'entend : { $count ->
    [0] personne d'autre
    [1] { $count } personne
   *[other] { $count } personnes
}.
screen-heard-by = T'entendent : { $names }.
screen-heard-nobody = Personne ne l'entend, sauf la maison.
screen-in-gallery = { $count } dans la galerie

## L'en-tête, les volets et le filet.
screen-table = Table { $number }
screen-game = partie { $number }
screen-hand = manche { $number }
screen-hand-of = manche { $number } sur { $hands }
screen-state-paused = pause
screen-state-between = entre deux
screen-state-free = { $count ->
    [one] { $count } libre
   *[other] { $count } libres
}
screen-unread = { $count ->
    [one] { $count } non lu : u
   *[other] { $count } non lus : u
}
screen-exhibition = exhibition
screen-exhibition-nothing-counts = exhibition : rien ne compte
screen-exhibition-note = Cette table est une exhibition : ses paquets se répètent ou sont arrangés, et rien n'y compte.
screen-locked = fermée
screen-admits = { $admits ->
    [people] humains seulement
    [bots] robots seulement
   *[other] { $admits } seulement
}
screen-turn = { $seconds } s par coup
screen-watching = { $count } en galerie{ $you ->
    [yes] {" "}(toi)
   *[no] {""}
}
screen-gallery-shut = galerie fermée
screen-no-connection = hors ligne
screen-best = fort
screen-last = faible
screen-rules = Les règles
screen-rules-more = r les montre toutes
screen-story = Manche par manche
screen-log = Journal
screen-talk = Paroles
screen-talk-how = c pour parler
screen-tricks = Levées
screen-nothing-played = On n'a encore rien joué.
screen-nothing-happened = Il ne s'est encore rien passé.
screen-forgotten = Ce qui précède est oublié.
screen-told-from-here = Raconté à partir de ton arrivée à la table.
screen-unread-from-here = non lu
screen-save-file = /save FICHIER
screen-save-how = enregistre la partie, comme tu l'as vue.
screen-in-play = en jeu
screen-column-hand = manche
screen-not-solved = Ce jeu n'est pas résolu : on ne peut rien dire de tes décisions.
screen-counter-clockwise = On joue dans le sens inverse des aiguilles d'une montre.
screen-options-usual = toutes les options habituelles
screen-cards-best-first = Cartes, de la plus forte à la plus faible : { $cards }.

## Les places.
screen-seat-empty = (place libre)
screen-mark-away = hors ligne
screen-mark-gone = départ
screen-mark-ready = d'accord
screen-mark-pause = pause
screen-kind-you = toi
screen-kind-house = maison
screen-kind-bot = robot
screen-kind-partner = équipe
screen-mark-dealer = donne
screen-mark-eldest = premier
screen-mark-eldest-explained = premier à jouer
screen-mark-put = PUT
screen-mark-doubles = TRUC
screen-mark-sees = voit
screen-mark-takes-it = tient
screen-mark-takes-trick = prend
screen-mark-gave = don
screen-mark-threw = jeté
screen-mark-out = hors jeu
screen-mark-shows = montre { $signs }
screen-score-rubber = { $score }, { $won ->
    [one] { $won } gagnée
   *[other] { $won } gagnées
}
screen-purse-of = bourse { $purse }
screen-purse-stakes = { $count ->
    [1] bourse { $purse } mise
   *[other] bourse { $purse } mises
}

## Le milieu de la table.
screen-trick-at-stake = Levée { $number }, { $stake }
screen-trick-over = La première levée est finie
screen-trick-put = Levée { $number } : { $seat ->
    [you] tu as dit put
   *[other] { $seat-name } a dit put
}
screen-trick-doubled = Levée { $number } : { $seat ->
    [you] tu as truqué
   *[other] { $seat-name } a truqué
}
screen-trick-saw = Levée { $number }, { $stake } : { $seat ->
    [you] tu as dit put
   *[other] { $seat-name } a dit put
}, { $saw ->
    [you] tu as vu
    [other] { $names } a vu
   *[many] { $names } ont vu
}
screen-trick-took = Levée { $number }, { $stake } : { $seat ->
    [you] tu as truqué
   *[other] { $seat-name } a truqué
}, { $saw ->
    [you] tu as tenu
    [other] { $names } a tenu
   *[many] { $names } ont tenu
}
screen-trick-led = Levée { $number } : { $seat ->
    [you] tu as entamé
   *[other] { $seat-name } a entamé
} { $sign }
screen-for-game = pour la partie
screen-for-points = { $count ->
    [one] pour un point
   *[other] pour { $count } points
}
screen-tied = égal
screen-led = entame
screen-rank = { $rank ->
    [K] R
    [Q] D
    [J] V
   *[other] { $rank }
}
screen-fool = Fou
screen-suit = { $suit ->
    [w] épée
    [b] bâton
    [u] coupe
    [o] den.
   *[t] atout
}
screen-pool = pot
screen-stake = mise { $count }
screen-trick-of = levée { $number } sur { $most }
screen-hand-drawn = La manche est nulle.
screen-hand-drawn-anew = La manche est nulle ; tous les points retombent à zéro.
screen-hand-won = { $seat ->
    [you] Tu gagnes la manche
   *[other] { $seat-name } gagne la manche
}{ $points ->
    [0] .
   *[other] , +{ $points }.
}
screen-do-put = put
screen-do-throw = jeter
screen-do-double = truquer
screen-do-give = donner ta meilleure carte
screen-do-let = laisser donner
screen-grave = ce qu'on ne peut reprendre
screen-grave-put = ce qui décide (put, voir, tenir, jeter)

## Mots en grandes lettres : capitales de A à Z sans accent.
screen-large-put = PUT
screen-large-double = TRUC
screen-large-seen = VU
screen-large-taken = TENU
screen-large-drawn = NULLE
screen-large-hand-over = FINI
screen-large-hand-won = BRAVO
screen-large-hand-lost = PERDU
screen-large-game-over = FIN
screen-large-you-win = VICTOIRE
screen-large-you-lose = DEFAITE

## Réponses aux touches et aux lignes tapées.
screen-not-card-now = Pas de carte maintenant : réponds d'abord.
screen-not-that-card = Pas cette carte.
screen-no-because = Non. { $why }
screen-no-way-back = On ne peut pas revenir en arrière.
screen-not-now-lost = Pas maintenant : la connexion est perdue.
screen-asked-again = On te redemandera avant { $actions }.
screen-asked-no-more = On ne te redemandera plus avant { $actions }.
screen-no-spectators = La table { $table } n'admet pas de spectateurs.
screen-no-game = Aucun jeu n'est proposé ici.
screen-no-free-seat = La table { $table } n'a pas de place libre{ $watch ->
    [yes]  ; w pour la regarder.
   *[no] .
}
screen-line-full = Une ligne a au plus { $most } caractères : le reste a été laissé.
screen-talk-flawed = Ce que tu dis { $flaw }.
screen-no-table-open = Aucune table n'est ouverte.
screen-no-command-lobby = La commande { $word } n'existe pas ici ; il y a sit, watch, open, rules, help et quit.
screen-no-command = La commande { $word } n'existe pas ; ? donne la liste.
screen-newer-game = { $game } est plus récent que ce client, qui ne peut pas l'enregistrer. Une version plus récente le peut.
screen-not-whole = On ne peut enregistrer qu'une partie vue depuis son début.
screen-which-file = Quel fichier ? Par exemple /save partie.put.
screen-seats-numbered = Les places vont de 1 à { $count }.
screen-written-down = La partie est enregistrée dans { $path }.
screen-not-answered = Le serveur n'a pas encore répondu à ta demande précédente.
screen-nothing-kept = Rien n'est gardé ici : il n'y a rien à montrer.
screen-evidence = Tout ce qui en a été dit est gardé dans { $path }.

## Arriver, partir, et la connexion.
screen-sit-at = Tu es à la table { $table }.
screen-watch-at = Tu regardes la table { $table }.
screen-back-at = Te revoilà à la table { $table }.
screen-left = Tu n'es plus à la table { $table } : { $says }.
screen-lost = La connexion est perdue ; on attend le serveur. q pour quitter.
screen-stopping = Le serveur s'arrête ; retour dans { $time } environ. q pour quitter.
screen-gone = La connexion est revenue, mais la table { $table } n'existe plus.
screen-between-clauses = { " ; " }
screen-question = { $does } : c'est bien ton choix ?
screen-quit = Quitter ?
screen-leave-program = Quitter le programme ?
screen-leave-table = Quitter la table ?
screen-give-up = Abandonner la partie ?
screen-gives-up = La partie sera perdue.
screen-b-gives-up = { $kept } b abandonne la partie.
screen-seat-kept = Ta place à la table { $table } est gardée.
screen-seat-kept-for = Ta place à la table { $table } est gardée { $time }.
screen-come-back = Pour revenir, tape : { $command }

## Le salon.
screen-lobby-tables = { $count ->
    [one] { $count } table
   *[other] { $count } tables
}
screen-lobby-people = { $count ->
    [one] { $count } personne
   *[other] { $count } personnes
}
screen-lobby-filtered = { $count } sur { $tables } avec « { $words } »
screen-lobby-you = tu es { $name }
screen-people = Présents
screen-lobby-none-match = Aucune table n'a ces mots. f, puis Entrée, les montre toutes.
screen-lobby-empty = Aucune table n'est ouverte. o pour en ouvrir une.
screen-lobby-empty-house = Aucune table n'est ouverte. Joue tout de suite contre la maison :
screen-lobby-open-too = Ou o pour ouvrir une table à d'autres aussi.
screen-more = { $count ->
    [0] encore
   *[other] encore { $count }
}
screen-and-more = et { $count } de plus
screen-welcome = Bienvenue
screen-column-number = n°
screen-column-rules = règles
screen-column-players = joueurs
screen-column-state = état
screen-column-turn = coup
screen-column-watch = vue
screen-seat-open = (libre)
screen-shut = non
screen-key = clé
screen-nothing-counts-here = exhibition : rien ne compte ici
screen-no-clock = sans limite par coup
screen-bank = { $seconds } s d'absence
screen-gallery-open = galerie ouverte
screen-asks-passcode = mot de passe demandé
screen-person-at = { $name }, table { $tables }

## Fenêtres par-dessus l'écran.
screen-invite-whom = Qui la maison doit-elle envoyer ?
screen-open-table = Ouvrir une table
screen-rows = { $last } sur { $count }
screen-none = (rien)
screen-help = Aide
screen-deal = La donne
screen-analysis = Comparé au jeu parfait
screen-log-and-talk = Journal et paroles
screen-lines = lignes { $first } à { $last } sur { $count }
screen-no-rules = Le serveur ne dit pas les règles de ce jeu.
screen-at-this-table = À cette table
screen-may-choose = Ce qu'une table peut choisir
screen-prompt-talk = dire :
screen-prompt-passcode = mot de passe :
screen-prompt-filter = avec :
screen-too-small = Cette fenêtre fait { $width } sur { $height } ; la table demande { $least-width } sur { $least-height }. Agrandis-la, ou { $key } pour continuer en mode ligne, à la même place.
screen-yes-or-no = { $question } { $says } y : oui, n : non
screen-needs-more = { $subject } : il faut { $least-width } sur { $least-height }. Cette fenêtre fait { $width } sur { $height }. { $leaves }.

## Notes par-dessus la table.
screen-coach = Le conseil
screen-assisted = Partie aidée : elle ne compte pas dans les séries.
screen-note-first = Pour ta première partie
screen-note-put-put = Le put
screen-note-put-tie = Égalité
screen-note-put-answer = On te défie
screen-note-put-seen = Tenu
screen-note-put-last = Quand défier
screen-note-put-purse = La bourse
screen-note-closes = ferme
screen-note-goes-on = continue
screen-note-goes-on-or-ends = continue, /teach off arrête les notes
screen-perfect-play = jeu parfait : { $share }
screen-perfect = parfait : { $share }

## La sonnerie et le titre de la fenêtre.
screen-ring-put = { $name } a dit put : vois, ou jette tes cartes.
screen-ring-move = À toi de jouer, table { $table }.
screen-ring-sits = { $name } s'assied à la table { $table }.
screen-ring-again = { $name } veut une autre partie, table { $table }.
screen-ring-ready = { $name } veut reprendre, table { $table }.
screen-ring-late = Ton temps est presque écoulé, table { $table }.
screen-title-invited = { $name } t'invite à la table { $table }
screen-title-move = à toi
screen-title-put = { $name } a dit put
screen-title-table = table { $table }
screen-house-row = { $number } { $name } : { $meaning }
