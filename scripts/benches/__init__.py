"""What scripts/bench measures, a module a subject. Runtime dependencies and the standard library only."""
