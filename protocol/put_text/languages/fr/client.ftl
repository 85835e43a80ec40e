### put-client hors de la table : au départ, en mode ligne, à l'exercice, et quand une connexion échoue.

## Le départ.
client-looking = on cherche des serveurs sur ce réseau ...
client-cannot-search = on ne peut pas chercher sur le réseau : { $error }.
client-no-server = Aucun serveur ne s'annonce sur ce réseau. Pour en lancer un : put-server. Pour jouer sans les autres, du dossier des sources : scripts/play.
client-server-at = { $name } à { $address }
client-there-is = Sur ce réseau il y a { $servers }.
client-what-else = Pour jouer sans les autres, du dossier des sources : scripts/play. Pour lancer un serveur : put-server.
client-servers = Serveurs sur ce réseau :
client-not-safe = PAS sûrs :
client-servers-played-at = Serveurs où tu as joué, et cette machine :
client-which-server = Un numéro, une adresse, ou { $again } pour chercher encore [1] :
client-not-listed = Il n'y a pas de serveur { $number } dans la liste.
client-not-encrypted = non chiffré
client-false-key = une autre clé qu'il ne dit
client-other-key = une autre clé que tu connais
client-known-key = tu connais sa clé
client-new = nouveau pour toi
client-some-tables = ? tables
client-some-people = ? personnes
client-your-name = Ton nom :
client-your-name-or = Ton nom [{ $offer }] :
client-name-flawed = Ce nom { $flaw }.
client-name-not-taken = { $source } : name doit être un nom qu'un serveur accepte, et { $name } { $flaw }
client-try-name = Essaie --name { $name }.
client-try-another = Essaie --name avec un autre.
client-exported = { $count ->
    [one] { $count } partie enregistrée
   *[other] { $count } parties enregistrées
} dans { $path }.
client-way-back = { $place }, et là : back { $token }

## Le mode ligne.
client-note = Note : { $note }{ $first ->
    [yes] {" "}Dis « notes non » pour n'en plus avoir.
   *[no] {""}
}
client-notes-off = Plus de notes ; « notes encore » les redonne.
client-notes-again = Tu auras encore une fois chaque note.
client-notes-how = Dis « notes non » pour n'avoir plus de notes, ou « notes encore » pour les avoir toutes encore.
client-no-notes = Les notes sont coupées dans les réglages (teach).
client-no-language = La langue se choisit au lancement du programme : put-client --language en.
client-which-file = Quel fichier ? Par exemple : save soiree.txt.
client-not-written = On ne peut pas l'écrire : { $error }.
client-written = { $count ->
    [one] { $count } phrase enregistrée
   *[other] { $count } phrases enregistrées
} dans { $path }.
client-back = La connexion est revenue.
client-back-without-you = La connexion est revenue, mais la table { $table } a continué sans toi.
client-lost = La connexion est perdue : { $why }. On attend le retour du serveur ; « fin » pour ne plus attendre.
client-lost-for = La connexion est perdue : { $why }. Elle devrait revenir dans { $time } environ ; « fin » pour ne plus attendre.
client-no-such-deal = Aucune donne { $number } n'a été faite ici depuis ton arrivée.

## L'exercice par lignes.
client-drill-begins = Exercice, { $game } : tes réponses sont jugées d'après le jeu parfait.
client-drill-words = Dis ton coup, ou « pourquoi », « sauter », « points », « aide » ou « fin ».
client-drill-can = Tu peux : { $choices }.
client-drill-own = Voici une erreur à toi, telle qu'elle était.
client-drill-next = Entrée pour la position suivante, ou dis « pourquoi ».
client-drill-judged = Celle-ci est jugée : Entrée pour la suivante, ou dis « pourquoi », « points » ou « fin ».
client-drill-nothing = Tu n'as encore répondu à rien.
client-drill-score = Jusqu'ici : { $count ->
    [1] une réponse
   *[other] { $count } réponses
}, dont { $right } bien, { $each } d'une partie perdu en moyenne.
client-drill-help-move = Un coup : comme il est proposé, ou une carte (le 3 de pique), truquer, tenir, jeter, ou #1 pour le premier choix.
client-drill-help-legal = choix : tous les coups permis.
client-drill-help-table = table : la position, encore une fois.
client-drill-help-why = pourquoi : avant ta réponse, pourquoi tu peux faire cela et rien d'autre ; après, ce que vaut chaque choix.
client-drill-help-skip = sauter : une autre position ; celle-ci ne compte pas.
client-drill-help-score = points : où tu en es.
client-drill-help-quit = fin : finir.

