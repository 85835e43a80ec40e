### Mistakes on a command line, in the words of Python's argparse, by which they are known.

usage-argument = argument { $name }: { $fault }
usage-unknown = unrecognized arguments: { $arguments }
usage-not-with = not allowed with argument { $other }
usage-one = expected one argument
usage-at-most-one = expected at most one argument
usage-none = ignored explicit argument { $value }
usage-choice = invalid choice: { $value } (choose from { $choices })
usage-value = invalid { $kind } value: { $value }
usage-ambiguous = ambiguous option: { $option } could match { $options }
usage-required = the following arguments are required: { $arguments }
usage-not-text = { $value } is not in UTF-8
