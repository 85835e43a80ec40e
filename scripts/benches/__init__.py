"""The measurements of scripts/bench, a module a subject. Runtime dependencies and the standard library only."""
