### Parts of pages of rules that are written by scripts/docs.

docs-of-every-table = And [those of every table](README.md#options-of-every-table).
docs-options = option | default | values | meaning
