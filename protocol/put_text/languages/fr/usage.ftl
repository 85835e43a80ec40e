### Fautes sur une ligne de commande, que l'on connaît par les mots d'argparse, de Python.

usage-argument = argument { $name } : { $fault }
usage-unknown = arguments inconnus : { $arguments }
usage-not-with = ne va pas avec l'argument { $other }
usage-one = il lui faut un argument
usage-at-most-one = il lui faut au plus un argument
usage-none = ne prend pas d'argument, et en a un : { $value }
usage-choice = choix inconnu : { $value } (au choix : { $choices })
usage-value = valeur impossible de type { $kind } : { $value }
usage-ambiguous = option ambiguë : { $option } peut être { $options }
usage-required = il manque ces arguments : { $arguments }
usage-not-text = { $value } n'est pas en UTF-8
