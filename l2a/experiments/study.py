"""A study: one `--data` with one setup; hands out answers of trained methods and trains what is not there yet."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from l2a.experiments.corpora import Corpora, Corpus
from l2a.experiments.report.folder import Folder, Result
from l2a.experiments.training.methods import Method
from l2a.experiments.training.runs import Training, run_method
from l2a.experiments.training.scales import Scale, Setting
from l2a.experiments.training.tuning import best_trial, trials_of
from l2a.tagger import Tagger
from l2a.text.segmenter import Segmenter


class Need(NamedTuple):
    """A trained method that an experiment asks for."""

    method: Method
    corpus: Corpus
    seed: int


@dataclass
class Study:
    """What every experiment gets."""

    corpora: Corpora
    folder: Folder
    scale: Scale
    minutes: float
    seeds: int
    quiet: bool = True

    @property
    def all_seeds(self) -> range:
        return range(1, self.seeds + 1)

    @property
    def beam(self) -> int:
        return self.scale.beams[-1]

    @cached_property
    def segmenter(self) -> Segmenter:
        return Segmenter()

    def run(self, need: Need) -> dict[str, Any]:
        """The answers of a trained method (`runs.run_method`), kept from before or made now."""
        return self.folder.part(self.name_of(need), lambda: run_method(need.method, self._training(need)))

    def name_of(self, need: Need) -> str:
        """The part its answers are kept as; experiments that need the same model get the same one."""
        return f"runs/{need.corpus.name}/{need.method.slug}-seed-{need.seed}"

    def is_done(self, need: Need) -> bool:
        return self.folder.part_path(self.name_of(need)).exists()

    def runs(self, method: Method, corpus: Corpus, seeds: Sequence[int] = (1,)) -> list[dict[str, Any]]:
        return [self.run(Need(method, corpus, seed)) for seed in seeds]

    def tagger(self, method: Method, corpus: Corpus, seed: int = 1) -> Tagger:
        """The model of an L2A method, trained if need be."""
        need = Need(method, corpus, seed)
        self.run(need)
        return Tagger.load(self._training(need).folder / "best")

    def trials(self, kind: str) -> list[Need]:
        """What is trained to choose the setting of a kind of method: on dev of the main corpus, one seed."""
        return [Need(method, self.corpora.main, 1) for method in trials_of(kind, self.scale.tried)]

    def chosen_setting(self, kind: str) -> Setting | None:
        """The setting with the best F1 on dev; None where nothing is tried."""
        runs = {setting: self.run(need) for need in self.trials(kind) if (setting := need.method.setting)}
        return best_trial(runs, self.corpora.main) if runs else None

    def part(self, name: str, make: Callable[[], Mapping[str, Any]]) -> dict[str, Any]:
        return self.folder.part(name, make)

    def _training(self, need: Need) -> Training:
        folder = self.folder.path / "models" / need.corpus.name / f"{need.method.slug}-seed-{need.seed}"
        setting = need.method.setting or self.chosen_setting(need.method.kind)
        scale = self.scale.with_setting(setting) if setting else self.scale
        return Training(need.corpus, scale, self.minutes, need.seed, folder, self.quiet)


@dataclass(frozen=True)
class Experiment:
    """A table or figure of the paper: which trained methods it needs, and how their answers become a result."""

    title: str
    needs: Callable[[Study], list[Need]]
    make: Callable[[Study], Result]
