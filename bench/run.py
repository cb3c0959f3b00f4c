#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Runs the benches, prints one table and writes it, with the machine's description, to
bench/results/latest.md. A wrong answer ends it with status 1; a missed bar is only reported.

    bench/run.py --bin FOLDER --oband FILE [--quick] [--only NAME,...] [--rate-s 60] [--rounds 5]
"""
import argparse
import os
import platform
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import live  # noqa: E402
from peers import WrongAnswer  # noqa: E402

# name, what it says, unit, bar (None: for information), whether more is better
ROWS = (
    ("encoder.1k.x_cjson", "encoder, 1,000 objects, against cJSON build and print", "x", 20, True),
    ("encoder.10k.x_cjson", "encoder, 10,000 objects, against cJSON build and print", "x", 20, True),
    ("encoder.1k.x_to_chars", "encoder, 1,000 objects, against std::to_chars", "x", 1.2, True),
    ("encoder.10k.x_to_chars", "encoder, 10,000 objects, against std::to_chars", "x", 1.2, True),
    ("encoder.10k.ns_per_object", "encoder, per object of 12 floats", "ns", None, False),
    ("encoder.bytes_ratio_cjson", "encoder, bytes against cJSON", "x", 0.6, False),
    ("encoder.round_trips", "floats that read back to the same bits", "", 10000000, True),
    ("sampler.1k.x_baseline", "sampler, 1,000 objects, batch (baseline) against plain", "x", None, True),
    ("sampler.1k.x_avx2", "sampler, 1,000 objects, batch (AVX2) against plain", "x", None, True),
    ("sampler.10k.x_baseline", "sampler, 10,000 objects, batch (baseline) against plain", "x", 2.5, True),
    ("sampler.10k.x_avx2", "sampler, 10,000 objects, batch (AVX2) against plain", "x", 2.5, True),
    ("sampler.100k.x_baseline", "sampler, 100,000 objects, batch (baseline) against plain", "x", None, True),
    ("sampler.100k.x_avx2", "sampler, 100,000 objects, batch (AVX2) against plain", "x", None, True),
    ("sampler.10k.plain_ns", "sampler, plain, per object", "ns", None, False),
    ("ticks.hz_off", "tick rate in the long run, off 60 Hz by", "Hz", 0.01, False),
    ("ticks.late_p50_ms", "ticks late at a client, median", "ms", None, False),
    ("ticks.late_p99_ms", "ticks late at a client, 99 of 100", "ms", None, False),
    ("ticks.late_max_ms", "ticks late at a client, most", "ms", None, False),
    ("ticks.missing", "ticks without a frame (caught up or lost)", "", None, False),
    ("fanout.1kB.us", "fan-out, 1 kB to 100 clients, CPU per message", "us", None, False),
    ("fanout.1kB.x_raw", "fan-out, 1 kB to 100 clients, against raw send()", "x", 1.35, False),
    ("fanout.1kB.x_ws", "fan-out, 1 kB to 100 clients, against npm ws", "x", 0.8, False),
    ("fanout.10kB.us", "fan-out, 10 kB to 100 clients, CPU per message", "us", None, False),
    ("fanout.10kB.x_raw", "fan-out, 10 kB to 100 clients, against raw send()", "x", 1.35, False),
    ("fanout.10kB.x_ws", "fan-out, 10 kB to 100 clients, against npm ws", "x", 0.8, False),
    ("share.percent", "1,000 moving objects to 100 clients at 60 Hz, of a core", "%", 50, False),
    ("share.hz_per_client", "of these, ticks that each client got per second", "Hz", None, True),
    ("whole.protocol.1.x_node", "whole job, 1,000 objects, 1 client, node's CPU over ours; numbers as oban.v1 asks", "x", 8, True),
    ("whole.protocol.10.x_node", "the same, 10 clients", "x", 8, True),
    ("whole.protocol.100.x_node", "the same, 100 clients", "x", 8, True),
    ("whole.doubles.1.x_node", "whole job, 1 client; node sends doubles as they come", "x", 8, True),
    ("whole.doubles.10.x_node", "the same, 10 clients", "x", 8, True),
    ("whole.doubles.100.x_node", "the same, 100 clients", "x", 8, True),
    ("whole.each.10.x_node", "the same, 10 clients; node stringifies for each client", "x", 8, True),
    ("whole.doubles.1.us", "whole job, 1 client, our CPU per tick", "us", None, False),
    ("whole.difference", "whole job, greatest difference of a matrix entry", "", 1e-4, False),
    ("idle.bytes", "resident memory per idle client", "B", 8192, False),
    ("idle.clients", "of these, clients at once", "", None, True),
)


def first_line(*args):
    try:
        return subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              check=True).stdout.splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return "not there"


def cpu_model():
    with open("/proc/cpuinfo", encoding="ascii") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    return names[0] if names else platform.machine()


def machine():
    """What the figures were taken on."""
    versions = [(name, first_line("pkg-config", "--modversion", name))
                for name in ("libuv", "libwebsockets", "libcjson")]
    return [
        ("date", time.strftime("%Y-%m-%d")),
        ("CPU", "%s, %d cores" % (cpu_model(), os.cpu_count() or 1)),
        ("load when it began", "%.1f" % os.getloadavg()[0]),
        ("kernel", platform.release()),
        ("compiler", first_line("gcc", "--version")),
        ("node", first_line("node", "--version")),
        ("libraries", ", ".join("%s %s" % row for row in versions)),
    ]


def run_program(bin_folder, name, *args):
    run = subprocess.run([os.path.join(bin_folder, name), *args], stdout=subprocess.PIPE, text=True, check=False)
    if run.returncode != 0:
        raise WrongAnswer("%s" % name)
    return live.read_figures(run.stdout)


def number(value):
    if value == int(value) and abs(value) < 1e9:
        return "{:,d}".format(int(value))
    return "%.3g" % value if abs(value) < 1000 else "{:,.0f}".format(value)


def table(figures):
    rows = [("what", "figure", "bar", "")]
    for name, says, unit, bar, more in ROWS:
        if name in figures:
            value = figures[name]
            good = bar is None or (value >= bar if more else value <= bar)
            rows.append((says, ("%s %s" % (number(value), unit)).strip(),
                         "" if bar is None else ("at least " if more else "at most ") + number(bar),
                         "" if bar is None else "pass" if good else "MISS"))
    return rows


def print_rows(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def write_markdown(path, about, rows):
    lines = ["# Bench results", "", "Written by `make bench`. Ratios come from interleaved rounds of one run, by CPU time;",
             "a missed bar may be noise, a wrong answer would have ended the run. See [../README.md](../README.md).", ""]
    lines += ["- %s: %s" % row for row in about]
    lines += ["", "| %s | %s | %s | |" % rows[0][:3], "|---|---:|---:|---|"]
    lines += ["| %s | %s | %s | %s |" % row for row in rows[1:]]
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def benches(args):
    """The benches by name, in order; the quick ones first."""
    setup = live.Setup(args.bin, args.oband, args.rounds, args.window_s, args.rate_s, args.idle_clients)
    return {
        "encoder": lambda: run_program(args.bin, "encoder", "7", "10000000"),
        "sampler": lambda: run_program(args.bin, "sampler", "9"),
        "ticks": lambda: live.ticks(setup),
        "fanout": lambda: live.fanout(setup),
        "share": lambda: live.share(setup),
        "whole": lambda: live.whole(setup),
        "idle": lambda: live.idle(setup),
    }


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True, help="where the bench programs are")
    parser.add_argument("--oband", required=True, help="the daemon")
    parser.add_argument("--quick", action="store_true", help="encoder and sampler only")
    parser.add_argument("--only", default="", help="these benches, with commas between")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--window-s", type=float, default=2)
    parser.add_argument("--rate-s", type=float, default=20, help="how long ticks are watched")
    parser.add_argument("--idle-clients", type=int, default=10000)
    parser.add_argument("--out", default=os.path.join(HERE, "results", "latest.md"))
    return parser.parse_args()


def main():
    args = options()
    about = machine()
    figures = {}
    all_of_them = benches(args)
    chosen = args.only.split(",") if args.only else ["encoder", "sampler"] if args.quick else list(all_of_them)
    for name in chosen:
        print("bench: %s ..." % name, file=sys.stderr, flush=True)
        try:
            figures.update(all_of_them[name]())
        except WrongAnswer as fault:
            print("bench: %s: wrong answer: %s" % (name, fault), file=sys.stderr)
            return 1
    if "ticks.hz" in figures:
        figures["ticks.hz_off"] = abs(figures["ticks.hz"] - 60)
    for row in about:
        print("%s: %s" % row)
    rows = table(figures)
    print_rows(rows)
    if chosen == list(all_of_them):
        write_markdown(args.out, about, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
