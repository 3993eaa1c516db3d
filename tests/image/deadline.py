#!/usr/bin/python3
"""deadline.py OBJDUMP IMAGE [--plan FILE] [--trace FILE]: the longest that pieces of work can take, proved from the
machine code and the bounds of loops that stand in the source (core/include/tactus/bound.hpp). README.md says how.

Prints for each piece of deadline/pieces.py its bound in instructions and, with the trace of a run, the worst that was
seen, bound over worst, and the source line that costs most. --plan writes what is to be counted in a run, for the
plugin deadline/trace.c. Exit status 1 where a bound cannot be proved, or a run has exceeded one.
"""
import argparse
import pathlib
import sys

from deadline import trace
from deadline.facts import evaluate
from deadline.longest import Costs, Region
from deadline.machine import Image, Refused
from deadline.pieces import IMAGES


def values(text, names):
    """What "k = n, e = n + 7" says."""
    out = dict(names)
    for definition in filter(None, (part.strip() for part in text.split(","))):
        name, expression = definition.split("=")
        out[name.strip()] = evaluate(expression, out)
    return out


def dearest(costs, start, context):
    """The source line in whose block most is spent, and its share, callees included."""
    facts = costs.facts(start)
    region = Region(costs, facts, set(facts.function.blocks), start, costs.constants | context)
    _, counts = region.longest()
    spent = {b: counts[b] * region.weight(b) for b in counts if b not in region.charged}
    spent |= {h: region.charge(h) for h in region.summed}
    block = max(spent, key=spent.get)
    return costs.image.place(block), spent[block] / max(sum(spent.values()), 1)


def bounds(image, table):
    """For each size the costs of all pieces: [(size, costs, [(piece, start, bound, line, share)])]."""
    out, known = [], None
    for size in table.sizes:
        costs = Costs(image, table.constants | size)
        if known:
            costs.functions, costs.needs_of = known.functions, known.needs_of
        known, rows = costs, []
        for piece in table.pieces:
            start, context = image.find(piece.function), values(piece.facts, size)
            rows.append((piece, start, costs.cost(start, context), *dearest(costs, start, context)))
        out.append((size, costs, rows))
    return out


def check(image, costs, phase):
    """What a run has exceeded."""
    wrong = []
    for start, bound in costs.counted.items():
        times, most, _ = phase.functions.get(start, (0, 0, 0))
        if most > bound:
            wrong.append(f"{image.names[start]}: took {most} instructions, bound {bound}, of {times} calls")
    for start in costs.counted:
        facts = costs.facts(start)
        f = facts.function
        for header, record in facts.bounds.items():
            if record.address in costs.largest and header in phase.loops:
                most = phase.loops[header][1] - (0 if f.tested_at_its_end(header) else 1)
                if most > costs.largest[record.address]:
                    wrong.append(f"{f.name}, {image.place(header)}: {most} rounds, bound {costs.largest[record.address]}")
        for block, records in facts.records.items():
            for r in (r for r in records if r.kind == "reached" and r.address in costs.largest):
                most = phase.places.get(block, (0, 0))[1]
                if most > costs.largest[r.address]:
                    wrong.append(f"{f.name}, {image.place(block)}: reached {most} times, bound {costs.largest[r.address]}")
    return wrong


def never_seen(image, costs, phases):
    """Bounds that no run has put to the test."""
    out = set()
    for start in costs.counted:
        facts = costs.facts(start)
        out |= {f"{r.file}:{r.line}" for h, r in facts.bounds.items() if not any(h in p.loops for p in phases)}
    seen = {f"{r.file}:{r.line}" for start in costs.counted for h, r in costs.facts(start).bounds.items()
            if any(h in p.loops for p in phases)}
    return sorted(out - seen)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("objdump")
    parser.add_argument("image")
    parser.add_argument("--plan")
    parser.add_argument("--trace")
    a = parser.parse_args()
    image, table = Image(a.objdump, a.image), IMAGES[pathlib.Path(a.image).stem]
    results = bounds(image, table)
    if a.plan:
        lines = trace.plan(results[0][1], table.phase and image.find(table.phase))
        pathlib.Path(a.plan).write_text("\n".join(lines) + "\n")
    phases = trace.read(a.trace)[1:] if a.trace else []
    wrong = []
    for k, (size, costs, rows) in enumerate(results):
        print(", ".join(f"{name} = {value}" for name, value in size.items()))
        for piece, start, bound, line, share in rows:
            seen = phases[k].functions.get(start, (0, 0, 0))[1] if phases else 0
            ratio = f"{seen:9} {bound / seen:6.2f}" if seen else " " * 16
            print(f"  {piece.name:28}{piece.facts:36}{bound:9}{ratio}  {100 * share:3.0f} % {line}")
        if phases:
            wrong += check(image, costs, phases[k])
    if phases:
        unseen = never_seen(image, results[0][1], phases)
        print(f"never reached in this run: {', '.join(unseen) or 'none'}")
        print(f"{len(wrong)} of the bounds exceeded")
    sys.exit("\n".join(wrong) if wrong else 0)


try:
    main()
except Refused as refusal:
    sys.exit(str(refusal))
