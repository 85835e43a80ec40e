"""Widgets: a grid of cells with mouse targets, cards, and signs. No widget knows a game."""
