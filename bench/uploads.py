"""What a stranger's uploads cost a server in team mode: its memory before and after, and what it answers.

    python bench/uploads.py [--times 4] [--megabytes 90] [--check]

Starts the app with sign-in, opens a page as somebody who has not signed in, as any browser does, and sends files to the
address at which uploads arrive. With --check it fails unless every one is refused and the memory stays what it was.
"""

import argparse
import http.client
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.moderators import running_app  # noqa: E402

PIECE = 1 << 20
BOUNDARY = "l2a-upload"
GROWTH = 50  # megabytes by which a server may grow that refuses everything
SECRETS = """[auth]
redirect_uri = "http://localhost/oauth2callback"
cookie_secret = "a-cookie-secret-of-the-benchmark-0123456789"
client_id = "nobody"
client_secret = "nothing"
server_metadata_url = "http://localhost/.well-known/openid-configuration"
"""


@dataclass(frozen=True)
class Visit:
    """A page that is open: what the server calls it, and the cookies its browser has."""

    host: str  # with the port
    session: str
    cookies: Mapping[str, str]

    @property
    def cookie_header(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())


@contextmanager
def visit(host: str, cookies: Mapping[str, str] = {}) -> Iterator[Visit]:
    """Open a page as a browser does, with these cookies and the one that every visitor is given."""
    from streamlit.proto.BackMsg_pb2 import BackMsg
    from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
    from websockets.sync.client import connect

    token = _token(host)
    found = Visit(host, "", {"_streamlit_xsrf": token, **cookies})
    with connect(
        f"ws://{host}/_stcore/stream",
        origin=f"http://{host}",
        additional_headers={"Cookie": found.cookie_header},
        subprotocols=["streamlit", token],
        max_size=None,
    ) as socket:
        message = BackMsg()
        message.rerun_script.query_string = ""
        socket.send(message.SerializeToString())
        while True:
            answer = ForwardMsg.FromString(socket.recv(timeout=60))
            if answer.WhichOneof("type") == "new_session":
                yield Visit(host, answer.new_session.initialize.session_id, found.cookies)
                return


def _token(host: str) -> str:
    connection = http.client.HTTPConnection(host, timeout=60)
    connection.request("GET", "/_stcore/health")
    given = connection.getresponse().getheader("Set-Cookie") or ""
    connection.close()
    return given.partition("_streamlit_xsrf=")[2].partition(";")[0]


def send_file(
    visit: Visit, size: int, *, name: str = "one", origin: str | None = None, chunked: bool = False
) -> tuple[int, dict[str, str]]:
    """Send a file of so many bytes: the answer's code and headers. 0: the server hung up without a word."""
    begin = (
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{name}.jsonl"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n"
    ).encode()
    end = f"\r\n--{BOUNDARY}--\r\n".encode()
    headers = {
        "Cookie": visit.cookie_header,
        "X-Xsrftoken": visit.cookies["_streamlit_xsrf"],
        "Content-Type": f"multipart/form-data; boundary={BOUNDARY}",
        "Origin": origin or f"http://{visit.host}",
    }
    if not chunked:
        headers["Content-Length"] = str(len(begin) + size + len(end))
    connection = http.client.HTTPConnection(visit.host, timeout=60)
    with suppress(BrokenPipeError, ConnectionResetError):  # refused before it was sent: there may be an answer
        connection.request(
            "PUT",
            f"/_stcore/upload_file/{visit.session}/{name}",
            body=_body(begin, size, end),
            headers=headers,
            encode_chunked=chunked,
        )
    try:
        answer = connection.getresponse()
        answer.read()
        return answer.status, {key.lower(): value for key, value in answer.getheaders()}
    except (http.client.HTTPException, OSError):
        return 0, {}
    finally:
        connection.close()


def _body(begin: bytes, size: int, end: bytes) -> Iterator[bytes]:
    yield begin
    for sent in range(0, size, PIECE):
        yield b"x" * min(PIECE, size - sent)
    yield end


def memory_of(pid: int) -> int:
    """Megabytes of memory that a process and those it started hold."""
    import psutil

    process = psutil.Process(pid)
    return sum(one.memory_info().rss for one in (process, *process.children(recursive=True))) >> 20


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=4, help="how many files are sent")
    parser.add_argument("--megabytes", type=int, default=90, help="the size of each")
    parser.add_argument("--check", action="store_true", help="fail unless all are refused and the memory stays")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "secrets.toml").write_text(SECRETS)
        team = {"L2A_MODE": "team", "L2A_ADMIN": "boss@example.org"}
        with running_app(folder, team, ["--secrets.files", str(folder / "secrets.toml")]) as app:
            host = app.url.removeprefix("http://")
            with visit(host) as stranger:
                time.sleep(5)  # the engine is imported meanwhile
                before = memory_of(app.pid)
                codes = [send_file(stranger, args.megabytes << 20, name=str(n))[0] for n in range(args.times)]
                after = memory_of(app.pid)
    print(f"{args.times} times {args.megabytes} MB without sign-in: answers {', '.join(map(str, codes))}")
    print(f"memory of the server: {before} MB before, {after} MB after")
    refused = all(code in (401, 403) for code in codes) and after - before < GROWTH
    return 1 if args.check and not refused else 0


if __name__ == "__main__":
    sys.exit(main())
