"""How fast beam search is here and elsewhere: `python bench/decode.py [compare|scaling|memory]`.

compare   our decoders, Hugging Face `generate` and CTranslate2 in one run, in turns, at the paper's decoder size;
          milliseconds a question (best round) and ratios, repeated to show their spread
scaling   cost of a question by beam, batch, source length and vocabulary, ours alone
memory    peak memory of each decoder, each in a process of its own

What counts are ratios of one run: milliseconds depend on the machine and on what else runs there. `--clock cpu`
counts processor time on one thread, which hardly depends on what else runs; it cannot show how well threads are used.
`--record FILE` keeps the ratios, `--check FILE` fails where one is more than 20% worse than kept.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import torch  # noqa: E402

from bench.decoders import Candidate, Load, ctranslate, hugging_face, ours  # noqa: E402

CANDIDATES = {
    "plain": ours.plain,
    "fast float32": ours.fast_float32,
    "fast int8": ours.fast_int8,
    "Hugging Face": hugging_face.generate,
    "CTranslate2 float32": ctranslate.float32,
    "CTranslate2 int8": ctranslate.int8,
}
OURS = ("plain", "fast float32", "fast int8")
WORSE = 1.2  # a ratio so many times the recorded one fails the check
SCALES = {
    "beam": (1, 4, 8, 16, 24, 48),
    "batch": (1, 2, 4, 8, 16, 32),
    "source_words": (8, 15, 30, 60, 120),
    "vocabulary": (5_000, 10_000, 18_966, 40_000),
}


CLOCKS = {"wall": time.perf_counter, "cpu": time.process_time}


def best_of(candidates: dict[str, Candidate], rounds: int, batch: int, clock: str = "wall") -> dict[str, float]:
    """Milliseconds a question of each; they take turns, so that a busy spell of the machine meets all of them."""
    times: dict[str, list[float]] = {name: [] for name in candidates}
    for number in range(rounds + 1):
        for name, decode in candidates.items():
            started = CLOCKS[clock]()
            decode()
            if number:  # the first round warms up
                times[name].append(1000 * (CLOCKS[clock]() - started) / batch)
    return {name: min(spent) for name, spent in times.items()}


def ratios(times: dict[str, float]) -> dict[str, float]:
    """Ours against the peers; CTranslate2's better figure is that of its better arithmetic."""
    translators = [times[name] for name in times if name.startswith("CTranslate2")]
    against = {"Hugging Face": times["Hugging Face"], "CTranslate2": min(translators), "plain": times["plain"]}
    against["CTranslate2 int8"] = times["CTranslate2 int8"]
    return {
        f"{mine} / {other}": times[mine] / spent
        for mine in ("fast float32", "fast int8")
        for other, spent in against.items()
    }


