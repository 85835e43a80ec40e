"""Measurements of scripts/bench, one module per subject. Runtime dependencies and the standard library only."""
