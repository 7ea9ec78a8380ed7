"""The app's settings: a frozen dataclass read from L2A_* environment variables (docs/settings.md)."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from app.places import DATA, ROOT, STARTER
from app.shell.messages import message
from l2a.config import DECODER_CHOICES
from l2a.data.size_limits import MB, Limits
from l2a.errors import SettingsError

PREFIX = "L2A_"
LANGUAGE_CHOICES = ("auto", "zh", "en")
MODE_CHOICES = ("local", "team")
PROMOTE_CHOICES = ("ask", "better")
UPDATE_CHOICES = ("ask", "take")
YES_CHOICES = ("yes", "no")


@dataclass(frozen=True)
class Settings:
    """Each field is the environment variable L2A_<FIELD>; an unset or empty variable means the default."""

    model: Path = STARTER
    beam: int | None = None  # None: the model's own
    decoder: str = "auto"  # how the model searches; auto: in 8 bits where the processor has them, else in float32
    encoder: Path | None = None  # folder of a sentence encoder, for memory; None: it does without
    language: str = "auto"  # auto: the browser's
    database: str = f"sqlite:///{DATA}/l2a.db"
    mode: str = "local"  # team: people sign in
    admin: str | None = None  # team mode: who is let into a new store, as its first admin
    runs: Path = DATA / "runs"  # where training runs and their models are kept
    replay: tuple[
        str, ...
    ] = ()  # what the live model was trained on, mixed into retrainings so that it is not forgotten
    promote: str = "ask"  # better: a candidate that the gate calls better goes live by itself
    model_update: str = "ask"  # take: a version that has taken the place of the live one's files goes live by itself
    backups: Path | None = None  # for backups before migrations; None: beside a SQLite store, else data/backups
    unprotected: bool = False  # local mode on more than this machine: somebody knows who can reach it
    embed: tuple[str, ...] = ()  # addresses of pages that may show this one in a frame
    import_folder: Path | None = None  # where the page may read files of the server; None: see `import_from`
    line_mb: int = 1  # the longest line, record, row or task of a file that is imported
    unpacked_mb: int = 1000  # what may come out of a packed file
    json_depth: int = 50  # levels of lists and objects in JSON

    @property
    def shown_model(self) -> str:
        """The model folder as a person would write it: short inside the project."""
        inside = self.model.is_relative_to(ROOT)
        return str(self.model.relative_to(ROOT) if inside else self.model)

    @property
    def shown_database(self) -> str:
        """The URL of the store without its password, and short inside the project."""
        without = re.sub(r"(://[^:/@]*):.*@", r"\1:***@", self.database)
        without = re.sub(r"([?&](?:ssl)?password=)[^&]*", r"\1***", without)
        return without.replace(f"sqlite:///{ROOT}/", "sqlite:///", 1)

    @property
    def import_from(self) -> Path | None:
        """The folder below which the page may read files of the server; None: nowhere, as long as nobody says where."""
        return self.import_folder or (DATA / "import" if self.mode == "local" else None)

    @property
    def limits(self) -> Limits:
        """How much of a file is read, and by which setting."""
        names = {"line": "L2A_LINE_MB", "unpacked": "L2A_UNPACKED_MB", "depth": "L2A_JSON_DEPTH"}
        return Limits(self.line_mb * MB, self.unpacked_mb * MB, self.json_depth, names)

    @property
    def backup_folder(self) -> Path | None:
        """Where a store is backed up before its tables change; None: beside it."""
        beside = None if self.database.startswith("sqlite") else DATA / "backups"
        return self.backups or beside

    def to_environment(self) -> dict[str, str]:
        """The variables that give these settings again, for a process of our own."""
        given = {name: getattr(self, name) for name in self.__dataclass_fields__}
        given["replay"] = os.pathsep.join(self.replay)
        given["embed"] = " ".join(self.embed)
        given["unprotected"] = "yes" if self.unprotected else "no"
        return {PREFIX + name.upper(): "" if value is None else str(value) for name, value in given.items()}

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> "Settings":
        """Read the variables; raises SettingsError for an unknown L2A_* name or a value out of range."""
        environment = os.environ if environment is None else environment
        given = {name: value.strip() for name, value in environment.items() if name.startswith(PREFIX)}
        known = [PREFIX + field.upper() for field in cls.__dataclass_fields__]
        unknown = sorted(set(given) - set(known))
        if unknown:
            raise SettingsError(message("settings.unknown", names=", ".join(unknown), known=", ".join(known)))
        values: dict = {}
        if given.get("L2A_MODEL"):
            values["model"] = Path(given["L2A_MODEL"]).expanduser()
        if given.get("L2A_BEAM"):
            values["beam"] = _positive_integer("L2A_BEAM", given["L2A_BEAM"])
        if given.get("L2A_DECODER"):
            values["decoder"] = _choice("L2A_DECODER", given["L2A_DECODER"].lower(), DECODER_CHOICES)
        if given.get("L2A_ENCODER"):
            values["encoder"] = Path(given["L2A_ENCODER"]).expanduser()
        if given.get("L2A_LANGUAGE"):
            values["language"] = _choice("L2A_LANGUAGE", given["L2A_LANGUAGE"].lower(), LANGUAGE_CHOICES)
        if given.get("L2A_DATABASE"):
            values["database"] = given["L2A_DATABASE"]
        if given.get("L2A_MODE"):
            values["mode"] = _choice("L2A_MODE", given["L2A_MODE"].lower(), MODE_CHOICES)
        if given.get("L2A_ADMIN"):
            values["admin"] = given["L2A_ADMIN"]
        if given.get("L2A_RUNS"):
            values["runs"] = Path(given["L2A_RUNS"]).expanduser()
        if given.get("L2A_REPLAY"):
            values["replay"] = tuple(filter(None, given["L2A_REPLAY"].split(os.pathsep)))
        if given.get("L2A_PROMOTE"):
            values["promote"] = _choice("L2A_PROMOTE", given["L2A_PROMOTE"].lower(), PROMOTE_CHOICES)
        if given.get("L2A_UNPROTECTED"):
            answer = _choice("L2A_UNPROTECTED", given["L2A_UNPROTECTED"].lower(), YES_CHOICES)
            values["unprotected"] = answer == "yes"
        if given.get("L2A_EMBED"):
            values["embed"] = tuple(_web_address("L2A_EMBED", one) for one in given["L2A_EMBED"].split())
        if given.get("L2A_IMPORT_FOLDER"):
            values["import_folder"] = Path(given["L2A_IMPORT_FOLDER"]).expanduser()
        for name in ("line_mb", "unpacked_mb", "json_depth"):
            variable = PREFIX + name.upper()
            if given.get(variable):
                values[name] = _positive_integer(variable, given[variable])
        if given.get("L2A_BACKUPS"):
            values["backups"] = Path(given["L2A_BACKUPS"]).expanduser()
        if given.get("L2A_MODEL_UPDATE"):
            values["model_update"] = _choice("L2A_MODEL_UPDATE", given["L2A_MODEL_UPDATE"].lower(), UPDATE_CHOICES)
        return cls(**values)


def _positive_integer(name: str, value: str) -> int:
    if not (value.isascii() and value.isdigit() and int(value) >= 1):
        raise SettingsError(message("settings.not_a_number", name=name, value=value))
    return int(value)


def _web_address(name: str, value: str) -> str:
    """An address without a path; anything else could say more in the header that it becomes a part of."""
    if not re.fullmatch(r"https?://[A-Za-z0-9.-]+(?::[0-9]{1,5})?", value):
        raise SettingsError(message("settings.not_addresses", name=name, value=value))
    return value


def _choice(name: str, value: str, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise SettingsError(message("settings.not_a_choice", name=name, value=value, choices=", ".join(choices)))
    return value
