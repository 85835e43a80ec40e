"""The board of Put: its field and tricks, its events at the table, its hands told one by one, its mistakes."""
