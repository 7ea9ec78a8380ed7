"""How fast beam search is here and elsewhere: `python bench/decode.py [compare|scaling|memory]`.

compare   our decoders, Hugging Face `generate` and CTranslate2 in one run, in turns, at the paper's decoder size;
          milliseconds a question (best round) and ratios, repeated to show their spread
scaling   cost of a question by beam, batch, source length and vocabulary, ours alone
memory    peak memory of each decoder, each in a process of its own

What counts are ratios of one run: milliseconds depend on the machine and on what else runs there. `--clock cpu`
counts processor time on one thread, which hardly depends on what else runs; it cannot show how well threads are used.
`--record FILE` keeps the ratios, `--check FILE` fails where one is more than 20% worse than kept. A record has ratios
for each kind of processor: what 8 bits are worth, here and to the peers, depends on its instructions.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import torch  # noqa: E402

from bench.decoders import Load, ctranslate, hugging_face, ours  # noqa: E402

CANDIDATES = {
    "plain": ours.plain,
    "fast float32": ours.fast_float32,
    "fast int8": ours.fast_int8,
    "Hugging Face": hugging_face.generate,
    "CTranslate2 float32": ctranslate.float32,
    "CTranslate2 int8": ctranslate.int8,
    "CTranslate2 int8, a thread a worker": ctranslate.int8_by_workers,
}
PAUSE = 0.3  # seconds before a turn: threads of the one before may wait busily for more work
WORSE = 1.2  # a ratio so many times the recorded one fails the check
SCALES = {
    "beam": (1, 4, 8, 16, 24, 48),
    "batch": (1, 2, 4, 8, 16, 32),
    "source_words": (8, 15, 30, 60, 120),
    "vocabulary": (5_000, 10_000, 18_966, 40_000),
}


CLOCKS = {"wall": time.perf_counter, "cpu": time.process_time}


class Alone:
    """A decoder in a process of its own, which does nothing until it is its turn.

    In one process they would disturb each other for good: every library keeps threads of its own, and after a turn of
    CTranslate2 a turn of PyTorch takes twice as long as before, and the other way round.
    """

    def __init__(self, name: str, load: Load, clock: str):
        sizes = json.dumps(asdict(load))
        command = [sys.executable, __file__, "turns", "--decoder", name, "--load", sizes, "--clock", clock]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self) -> float:
        """Milliseconds a question of one turn."""
        time.sleep(PAUSE)
        self._process.stdin.write("go\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            sys.exit(f"A decoder ended before its turn was over, with code {self._process.wait()}.")
        return float(answer)

    def close(self) -> None:
        self._process.stdin.close()
        self._process.wait()


def take_turns(args: argparse.Namespace) -> None:
    """What the process of one decoder does: a turn for every line it is sent."""
    load = Load(**json.loads(args.load))
    torch.set_num_threads(load.threads)
    decode = CANDIDATES[args.decoder](load)
    for _ in sys.stdin:
        started = CLOCKS[args.clock]()
        decode()
        print(1000 * (CLOCKS[args.clock]() - started) / load.batch, flush=True)


def best_of(turns: dict[str, Callable[[], float]], rounds: int) -> dict[str, float]:
    """The best turn of each; they take turns, so that a busy spell of the machine meets all of them."""
    times: dict[str, list[float]] = {name: [] for name in turns}
    for number in range(rounds + 1):
        for name, turn in turns.items():
            spent = turn()
            if number:  # the first round warms up
                times[name].append(spent)
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
        turns = {name: Alone(name, load, args.clock) for name in CANDIDATES}
        runs = []
        for _ in range(args.repeats):
            times = best_of(turns, args.rounds)
            runs.append({"ms": times, "ratios": ratios(times), "machine_load": os.getloadavg()[0]})
            print(f"  batch {batch}: " + ", ".join(f"{name} {spent:.0f} ms" for name, spent in times.items()))
        for turn in turns.values():
            turn.close()
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
    found: dict = {"decoder": args.decoder, "threads": args.threads, "clock": args.clock}
    for name, sizes in SCALES.items():
        found[name] = {}
        loads = {size: replace(Load(threads=args.threads), **{name: size}) for size in sizes}
        for size, load in loads.items():
            turn = Alone(args.decoder, load, args.clock)
            found[name][str(size)] = round(best_of({"it": turn}, args.rounds)["it"], 1)
            turn.close()
        print(name, found[name], flush=True)
    if args.picture:
        draw_scaling(found, Path(args.picture))
    return found


def draw_scaling(found: dict, path: Path) -> None:
    """Measured cost, and what smaller sizes would cost if it grew in proportion: what lies above that grows slower."""
    from l2a.experiments.report.pictures import draw_lines

    panels = {}
    for name in ("beam", "source_words", "vocabulary"):  # questions together cost the same each: no line to draw
        measured = [(float(size), spent) for size, spent in found[name].items()]
        *_, (largest, cost) = measured
        panels[name.replace("_", " ")] = {"measured": measured, "in proportion": [(0.0, 0.0), (largest, cost)]}
    draw_lines(path, panels, ["" for _ in panels], "ms a question")


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


def processor() -> str:
    """The widest instructions PyTorch uses here: AVX2, AVX512, ..."""
    return torch.backends.cpu.get_cpu_capability()


def read_record(path: Path) -> dict:
    """Kind of processor -> what was found there; empty where there is no file."""
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def write_json(path: Path, value: dict) -> None:
    path.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", choices=("compare", "scaling", "memory", "turns"), default="compare")
    parser.add_argument("--rounds", type=int, default=5, help="turns of each decoder; the best counts (5)")
    parser.add_argument("--repeats", type=int, default=3, help="of the whole comparison, for the spread (3)")
    parser.add_argument("--threads", type=int, default=2, help="of every decoder (2; 1 with --clock cpu)")
    parser.add_argument("--clock", choices=tuple(CLOCKS), default="wall", help="what is measured (wall)")
    parser.add_argument("--batches", type=int, nargs="+", default=[1, 8], help="questions decoded together (1 8)")
    parser.add_argument("--decoder", choices=tuple(CANDIDATES), default="fast int8", help="for scaling (fast int8)")
    parser.add_argument("--picture", help="of scaling: draw it there")
    parser.add_argument("--json", help="write what was found there")
    parser.add_argument("--record", help="of compare: keep the ratios there")
    parser.add_argument("--check", help="of compare: fail where a ratio is more than 20%% worse than recorded there")
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--load", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if (args.record or args.check) and args.what != "compare":
        parser.error("--record and --check go with compare: only there ratios are measured.")
    if min(args.rounds, args.repeats, args.threads, *args.batches) < 1:
        parser.error("--rounds, --repeats, --threads and --batches must be at least 1.")
    recorded = read_record(Path(args.check)) if args.check else {}
    if args.check and processor() not in recorded:
        there = ", ".join(recorded) or "none at all"
        parser.error(
            f"--check: {args.check} has no record of a processor with {processor()} (there is: {there}). "
            f"Make one first: --record {args.check}"
        )
    if args.clock == "cpu":
        args.threads = 1  # threads that wait for each other would count as work
    if args.what == "turns":
        take_turns(args)
        return 0
    torch.set_num_threads(args.threads)
    if args.alone:
        print(f"{peak_of(args):.1f}")
        return 0
    found = {"compare": compare, "scaling": scaling, "memory": memory}[args.what](args)
    if args.what == "memory":
        print(json.dumps(found, indent=1))
    if args.json:
        write_json(Path(args.json), found)
    if args.record:
        write_json(Path(args.record), read_record(Path(args.record)) | {processor(): found})
    if args.check:
        complaints = worsened(found, recorded[processor()])
        print("\n".join(["", "Slower than recorded:", *complaints] if complaints else ["", "No slower than recorded."]))
        return 1 if complaints else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
