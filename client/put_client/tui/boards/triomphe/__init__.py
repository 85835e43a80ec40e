"""The board of Triomphe Forcée: the ring of players with what each played and declared, and the pool between."""
