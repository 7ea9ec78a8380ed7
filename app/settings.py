"""The app's settings: a frozen dataclass read from L2A_* environment variables (docs/settings.md)."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from l2a.errors import SettingsError

ROOT = Path(__file__).resolve().parent.parent
PREFIX = "L2A_"
LANGUAGE_CHOICES = ("auto", "zh", "en")
MODE_CHOICES = ("local", "team")
PROMOTE_CHOICES = ("ask", "better")


@dataclass(frozen=True)
class Settings:
    """Each field is the environment variable L2A_<FIELD>; an unset or empty variable means the default."""

    model: Path = ROOT / "models" / "starter"
    beam: int | None = None  # None: the model's own
    language: str = "auto"  # auto: the browser's
    database: str = f"sqlite:///{ROOT}/data/l2a.db"
    mode: str = "local"  # team: people sign in
    admin: str | None = None  # team mode: who is let into a new store, as its first admin
    runs: Path = ROOT / "data" / "runs"  # where training runs and their models are kept
    replay: tuple[
        str, ...
    ] = ()  # what the live model was trained on, mixed into retrainings so that it is not forgotten
    promote: str = "ask"  # better: a candidate that the gate calls better goes live by itself

    @property
    def shown_model(self) -> str:
        """The model folder as a person would write it: short inside the project."""
        inside = self.model.is_relative_to(ROOT)
        return str(self.model.relative_to(ROOT) if inside else self.model)

    @property
    def shown_database(self) -> str:
        """The URL of the store without its password, and short inside the project."""
        without = re.sub(r"(://[^:/@]*):.*@", r"\1:***@", self.database)
        without = re.sub(r"(?<=[?&]password=)[^&]*", "***", without)
        return without.replace(f"sqlite:///{ROOT}/", "sqlite:///", 1)

    def to_environment(self) -> dict[str, str]:
        """The variables that give these settings again, for a process of our own."""
        given = {name: getattr(self, name) for name in self.__dataclass_fields__}
        given["replay"] = os.pathsep.join(self.replay)
        return {PREFIX + name.upper(): "" if value is None else str(value) for name, value in given.items()}

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> "Settings":
        """Read the variables; raises SettingsError for an unknown L2A_* name or a value out of range."""
        environment = os.environ if environment is None else environment
        given = {name: value.strip() for name, value in environment.items() if name.startswith(PREFIX)}
        known = [PREFIX + field.upper() for field in cls.__dataclass_fields__]
        unknown = sorted(set(given) - set(known))
        if unknown:
            raise SettingsError(
                f"{', '.join(unknown)}: no such setting. The settings are {', '.join(known)}. "
                "Correct the name of the environment variable, or unset it."
            )
        values: dict = {}
        if given.get("L2A_MODEL"):
            values["model"] = Path(given["L2A_MODEL"]).expanduser()
        if given.get("L2A_BEAM"):
            values["beam"] = _positive_integer("L2A_BEAM", given["L2A_BEAM"])
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
        return cls(**values)


def _positive_integer(name: str, value: str) -> int:
    if not (value.isascii() and value.isdigit() and int(value) >= 1):
        raise SettingsError(f"{name} is {value!r}, but must be a whole number of at least 1. Correct it, or unset it.")
    return int(value)


def _choice(name: str, value: str, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise SettingsError(f"{name} is {value!r}, but must be one of {', '.join(choices)}. Correct it, or unset it.")
    return value
