"""The board of Put: its field and tricks, its events at the table, and its pages."""
