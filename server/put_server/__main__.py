"""`python -m put_server`."""

from put_server.cli import main

main()
