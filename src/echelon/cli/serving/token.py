"""``echelon token``: tokens for clients that reach the service over TCP."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from echelon.cli.options import shared_options as options
from echelon.cli.options.repetition import OnceCommand
from echelon.cli.serving.answers import NONE, moment
from echelon.cli.serving.options import Service, client_of, show_answer
from echelon.cli.terminal import grid, note, show
from echelon.client.plain_text import escape

if TYPE_CHECKING:
    from echelon.client import TokenAnswer

token = typer.Typer(
    name="token",
    rich_markup_mode=None,
    help="Make, list and revoke tokens, by which clients on other machines are known.",
)

_User = Annotated[
    str | None, typer.Option(metavar="NAME", help="The user whose requests it is for. Default: you.")
]
_Scopes = Annotated[
    list[str] | None,
    typer.Option(
        metavar="SCOPE[,SCOPE]",
        help="What it allows: read, submit (applications), script (any program), operate (jobs of others, "
        "drain), admin (tokens). Default: read,submit.",
    ),
]
_Expires = Annotated[
    str | None, typer.Option(metavar="TIME", help="How long it holds, as 12h or 90d. Default: the service's.")
]
_Label = Annotated[str, typer.Option(metavar="TEXT", help="What it is for, in listings.")]
_Number = Annotated[int, typer.Argument(metavar="NUMBER", help="As `echelon token list` shows it.")]


token.callback(invoke_without_command=True)(options.show_help)


@token.command(cls=OnceCommand)
def new(
    *,
    user: _User = None,
    scopes: _Scopes = None,
    expires: _Expires = None,
    label: _Label = "",
    service: Service = None,
    json: options.Json = False,
) -> None:
    """Make a token and print it; it is shown this once and kept as a hash only."""
    from getpass import getuser

    from echelon.cli.serving.job_body import seconds_of

    wanted = options.split_names(scopes) or ["read", "submit"]
    lasts = None if expires is None else seconds_of(expires, "--expires")
    with client_of(service) as client:
        answer = client.new_token(user or getuser(), wanted, expires_in=lasts, label=label)
    if json:
        show_answer(answer)
        return
    sys.stdout.write(f"{answer['token']}\n")
    note("it is shown this once; clients take it from ECHELON_TOKEN, or from a file (see the documentation)")


@token.command("list", cls=OnceCommand)
def list_tokens(*, service: Service = None, json: options.Json = False) -> None:
    """List all tokens, without their texts."""
    with client_of(service) as client:
        tokens = client.tokens()
    if json:
        show_answer({"tokens": tokens})
        return
    heads = ("", "user", "scopes", "expires", "label")
    show(grid(heads, map(_row, tokens), numbers=(0,)) if tokens else "No tokens.")


@token.command(cls=OnceCommand)
def revoke(number: _Number, *, service: Service = None) -> None:
    """Revoke a token at once."""
    with client_of(service) as client:
        client.revoke_token(number)
    sys.stdout.write(f"Token {number} is revoked\n")


def _row(one: "TokenAnswer") -> tuple[str, ...]:
    return (
        *(str(one["number"]), escape(one["user"]), ", ".join(map(escape, one["scopes"]))),
        *(
            "revoked" if one.get("revoked") else moment(one.get("expires")),
            escape(one.get("label", "")) or NONE,
        ),
    )
