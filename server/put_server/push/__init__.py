"""Web Push: people whose move a table waits for are told by the push service of their browser."""
