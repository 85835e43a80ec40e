"""What screens are drawn with: a grid of cells, cards, seats, signs and mouse targets. No widget knows a game."""
