"""The command line `antiphon`, with the command that needs the playground: `antiphon serve`."""

from __future__ import annotations

import errno
import webbrowser
from typing import Annotated

import typer
from antiphon_conformance import cli, inputs

from antiphon_web import serving

app = typer.Typer()


@app.command()
def serve(
    port: Annotated[int, typer.Option(min=0, max=65535, help="Where the page is found; 0 takes any free port.")] = 8000,
    host: Annotated[
        str, typer.Option(help="The address that the server listens at; 0.0.0.0 lets other machines in.")
    ] = "127.0.0.1",
    show: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Serve the playground: see what a streaming parser does, and judge ports, in a browser.

    Everything runs in the browser; this only sends the page's files. It ends with Ctrl-C.
    """
    if not host:  # to a socket, this is every address of the machine
        raise inputs.BadInput("--host", "is empty; name an address, or leave it out")
    files = serving.read_page(serving.find_page())
    try:
        server = serving.Server(files, host, port)
    except OSError as problem:
        raise _refused(problem, host, port) from None
    except (TypeError, ValueError):  # before the system is asked
        raise inputs.BadInput("--host", f"{host} is no name of a host; name another") from None
    print(f"The playground is at {server.address} (Ctrl-C ends it)", flush=True)
    if show:
        webbrowser.open(server.address)
    with server:
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()


def _refused(problem: OSError, host: str, port: int) -> inputs.BadInput:
    if problem.errno == errno.EADDRINUSE:
        return inputs.BadInput("--port", f"{port} is taken; name another, or 0 for any free one")
    if problem.errno == errno.EACCES:
        return inputs.BadInput("--port", f"{port} may not be used; name one above 1023")
    return inputs.BadInput("--host", f"{host} can't be listened at ({problem.strerror or problem}); name another")


cli.app.add_typer(app)
main = cli.main


if __name__ == "__main__":
    main()
