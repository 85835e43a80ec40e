"""Web Push: notifies people, by their browser's push service, that a table waits for their move."""
