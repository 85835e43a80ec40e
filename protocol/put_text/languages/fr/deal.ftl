### Les donnes, et ce qui en est prouvé.

deal-nothing = Rien n'a encore été donné ici.
deal-awaited = Les cartes sont battues par tous ceux qui ont une clé.
deal-proved = Tous ceux qui ont une clé ont battu la donne en cours, et tout ce que tu en as vu est prouvé.
deal-broken = Le donneur est pris sur le fait : on ne joue plus rien ici.
deal-unproved = Cette donne n'est pas prouvée{ $why ->
    [none] {""}
   *[other] {"\u00a0"}: { deal-why }
}.
deal-unproved-before = La donne précédente n'est pas prouvée : { deal-why }.
deal-many-unproved = { $count } donnes ne sont pas prouvées : { deal-why }.
deal-why = { $why ->
    [plain] le serveur donne seul
    [missed] une partie s'est perdue avec la connexion
    [blind] il manque ici le paquet coincurve
   *[pack] le jeu de cartes n'est pas connu ici
}
deal-short = non prouvée{ $why ->
    [plain] {"\u00a0"}: serveur
    [missed] {"\u00a0"}: incomplète
    [blind] {"\u00a0"}: à l'aveugle
    [pack] {"\u00a0"}: cartes ?
   *[none] {""}
}
deal-mark = aveugle { $mark }
deal-mark-broken = ROMPUE
deal-plain = Ce serveur donne les cartes seul, et les voit toutes : { $why }.
deal-read = Ce serveur peut lire toutes les mains de cette partie, et ne peut pas les choisir.
deal-sees = { $seat ->
    [you] Personne d'autre ne peut voir tes cartes
   *[other] Personne d'autre que { $seat-name } ne peut voir ses cartes
}.
deal-server-sees = Ce serveur tient les cartes de { $names }, et peut les voir.
deal-one-unproved = La seule donne jusqu'ici n'était pas prouvée : { deal-why }.
deal-one-proved = La seule donne jusqu'ici était prouvée.
deal-all-proved = Les { $dealt } donnes jusqu'ici étaient { $dealt ->
    [2] prouvées toutes les deux
   *[other] toutes prouvées
}.
deal-some-proved = Donnes prouvées jusqu'ici : { $proved } sur { $dealt }.
deal-were-not = { $count } ne l'{ $count ->
    [1] était
   *[other] étaient
} pas : { deal-why }.
deal-was-made-anew = La donne { $deal } a été refaite à cause de { $seat-name }, { $ruling ->
    [yes] à ce que dit le serveur
   *[no] ce qui est prouvé
}.
deal-nobody = personne encore
deal-shuffled = La donne { $deal } a été battue par { $names } ; chaque battue est prouvée.
deal-shuffle-awaited = La donne { $deal } a été battue par { $names } ; on attend { $awaited }.
deal-was-read = Les règles doivent voir les mains : le serveur peut les lire toutes, et n'en choisit aucune.
deal-was-held = Le serveur peut y voir les cartes de { $names }.
deal-cards-of = { $cards } : { $who }.
deal-not-shown = Cartes qui ne t'ont pas été montrées : { $unseen }.
deal-for-all = retournées pour tous
deal-unseen = { $count ->
    [1] 1 carte
   *[other] { $count } cartes
} { $seat ->
    [you] à toi
   *[other] de { $seat-name }
}

## La page d'une donne à l'écran
deal-heading = Donne { $deal }
deal-beside = donne { $deal }
deal-by = par { $names }, tout est prouvé
deal-by-nobody = par personne encore
deal-held = le serveur peut voir les cartes de { $names }
deal-label-shuffle = battue
deal-label-awaited = attend
deal-label-keys = clés
deal-label-cards = cartes
deal-label-unseen = cachées
