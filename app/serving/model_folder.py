"""What a model folder holds, without loading it; and a version that came in the place of a registered one."""

import json
import logging
from pathlib import Path

from app.shell.messages import message
from app.shell.settings import ROOT, Settings
from db.errors import Refused
from db.models import registry
from db.store.engine import Store
from l2a.errors import CheckpointError

KIND = "l2a-tagger"  # as l2a.checkpoint has it, which brings torch along
TAKE = "take"

log = logging.getLogger(__name__)


def folder_of(path: str) -> Path:
    """A registered model's folder: inside the project unless the path says otherwise."""
    return ROOT / Path(path).expanduser()


def shown(folder: Path) -> str:
    """How a folder is registered: short inside the project, so that the project can be moved."""
    return Settings(model=folder).shown_model


def read_version(folder: Path) -> tuple[str, dict]:
    """The version and the metrics in a model folder's config.json, without loading the model.

    Raises CheckpointError. Whether the weights belong to it is checked when the model is loaded.
    """
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except OSError as error:
        raise CheckpointError(message("model.no_config", folder=folder, error=str(error.strerror or error))) from error
    except (ValueError, RecursionError) as error:
        raise CheckpointError(message("model.config_unreadable", folder=folder, error=str(error))) from error
    version = config.get("version") if isinstance(config, dict) and config.get("kind") == KIND else None
    if not isinstance(version, str) or not version:
        raise CheckpointError(message("model.config_of_another_kind", folder=folder))
    metrics = config.get("metrics")
    return version, metrics if isinstance(metrics, dict) else {}


def version_in(folder: Path) -> str | None:
    """The version that a folder says it holds; None if it does not say."""
    try:
        return read_version(folder)[0]
    except CheckpointError:
        return None


def is_there(version: str, path: str) -> bool:
    """Whether a registered version's files still are where it was registered: another may have taken their place."""
    folder = folder_of(path)
    return folder.is_dir() and version_in(folder) in (version, None)


def offer(store: Store, folder: Path, update: str) -> str | None:
    """Register the version in `folder` as a candidate, if the store does not know it; returns the version.

    Where it took the place of the live version's files, `update` says whether it goes live by itself ("take"). Does
    nothing in a store where no model is live: that one begins with its first model. None: the folder holds no model.
    """
    try:
        version, metrics = read_version(folder)
    except CheckpointError as error:  # said when somebody needs the model
        log.info("no model to offer: %s", error)
        return None
    with store.read() as session:
        live = registry.live(session)
        known = any(model.version == version for model in registry.everything(session))
    if live is None or live.version == version:
        return version
    takes = update == TAKE and folder_of(live.path) == folder_of(str(folder))
    if known and not takes:
        return version

    def register(session) -> None:
        registry.register(session, version, shown(folder), metrics=metrics)
        if takes:
            registry.promote(session, version, None, over=live.version)

    try:
        store.run(register)
        log.warning("%s holds %s, another model than %s, which is live", folder, version, live.version)
    except Refused as error:  # pruned, or somebody promoted another one meanwhile
        log.warning("%s is not taken: %s", version, error)
    return version
