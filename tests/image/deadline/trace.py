"""What is to be counted while an image runs (trace.c), and what was."""
import collections
import re

from .machine import CONDITION

HANDLERS = ["beat_interrupt", "uart_interrupt", "uart_receive_interrupt"]


def plan(costs, phase=None):
    """Lines for trace.c: every function that has been analysed, every bound in them."""
    lines = [f"phase {phase:x}"] if phase is not None else []
    for start, facts in costs.functions.items():
        f = facts.function
        lines.append(f"function {start:x}")
        for header in f.body:
            lines.append(f"loop {header:x} " + " ".join(f"{f.blocks[b][-1].address:x}" for b in f.latches[header]))
        for block, records in facts.records.items():
            lines += [f"place {block:x} {f.loop[block]:x}" for r in records
                      if r.kind == "reached" and f.loop[block] is not None]
    for code in costs.image.code.values():
        lines += [f"call {i.address:x}" for i in code if i.target in costs.functions
                  and re.fullmatch(f"bl(?:{CONDITION})?", i.operation)]
    for start, name in costs.image.names.items():
        if name in HANDLERS:
            leaves = [i.address for i in costs.image.code[start] if re.match("bx|pop|ldm", i.operation)]
            lines.append(f"handler {start:x} " + " ".join(f"{a:x}" for a in leaves))
    return lines


Phase = collections.namedtuple("Phase", "functions loops places")  # address: (times, most, sum)


def read(path):
    phases = []
    for line in open(path):
        kind, *numbers = line.split()
        if kind == "phase":
            phases.append(Phase({}, {}, {}))
        else:
            address, *rest = [int(numbers[0], 16)] + [int(n) for n in numbers[1:]]
            getattr(phases[-1], kind + "s")[address] = tuple(rest)
    return phases
