"""``python -m echelon``: the command line."""

from echelon.cli import program

if __name__ == "__main__":
    program()
