"""The files in deploy/: what they name exists, they hold no secret and nobody's own folders."""

import json
import re
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from streamlit import config

from app.access import sign_in
from app.admin import orders
from app.export import earlier
from app.serving import health
from app.shell.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
UNITS = sorted(path.name for path in DEPLOY.glob("l2a-studio*"))
INSTALLED = "/opt/l2a-studio/"  # where docs/operations.md puts the project
MACHINE_PATHS = ("/wo" + "rk/", "/ro" + "ot/", "/ho" + "me/", "/tm" + "p/")
HARDENING = {
    "NoNewPrivileges": "yes",
    "ProtectSystem": "strict",
    "ProtectHome": "yes",
    "PrivateTmp": "yes",
    "PrivateDevices": "yes",
    "CapabilityBoundingSet": "",
    "SystemCallFilter": "@system-service",
    "UMask": "0077",
    "User": "l2a",
}


def instructions() -> list[tuple[str, str]]:
    """The lines of the Containerfile: (instruction, the rest), continued lines joined, comments left out."""
    lines = [line for line in (DEPLOY / "Containerfile").read_text().splitlines() if not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", " ", "\n".join(lines))
    return [tuple(line.split(maxsplit=1)) for line in joined.splitlines() if line.strip()]


def of_kind(kind: str) -> list[str]:
    return [rest for name, rest in instructions() if name == kind]


def unit(name: str) -> dict[str, dict[str, list[str]]]:
    """Section -> key -> its values. Not configparser: a key may stand twice."""
    found: dict[str, dict[str, list[str]]] = {}
    section = None
    for line in (DEPLOY / name).read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            section = found.setdefault(line.strip("[]"), {})
            continue
        key, equals, value = line.partition("=")
        assert equals, f"{name}: {line!r} is no setting"
        section.setdefault(key, []).append(value)
    return found


def streamlit_options(words: list[str]) -> dict[str, str]:
    """The options of a `streamlit run` among the words of a command."""
    names = [position for position, word in enumerate(words) if word.startswith("--")]
    return {words[position][2:]: words[position + 1] for position in names}


def test_the_container_starts_as_nobody_and_copies_only_what_exists():
    kinds = [name for name, _ in instructions()]
    assert kinds[0] == "FROM"
    assert set(kinds) <= {"FROM", "ARG", "ENV", "RUN", "WORKDIR", "COPY", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK"} | {
        "ENTRYPOINT"
    }
    assert of_kind("FROM") == ["docker.io/library/python:3.11-slim"]
    assert of_kind("USER") == ["10001:10001"]
    assert kinds.index("USER") > max(place for place, kind in enumerate(kinds) if kind in ("COPY", "RUN"))
    copied = [source for rest in of_kind("COPY") for source in shlex.split(rest)[:-1]]
    assert {source for source in copied if not (ROOT / source).exists()} == set()
    assert {"app", "db", "l2a", "pages", "streamlit_app.py", ".streamlit/config.toml", "requirements.txt"} <= set(
        copied
    )
    assert not {".", "./", ".streamlit", "data"} & set(copied)  # a secrets.toml or a store would come along


def test_every_package_and_launcher_is_in_the_image():
    """What `streamlit run` needs to start: the imports between the copied folders stay inside them."""
    copied = {shlex.split(rest)[0] for rest in of_kind("COPY")}
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests", "bench"}
    assert packages <= copied


def test_the_container_keeps_its_store_and_its_models_in_the_volume():
    (volume,) = of_kind("VOLUME")
    settings = Settings.from_environment(dict(rest.split("=", 1) for rest in of_kind("ENV") if rest.startswith("L2A_")))
    assert settings.database.startswith(f"sqlite:///{volume}/")
    assert settings.runs.is_relative_to(volume)
    assert settings.backups.is_relative_to(volume)


def test_the_container_can_dump_a_postgresql_store():
    """Without pg_dump a migration is refused, and the app does not open."""
    installed = [rest for rest in of_kind("RUN") if "apt-get install" in rest]
    assert "postgresql-client" in installed[0].split()


def test_the_container_asks_the_health_route_where_the_server_listens():
    (check,) = of_kind("HEALTHCHECK")
    (start,) = of_kind("ENTRYPOINT")
    command = json.loads(start)
    options = streamlit_options(command)
    program = json.loads(check.partition("CMD ")[2])[-1]
    compile(program, "HEALTHCHECK", "exec")
    assert f":{options['server.port']}{health.PATH}'" in program
    assert of_kind("EXPOSE") == [options["server.port"]]
    assert command[:4] == ["python", "-m", "streamlit", "run"]
    assert set(options) <= set(config._config_options_template)


def test_the_units_parse_and_name_what_exists():
    assert UNITS == ["l2a-studio-backup.service", "l2a-studio-backup.timer", "l2a-studio.service"]
    for name in UNITS:
        sections = unit(name)
        assert set(sections) <= {"Unit", "Service", "Timer", "Install"}
        assert sections["Unit"]["Description"][0]
    start = shlex.split(unit("l2a-studio.service")["Service"]["ExecStart"][0])
    assert start[:4] == [f"{INSTALLED}.venv/bin/python", "-m", "streamlit", "run"]
    options = streamlit_options(start)
    assert set(options) <= set(config._config_options_template)
    assert "server.address" not in options  # .streamlit/config.toml says localhost
    backup = unit("l2a-studio-backup.service")["Service"]["ExecStart"][0]
    assert "-m app backup " in backup
    assert unit("l2a-studio-backup.timer")["Timer"]["Persistent"] == ["true"]


@pytest.mark.parametrize("name", [name for name in UNITS if name.endswith(".service")])
def test_the_services_may_do_little(name):
    service = unit(name)["Service"]
    assert {key: service.get(key, ["not set"])[0] for key in HARDENING} == HARDENING
    values = dict(value.split("=", 1) for line in service["Environment"] for value in shlex.split(line))
    settings = Settings.from_environment({key: value for key, value in values.items() if key.startswith("L2A_")})
    kept = f"/var/lib/{service['StateDirectory'][0].split()[0]}/"
    assert settings.database.startswith(f"sqlite:///{kept}")
    if name == "l2a-studio.service":
        assert str(settings.runs).startswith(kept)
        assert str(settings.backups).startswith(kept)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_understands_the_units():
    done = subprocess.run(
        ["systemd-analyze", "verify", *(str(DEPLOY / name) for name in UNITS)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    # Of this project's units, that is; the program is not installed here, and other units of the machine may complain.
    said = [line for line in done.stderr.splitlines() if "l2a-studio" in line and "is not executable" not in line]
    assert said == []


def test_the_example_secrets_hold_every_key_and_no_secret():
    auth = tomllib.loads((DEPLOY / "secrets.example.toml").read_text())["auth"]
    assert set(auth) == set(sign_in.KEYS)
    # As it stands it is refused: nobody goes live with a secret that everybody can read here.
    assert set(sign_in.setup_problems(auth)) == {"cookie_secret", "client_id", "client_secret"}


def test_the_example_environment_is_valid():
    lines = [line for line in (DEPLOY / "environment.example").read_text().splitlines() if line]
    values = dict(line.lstrip("# ").split("=", 1) for line in lines if re.match(r"(# )?[A-Z0-9_]+=", line))
    settings = Settings.from_environment({key: value for key, value in values.items() if key.startswith("L2A_")})
    assert settings.mode == "team"
    assert settings.database.startswith("postgresql://")
    others = {key for key in values if not key.startswith("L2A_")}
    assert others <= {option.env_var for option in config._config_options_template.values()}


def test_no_file_holds_a_path_of_a_machine_or_a_password():
    for path in DEPLOY.iterdir():
        text = path.read_text(encoding="utf-8")
        assert [machine for machine in MACHINE_PATHS if machine in text] == [], path.name
        assert not re.search(r"(?i)(secret|password|token)\s*=\s*[\"']?[A-Za-z0-9+/]{8,}", text), path.name


def test_the_manual_names_every_file():
    manual = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    assert [path.name for path in DEPLOY.iterdir() if f"deploy/{path.name}" not in manual] == []
    named = set(re.findall(r"\bdeploy/([\w.-]+\w)", manual))
    assert {name for name in named if not (DEPLOY / name).exists()} == set()
    assert INSTALLED.rstrip("/") in manual


def test_the_server_listens_to_this_machine_and_takes_no_huge_file():
    server = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["server"]
    assert server["address"] == "localhost"
    assert server["maxUploadSize"] == max(orders.UPLOAD_MEGABYTES, earlier.UPLOAD_MEGABYTES) + 1
    assert set(server["allowedHosts"]) == {"localhost", "127.0.0.1", "::1"}
    assert "enableXsrfProtection" not in server  # on unless told otherwise
    proxy = (DEPLOY / "nginx.conf").read_text()
    elsewhere, uploads = proxy.split("location /_stcore/upload_file/ {")
    assert "client_max_body_size 1m;" in elsewhere
    assert f"client_max_body_size {server['maxUploadSize']}m;" in uploads.partition("}")[0]
    assert "limit_conn uploads" in uploads.partition("}")[0]
