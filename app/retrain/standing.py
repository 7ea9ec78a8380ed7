"""How the models stand: which is live, which runs there were, what the live one has not seen. No Streamlit."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from db.models import decided, registry, training_runs
from db.models.training_runs import CAN_START_AGAIN, Run
from db.store.tables import ModelVersion

PHASES = ("snapshot", "training", "gate")


@dataclass(frozen=True)
class Finished:
    """A run that came to its end, and what the gate found about its candidate."""

    run: Run
    findings: dict[str, Any]  # JSON of the store: app.learning.gate.Comparison.to_dict


@dataclass(frozen=True)
class Standing:
    """What the page Retrain is about."""

    live: ModelVersion | None
    since: int  # decisions that the live model has not seen
    live_was_trained_here: bool
    versions: tuple[ModelVersion, ...]
    runs: tuple[Run, ...]  # newest first
    earlier: ModelVersion | None  # the version that a roll-back goes to

    @property
    def results(self) -> list["Finished"]:
        """Newest first. One that is compared again, or was until that broke off, has the findings from before."""
        return [Finished(run, run.gate) for run in self.runs if run.candidate is not None and run.gate is not None]

    @property
    def stopped(self) -> Run | None:
        """The newest run, where it did not come to its end."""
        newest = self.runs[0] if self.runs else None
        return newest if newest is not None and newest.state in CAN_START_AGAIN else None

    def version(self, name: str | None) -> ModelVersion | None:
        return next((model for model in self.versions if model.version == name), None)


def standing(session: Session) -> Standing:
    live = registry.live(session)
    run = training_runs.made(session, live.version) if live is not None else None
    seen = run.snapshot.get("last_entry", 0) if run is not None else 0
    return Standing(
        live,
        decided.decisions_since(session, seen),
        run is not None,
        tuple(registry.everything(session)),
        tuple(training_runs.recent(session, 50)),
        registry.earlier(session),
    )


def decided_since(session: Session, run: Run) -> int:
    """Questions that were decided first after the snapshot of a run: its candidate has learned of none of them."""
    return decided.count_decided_first_after(session, run.snapshot.get("last_entry", 0))
