"""A redaction beyond the tables: copies of a question's words in files of this machine, and what is out of reach."""

from dataclasses import dataclass
from pathlib import Path

from app.learning import process, snapshot
from app.memory import cache
from app.shell.settings import Settings
from db.ledger import redaction
from db.models import training_runs
from db.store.engine import Store

REMAINS = (
    "What stays: backups and dumps made before, exports and downloads that were handed out, and models that were "
    "trained on the question (a training from scratch forgets it). PostgreSQL keeps old rows in its files until "
    "VACUUM. In the store stay its number, source and id, a hash of its text, its tags and who gave them."
)


@dataclass(frozen=True)
class Forgotten:
    rows: int  # of training snapshots
    elsewhere: tuple[str, ...]  # folders of runs that are not on this machine, or cannot be written


def forget(settings: Settings, store: Store) -> Forgotten:
    """Take every redacted question out of the files that trainings left; again as often as one likes."""
    from l2a.training import cutting

    redaction.forget_deleted(store)
    cache.forget(cache.folder_for(store), store)  # processes that run write it anew, without the question
    with store.read() as session:
        gone, runs = redaction.redacted_questions(session), training_runs.recent(session, None)
    rows, elsewhere = 0, []
    for run in runs:
        folder = Path(run.folder) if run.folder else process.folder_of(settings, run.id)
        if not folder.is_dir():
            if run.snapshot:
                elsewhere.append(str(folder))
            continue
        try:
            rows += snapshot.forget(folder, gone)
        except OSError:
            elsewhere.append(str(folder))
    cutting.forget(cutting.default_cache())  # words of exports that somebody trained on by hand
    return Forgotten(rows, tuple(elsewhere))