def compare(args: argparse.Namespace) -> dict:
    found: dict = {name: getattr(args, name) for name in ("rounds", "repeats", "threads", "clock")}
    found["batches"] = {}
    for batch in args.batches:
        load = Load(batch=batch, threads=args.threads)
        candidates = {name: build(load) for name, build in CANDIDATES.items()}
        runs = []
        for _ in range(args.repeats):
            times = best_of(candidates, args.rounds, batch, args.clock)
            runs.append({"ms": times, "ratios": ratios(times), "machine_load": os.getloadavg()[0]})
            print(f"  batch {batch}: " + ", ".join(f"{name} {spent:.0f} ms" for name, spent in times.items()))
        spread = {name: sorted(run["ratios"][name] for run in runs) for name in runs[0]["ratios"]}
        found["batches"][str(batch)] = {
            "ms": {name: min(run["ms"][name] for run in runs) for name in CANDIDATES},
            "ratios": {
                name: {"middle": values[len(values) // 2], "lowest": values[0], "highest": values[-1]}
                for name, values in spread.items()
            },
            "machine_load": [run["machine_load"] for run in runs],
        }
    print(table(found))
    return found


def table(found: dict) -> str:
    """Markdown: milliseconds, then ratios with their spread."""
    batches = found["batches"]
    head = "".join(f" batch {batch} |" for batch in batches)
    rule = "|---|" + "---:|" * len(batches)
    lines = ["", f"| milliseconds a question |{head}", rule]
    for name in CANDIDATES:
        lines.append(f"| {name} |" + "".join(f" {part['ms'][name]:.0f} |" for part in batches.values()))
    lines += ["", f"| ratio (lowest to highest of {found['repeats']}) |{head}", rule]
    for name in next(iter(batches.values()))["ratios"]:
        cells = [part["ratios"][name] for part in batches.values()]
        lines.append(
            f"| {name} |" + "".join(f" {c['middle']:.2f} ({c['lowest']:.2f} to {c['highest']:.2f}) |" for c in cells)
        )
    return "\n".join(lines)


def scaling(args: argparse.Namespace) -> dict:
    """Milliseconds a question as one size grows and the others stay."""
    found: dict = {"decoder": args.decoder}
    for name, sizes in SCALES.items():
        found[name] = {}
        loads = {size: replace(Load(threads=args.threads), **{name: size}) for size in sizes}
        candidates = {str(size): CANDIDATES[args.decoder](load) for size, load in loads.items()}
        for size, load in loads.items():
            spent = best_of({"it": candidates[str(size)]}, args.rounds, load.batch, args.clock)["it"]
            found[name][str(size)] = round(spent, 1)
        print(name, found[name], flush=True)
    return found


def memory(args: argparse.Namespace) -> dict:
    """Peak resident memory, MB, for a batch of one and of eight; read by each process itself when it is done."""
    found = {}
    for name in CANDIDATES:
        for batch in (1, 8):
            command = [sys.executable, __file__, "memory", "--decoder", name, "--batches", str(batch), "--alone"]
            answer = subprocess.run(command, check=True, capture_output=True, text=True)
            found[f"{name}, batch {batch}"] = float(answer.stdout.split()[-1])
    return found


def peak_of(args: argparse.Namespace) -> float:
    CANDIDATES[args.decoder](Load(batch=args.batches[0], threads=args.threads))()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def worsened(found: dict, recorded: dict) -> list[str]:
    """The ratios that are more than 20% above the recorded ones, each as a sentence.

    The lowest of the repeats counts: a machine that is busy with something else makes a ratio worse, never better.
    """
    complaints = []
    if found.get("clock") != recorded.get("clock"):
        return [f"measured with --clock {found.get('clock')}, recorded with --clock {recorded.get('clock')}"]
    for batch, part in recorded["batches"].items():
        now = found["batches"].get(batch)
        if now is None:
            complaints.append(f"batch {batch} is recorded and was not measured: give --batches as recorded")
            continue
        for name, was in part["ratios"].items():
            ratio = now["ratios"][name]["lowest"]
            if ratio > WORSE * was["middle"]:
                complaints.append(f"batch {batch}, {name}: {ratio:.2f}, recorded {was['middle']:.2f}")
    return complaints


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", choices=("compare", "scaling", "memory"), default="compare")
    parser.add_argument("--rounds", type=int, default=5, help="turns of each decoder; the best counts (5)")
    parser.add_argument("--repeats", type=int, default=3, help="of the whole comparison, for the spread (3)")
    parser.add_argument("--threads", type=int, default=2, help="of every decoder (2; 1 with --clock cpu)")
    parser.add_argument("--clock", choices=tuple(CLOCKS), default="wall", help="what is measured (wall)")
    parser.add_argument("--batches", type=int, nargs="+", default=[1, 8], help="questions decoded together (1 8)")
    parser.add_argument("--decoder", choices=tuple(CANDIDATES), default="fast int8", help="for scaling (fast int8)")
    parser.add_argument("--json", help="write what was found there")
    parser.add_argument("--record", help="of compare: keep the ratios there")
    parser.add_argument("--check", help="of compare: fail where a ratio is more than 20%% worse than recorded there")
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if (args.record or args.check) and args.what != "compare":
        parser.error("--record and --check go with compare: only there ratios are measured.")
    if min(args.rounds, args.repeats, args.threads, *args.batches) < 1:
        parser.error("--rounds, --repeats, --threads and --batches must be at least 1.")
    if args.check and not Path(args.check).is_file():
        parser.error(f"--check: there is no record {args.check}. Make one first: --record {args.check}")
    if args.clock == "cpu":
        args.threads = 1  # threads that wait for each other would count as work
    torch.set_num_threads(args.threads)
    if args.alone:
        print(f"{peak_of(args):.1f}")
        return 0
    found = {"compare": compare, "scaling": scaling, "memory": memory}[args.what](args)
    if args.what == "memory":
        print(json.dumps(found, indent=1))
    for path in (args.json, args.record):
        if path:
            Path(path).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    if args.check:
        complaints = worsened(found, json.loads(Path(args.check).read_text(encoding="utf-8")))
        print("\n".join(["", "Slower than recorded:", *complaints] if complaints else ["", "No slower than recorded."]))
        return 1 if complaints else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
