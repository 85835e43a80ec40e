### Parties des pages de règles qu'écrit scripts/docs.

docs-of-every-table = Et [celles de toute table](../README.md#options-of-every-table).
docs-options = option | d'usage | valeurs | sens
