"""Widgets: a grid of cells with mouse targets, cards, and signs. They know no games."""