## Une connexion qui échoue.
client-no-put-server = Pas de serveur de put à { $address } : { $reason }.
client-key-changed = ATTENTION : { $server } n'est plus le même serveur, ou une autre machine est entre vous. Sa clé devrait être { $expected } et elle est { $found }. Tu n'as pas de connexion. Si l'opérateur du serveur te dit que la nouvelle clé est bonne, accepte-la avec : put-client '{ $server }#{ $found }'
client-not-verified = ATTENTION : { $server } avait un certificat valable, et n'en a plus ({ $reason }) : une autre machine est peut-être entre vous. Tu n'as pas de connexion. Si l'opérateur du serveur te dit que c'est normal, accepte sa clé avec : put-client '{ $server }#{ $found }'
client-not-verified-later = ATTENTION : { $server } avait un certificat valable, et n'en a plus ({ $reason }) : une autre machine est peut-être entre vous. Tu n'as pas de connexion. Si l'opérateur du serveur te dit que c'est normal, réessaie plus tard
client-no-longer-encrypted = ATTENTION : la connexion à { $server } devrait être chiffrée et ne l'est pas : ce n'est plus le même serveur, ou une autre machine est entre vous. Tu n'as pas de connexion. Pour te connecter quand même, et que d'autres en chemin puissent tout lire : put-client --plain '{ $server }'
client-cannot-encrypt = La connexion à { $server } ne peut pas être chiffrée : le serveur ne parle pas TLS. Tu n'as pas de connexion. Pour te connecter quand même, et que d'autres en chemin puissent tout lire : put-client --plain '{ $server }'
client-server-silent = il accepte des connexions et ne dit rien
client-server-closed = il a fermé la connexion sans un mot
client-unreachable = { $why ->
    [unknown] aucun hôte de ce nom n'est connu
    [silent] il ne répond pas
    [tls] il ne parle pas TLS comme nous
   *[nobody] aucun serveur n'y écoute
}
client-lost-silent = rien n'est venu du serveur depuis trop longtemps
client-lost-broke = la connexion à { $server } s'est rompue ({ $why ->
    [none] sans raison donnée
   *[other] { $why }
})
client-lost-dropped = la connexion à { $server } est tombée
client-lost-newer = le serveur en sait plus que ce client, et on lui demande des vues entières
client-lost-then = { $why }, et ensuite { $then }
client-failed = ce client a échoué ({ $error })
client-closed-by-you = tu y as mis fin
client-unencrypted = NON chiffré : d'autres en chemin peuvent lire tes cartes et prendre ta place.
client-new-server = Nouveau serveur, clé { $key } : compare avec celle de l'opérateur.{ $kept ->
    [no] {" "}Elle n'a pas pu être retenue.
   *[yes] {""}
}
client-unanswered-closed = la connexion a été fermée avant la réponse
client-unanswered-why = { $is_up ->
    [yes] il ne répond rien
   *[no] la connexion est tombée et n'est pas encore revenue
}
client-unanswered-late = aucune réponse en { $seconds } secondes
client-rejected = Le serveur ne te laisse pas entrer : { $why }.
client-unanswered = On ne sait pas si { $request } a été fait : { $reason }.
client-over = La connexion est finie : { $why }.
client-bad-server = L'autre côté ne parle pas comme un serveur de put : { $why }.
client-unfair-game = La table { $table } ne joue pas selon les règles. { $says }

client-own-page = Ouvre { $page } dans un navigateur de cette machine, pour jouer chez { $server }.
client-shown-otherwise = La table a été montrée autrement que les événements ne le disent.
client-weighable = Dis « analyse » pour savoir ce que tes décisions ont coûté.
client-no-solutions = le programme qui a les solutions ne tourne pas ici
client-key-elsewhere = La clé de tes cartes n'est pas ici : un autre de tes programmes l'a, ou elle est perdue. Tu ne peux ni les voir ni les jouer.
client-keys-not-kept = Ta session ne peut plus être enregistrée ici. Si ce programme se termine, ta main est perdue.
client-part-withheld = Ta part de la donne n'est pas donnée : elle ne peut pas être notée ici, et un programme suivant pourrait en donner une autre.
client-what-key = un caractère, ni chiffre ni espace, ou f1 à f12

## scripts/play
client-own-table = Ta propre table
client-onlooker = Témoin
