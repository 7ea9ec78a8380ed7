"""The command line: `python -m l2a.experiments NAME --data DIR [--preset tiny|small|paper] ...`.

Progress goes to standard error, the path of what was written to standard output. Bad input ends with exit code 2 and
one line that says what to do. Heavy modules are imported once they are needed, so `--help` answers at once.
"""

import argparse
import math
import sys
from collections.abc import Sequence
from pathlib import Path

from l2a.commands.shared import add_skip_bad, say, set_threads
from l2a.errors import InputError, L2AError, SettingsError

NAMES = (
    "coverage", "frequency", "dataset", "main", "unseen", "nbest", "meaningless", "positions", "architecture",
    "attention",
)  # fmt: skip
ALL, REPORT = "all", "report"
PRESETS = ("tiny", "small", "paper")


def main(arguments: Sequence[str] | None = None) -> int:
    args = build_parser().parse_args(arguments)
    try:
        print(run(args))
        return 0
    except L2AError as error:
        say(f"l2a.experiments: {error}")
        return 2
    except OSError as error:
        say(f"l2a.experiments: {error}. Check the path, and that you may read and write there.")
        return 2
    except KeyboardInterrupt:
        say("l2a.experiments: interrupted; the same command goes on from here")
        return 130


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m l2a.experiments",
        description="The paper's tables and figures for your own data. What is finished is kept and not done again.",
        epilog="example: python -m l2a.experiments all --data samples --preset tiny",
    )
    parser.add_argument(
        "name",
        metavar="NAME",
        choices=(*NAMES, ALL, REPORT),
        help=f"{', '.join(NAMES)}; all: one after the other; report: gather what is there",
    )
    parser.add_argument("--data", type=Path, metavar="DIR", help="zhihu/ and weibo/, or train, dev, test, or one file")
    parser.add_argument("--preset", choices=PRESETS, default="small", help="sizes of everything (default small)")
    parser.add_argument(
        "--max-minutes", type=float, metavar="M", help="training time of each, in minutes of a processor"
    )
    parser.add_argument(
        "--seeds", type=int, default=3, metavar="K", help="of L2A-word in every order and of the positions (default 3)"
    )
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="default: runs/experiments-PRESET")
    add_skip_bad(parser)
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="trainings side by side (default 1)")
    parser.add_argument("--threads", type=int, help="CPU threads of each training (default: 1 with several --jobs)")
    parser.add_argument("--quiet", action="store_true", help="no progress bars")
    return parser


def run(args: argparse.Namespace) -> Path:
    """Do what was asked for; returns the path of the file to look at."""
    from l2a.experiments.report.document import write_report
    from l2a.experiments.report.folder import Folder

    if args.jobs < 1:
        raise SettingsError("settings.too_small", name="--jobs", value=args.jobs)
    set_threads(1 if args.threads is None and args.jobs > 1 else args.threads)
    folder = Folder(args.out or Path("runs") / f"experiments-{args.preset}")
    if args.name == REPORT:
        return write_report(folder)
    study = open_study(args, folder)
    names = NAMES if args.name == ALL else (args.name,)
    _run_experiments(study, names, args.jobs)
    report = write_report(folder)
    return report if args.name == ALL else folder.path / args.name / "result.md"


def open_study(args: argparse.Namespace, folder):
    """Check everything that can be checked before the first hour of training."""
    import torch

    from l2a.experiments.corpora import find_corpora
    from l2a.experiments.study import Study
    from l2a.experiments.training.scales import SCALES

    if args.data is None:
        raise InputError("experiments.no_data")
    if args.seeds < 1:
        raise SettingsError("settings.too_small", name="--seeds", value=args.seeds)
    scale = SCALES[args.preset]
    minutes = scale.minutes if args.max_minutes is None else args.max_minutes
    if not minutes > 0:
        raise SettingsError("experiments.no_minutes", minutes=minutes)
    corpora = find_corpora(args.data, folder.path / "data", args.skip_bad)
    for corpus in corpora.all:
        corpus.read()
    folder.check_setup(
        {
            "preset": args.preset,
            "minutes": None if math.isinf(minutes) else minutes,
            "threads": torch.get_num_threads(),  # more of them do more in the same time
            "tried": list(map(str, scale.tried)),
            "data": {corpus.name: corpus.checksums() for corpus in corpora.all},
            "notes": list(corpora.notes),
        }
    )
    for note in corpora.notes:
        say(note)
    return Study(corpora, folder, scale, minutes, args.seeds, args.quiet)


def _run_experiments(study, names: Sequence[str], jobs: int) -> None:
    """Results are made in order, each as soon as its trainings are there; with several jobs others go on meanwhile.

    Settings are chosen before all that: every training depends on them.
    """
    from tqdm import tqdm

    from l2a.experiments.catalogue import EXPERIMENTS
    from l2a.experiments.training.trainings import Trainings

    chosen = {name: EXPERIMENTS[name] for name in names}
    needs = {name: experiment.needs(study) for name, experiment in chosen.items()}
    wanted = [need for some in needs.values() for need in some]
    trials = [need for kind in dict.fromkeys(need.method.kind for need in wanted) for need in study.trials(kind)]
    with tqdm(unit="part", disable=study.quiet, file=sys.stderr) as bar:
        with Trainings(study, trials, jobs, bar.update) as trainings:
            later = {study.name_of(need) for need in wanted if not study.is_done(need)}
            bar.total = len(trainings.missing) + len(later) + len(chosen)
            for need in trials:
                bar.set_description(f"settings: {need.method.name}, {need.method.setting}")
                trainings.finish(need)
        _make_results(study, chosen, needs, jobs, bar)


def _make_results(study, chosen: dict, needs: dict, jobs: int, bar) -> None:
    from l2a.experiments.training.trainings import Trainings

    with Trainings(study, [need for some in needs.values() for need in some], jobs, bar.update) as trainings:
        for name, experiment in chosen.items():
            for need in needs[name]:
                bar.set_description(f"{name}: {need.corpus.name}, {need.method.name}, seed {need.seed}")
                trainings.finish(need)
            bar.set_description(name)
            study.folder.write_result(name, experiment.title, experiment.make(study))
            bar.update()
