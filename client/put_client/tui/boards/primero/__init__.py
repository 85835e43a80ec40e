"""The board of Primero: the ring of players with their bets and announcements, and the pot between."""
