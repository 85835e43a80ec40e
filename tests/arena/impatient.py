"""`put-arena`, which tells more often how far it is."""

from put_arena import cli

if __name__ == "__main__":
    cli.LINE_SECONDS = cli.DRAW_SECONDS = 0.2
    cli.main()
