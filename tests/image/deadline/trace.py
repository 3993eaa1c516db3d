"""What is to be counted while an image runs (trace.c), and what was."""
import collections
import re

from .machine import CONDITION

HANDLERS = ["beat_interrupt", "uart_interrupt", "uart_receive_interrupt"]


def plan(costs, phase=None, root=None, question=None):
    """Lines for trace.c: every function that has been analysed, every bound in them, and who asks which clock."""
    lines = [f"{kind} {address:x}" for kind, address in (("phase", phase), ("root", root), ("question", question))
             if address is not None]
    to = {*costs.functions, phase, root, question}
    for start, facts in costs.functions.items():
        f = facts.function
        lines.append(f"function {start:x}")
        for header in f.body:
            lines.append(f"loop {header:x} " + " ".join(f"{f.blocks[b][-1].address:x}" for b in f.latches[header]))
        for block, records in facts.records.items():
            lines += [f"place {block:x} {f.loop[block]:x}" for r in records
                      if r.kind == "reached" and f.loop[block] is not None]
    for code in costs.image.code.values():
        lines += [f"call {i.address:x}" for i in code if i.target in to
                  and re.fullmatch(f"bl(?:{CONDITION})?", i.operation)]
    for start, name in costs.image.names.items():
        if name in HANDLERS:
            leaves = [i.address for i in costs.image.code[start] if re.match("bx|pop|ldm", i.operation)]
            lines.append(f"handler {start:x} " + " ".join(f"{a:x}" for a in leaves))
    return lines


# functions, loops: address -> (times, most, sum); places: (times, most); gaps: (from, to) -> (times, most)
Phase = collections.namedtuple("Phase", "functions loops places gaps")


def read(path):
    phases = []
    for line in open(path):
        kind, *numbers = line.split()
        if kind == "phase":
            phases.append(Phase({}, {}, {}, {}))
        else:
            keys = 2 if kind == "gap" else 1
            key = tuple(int(n, 16) for n in numbers[:keys])
            getattr(phases[-1], kind + "s")[key if keys > 1 else key[0]] = tuple(int(n) for n in numbers[keys:])
    return phases
