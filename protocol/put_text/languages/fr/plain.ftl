### Réponses à ce qu'on tape, à une table et dans la salle.

plain-not-your-move = Ce n'est pas à toi de jouer.
plain-number-or-amount = { $number } peut être un numéro de la liste ou un montant : dis « #{ $number } » pour « { $choice } », ou « { $amount } » pour le montant.
plain-number-or-card = { $number } peut être un numéro de la liste ou une carte : dis « #{ $number } » pour « { $choice } », ou « joue { $number } » pour la carte.
plain-which-one = Lequel : { $choices } ?
plain-you-can-play = Tu peux jouer { $choices }.
plain-you-can = Tu peux dire : { $choices }.
plain-did-you-mean = Voulais-tu dire « { $word } » ?
plain-no-choice = « { $words } » n'est pas un de tes choix.
plain-how-long = Combien de temps ? Par exemple « 30m », « 2h » ou « 7d » : minutes, heures ou jours.
plain-longest-pause = Une pause dure { $days } jours au plus.
plain-no-such-card = Tu ne peux jouer aucune carte de ce rang maintenant : { words-rank }.
plain-cannot-play = Tu ne peux pas jouer { $card } maintenant.

plain-choices = { $first } { $count ->
    [2] et
   *[other] à
} { $last } { $choices }
plain-amounts = { $first } à { $last }
plain-sets = { $verb } { $most ->
    [1] une carte
   *[other] { $most } cartes au plus
}
plain-articles = le | la | l | triomphe

plain-others-come = La table { $table } est ouverte. On vient avec « asseoir { $table } » ; « inviter » fait venir un joueur de la maison.
plain-left = Tu as quitté la table { $table }.
plain-leave-first = Tu es à la table { $table }. Dis d'abord « quitter ».
plain-languages = Ici on parle : { $languages }. Par exemple : « language en ».
plain-language-now = Désormais, tu entends le français.

plain-greeting = Ceci est un serveur de put. Dis qui tu es : « name Pilou », si tu es Pilou.
plain-say-who = Tu as { $minutes } minutes pour cela. Dis « aide » pour de l'aide.
plain-login-name = name NOM : entre sous ce nom, de 1 à 24 caractères.
plain-login-bot = bot NOM : de même, pour un programme ; chacun sait que c'en est un. name NOM as a bot aussi.
plain-login-password = password TEXTE : dis-le avant ton nom, si le serveur en demande un ; ou dis-le après ton nom.
plain-login-back = back MOTS : reviens à ta place, avec les { $words } mots que tu as reçus.
plain-login-numbers = numbers on|off : entends chaque événement avec son numéro, ou sans.
plain-login-language = language NOM : entends tout dans une autre langue : fr, ou en pour l'anglais.
plain-login-quit = quit : ferme la connexion.
plain-password = Ce serveur demande un mot de passe : dis-le après ton nom, ou « password » et le mot de passe d'abord.
plain-say-back = Dis « back » et les { $words } mots que tu as reçus, et rien d'autre.
plain-noted = C'est noté. Dis maintenant qui tu es.
plain-you-are-already = Tu es déjà { $name }.
plain-say-otherwise = Dis-le autrement : « name ... », ou « back ... ».
plain-to-come-back = Pour revenir, { plain-way-back }
plain-if-it-drops = Si ta connexion tombe, { plain-way-back }
plain-way-back = connecte-toi de nouveau et dis « back { $token } ». Qui le dit est pris pour toi.
plain-misfit = { $field } ne peut pas être cela : { $reason }.
plain-unchecked = Rien n'est vérifié sur une connexion tapée : le serveur qui donne serait son propre témoin.
plain-unchecked-client = Avec put-client, tu prends part au mélange, et chaque donne est vérifiée.
