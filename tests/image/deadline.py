#!/usr/bin/python3
"""deadline.py OBJDUMP IMAGE [--limit N=INSTRUCTIONS]... [--table FILE] [--run PLUGIN EMULATOR...]

The longest that pieces of work can take, in instructions, proved from the machine code of an image and from the bounds of
loops that stand in the source (core/include/tactus/bound.hpp); deadline/README.md says how. Prints for each piece of
deadline/pieces.py its bound, and with --run the worst that was seen while the image ran under the plugin deadline/trace.c,
bound over worst, and the same two at the sizes that were seen (a basis of k indices, e exchanges ...). Exit status 1 where
a bound cannot be proved, the run has exceeded one, a piece is above its limit, or a line of FILE's table is stale.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

from deadline import trace
from deadline.facts import evaluate
from deadline.gaps import Gaps
from deadline.graph import EXIT
from deadline.longest import START, Costs
from deadline.machine import Image, Refused, plain
from deadline.pieces import TABLES


def values(text, names):
    """What "k = n, e = n + 7" says."""
    out = dict(names)
    for definition in filter(None, (part.strip() for part in text.split(","))):
        name, expression = definition.split("=")
        out[name.strip()] = evaluate(expression, out)
    return out


class Proof:
    """The bounds of all pieces of an image at one size."""

    def __init__(self, image, table, size, known=None, seen=None):
        self.image, self.table, self.size = image, table, size
        self.costs = Costs(image, table.constants | size)
        self.names = {}  # facts of all pieces
        self.rows = []   # (name, key in a trace, bound)
        gaps = Gaps(self.costs, image.find(table.question)) if table.question else None
        if known:
            self.costs.functions, self.costs.needs_of = known.costs.functions, known.costs.needs_of

        def facts(text):
            out = values(text, size)
            self.names |= out
            return {n: min(v, (seen or {}).get(n, v)) for n, v in out.items()} | size

        for piece in table.pieces:
            start, costs = image.find(piece.function), self.costs
            if piece.typical:
                costs = Costs(image, table.constants | size)
                costs.functions, costs.needs_of = self.costs.functions, self.costs.needs_of
            self.rows.append((piece.name, start, costs.cost(start, facts(piece.facts))))
        if gaps:
            found = gaps.run(image.find(table.root), facts(table.facts))
            longest = {}
            for (question, to), cost in found.items():
                longest[question] = max(longest.get(question, (0, EXIT)), (cost, to))
            for question, (cost, to) in sorted(longest.items(), key=lambda item: -item[1][0]):
                name = f"{self.who_asks(question)} to {self.who_asks(to)}"
                self.rows.append((name, (question,), cost))

    def who_asks(self, question):
        """The function of the source that asks, where one has been inlined into another."""
        if question in (START, EXIT):
            return "start" if question == START else "end"
        for file, line, function in self.image.places(question):
            if "for_rows" not in function and "operator()" not in function:
                return f"{plain(function)}:{line}"
        return hex(question)

    def worst(self, phase, key):
        if isinstance(key, tuple):
            return max((most for (a, _), (_, most) in phase.gaps.items() if a == max(key[0], 0)), default=0)
        return phase.functions.get(key, (0, 0, 0))[1]

    def seen(self, phase):
        """The largest sizes in a run: of names that are a bound by themselves."""
        out = {}
        for start in self.costs.functions:
            facts = self.costs.facts(start)
            for header, r in facts.bounds.items():
                if r.text in self.names and header in phase.loops:
                    out[r.text] = max(out.get(r.text, 0), self.rounds(facts.function, header, phase))
            for block, records in facts.records.items():
                for r in records:
                    if r.kind == "reached" and r.text in self.names:
                        out[r.text] = max(out.get(r.text, 0), phase.places.get(block, (0, 0))[1])
        return {n: v for n, v in out.items() if n not in self.size}

    @staticmethod
    def rounds(function, header, phase):
        return phase.loops[header][1] - (0 if function.begins_with_its_body(header) else 1)

    def exceeded(self, phase):
        """What a run has exceeded; of the library only what it is called for here is bounded."""
        wrong = []
        for start, bound in self.costs.counted.items():
            facts = self.costs.facts(start)
            if facts.library:
                continue
            most = phase.functions.get(start, (0, 0, 0))[1]
            if most > bound:
                wrong.append(f"{self.image.names[start]}: took {most} instructions, bound {bound}")
        for start, facts in self.costs.functions.items():
            f, largest = facts.function, self.costs.largest
            counts = [(r, f"{self.rounds(f, h, phase)}", self.rounds(f, h, phase)) for h, r in facts.bounds.items()
                      if h in phase.loops and not facts.library]
            counts += [(r, "", phase.places.get(b, (0, 0))[1]) for b, records in facts.records.items()
                       for r in records if r.kind == "reached"]
            wrong += [f"{plain(f.name)}, {r.file}:{r.line}: {most} rounds, bound {largest[r.address]} ({r.text})"
                      for r, _, most in counts if r.address in largest and most > largest[r.address]]
        for name, key, bound in self.rows:
            if isinstance(key, tuple) and self.worst(phase, key) > bound:
                wrong.append(f"{name}: {self.worst(phase, key)} instructions, bound {bound}")
        return [", ".join(f"{n} = {v}" for n, v in self.size.items()) + ": " + w for w in wrong]


def never_seen(proofs, phases):
    """Bounds that no run has put to the test."""
    seen, unseen = set(), set()
    for facts in proofs[0].costs.functions.values():
        for header, r in facts.bounds.items():
            (seen if any(header in p.loops for p in phases) else unseen).add(f"{r.file}:{r.line}")
    return sorted(unseen - seen)


def report(proof, phase):
    print(", ".join(f"{name} = {value}" for name, value in proof.size.items()))
    seen = proof.seen(phase) if phase else {}
    if seen:
        print("  sizes seen: " + ", ".join(f"{name} = {value}" for name, value in sorted(seen.items())))
    there = {key: b for _, key, b in Proof(proof.image, proof.table, proof.size, proof, seen).rows} if seen else {}
    for name, key, bound in proof.rows:
        worst = proof.worst(phase, key) if phase else 0
        more = f"{worst:9}{bound / worst:7.2f}{there[key]:9}{there[key] / worst:7.2f}" if worst and key in there else ""
        print(f"  {name:44}{bound:9}{more}")


def table_lines(proofs, phases):
    """For a README: the longest piece between two questions at each size, proved and seen."""
    for k, proof in enumerate(proofs):
        bound = max(b for _, _, b in proof.rows)
        seen = max(proof.worst(phases[k], key) for _, key, _ in proof.rows) if k < len(phases) else None
        yield f"| {proof.size['n']} | {bound:,} | {f'{seen:,}' if seen else 'not run'} |"


def run_counted(image, table, proof, plugin, emulator):
    """The phases of a run of the image."""
    with tempfile.TemporaryDirectory() as folder:
        plan, out = pathlib.Path(folder, "plan"), pathlib.Path(folder, "out")
        plan.write_text("\n".join(trace.plan(
            proof.costs, *(image.find(p) if p else None for p in (table.phase, table.root, table.question)))) + "\n")
        command = [emulator[0], "-plugin", f"{plugin},plan={plan},out={out}", *emulator[1:], image.path]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
        if done.returncode or not out.exists():
            raise Refused(f"the image does not run: {done.stdout}{done.stderr}")
        return trace.read(out)[1 if table.phase else 0:]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("objdump")
    parser.add_argument("image")
    parser.add_argument("--limit", action="append", default=[])
    parser.add_argument("--table")
    parser.add_argument("--run", nargs=argparse.REMAINDER)
    a = parser.parse_args()
    image, table = Image(a.objdump, a.image), TABLES[pathlib.Path(a.image).stem]
    proofs = []
    for size in table.sizes:
        proofs.append(Proof(image, table, size, proofs[0] if proofs else None))
    phases = run_counted(image, table, proofs[0], a.run[0], a.run[1:]) if a.run else []
    wrong = []
    for k, proof in enumerate(proofs):
        phase = phases[k] if k < len(phases) else None
        report(proof, phase)
        wrong += proof.exceeded(phase) if phase else []
    for limit in a.limit:
        n, most = map(int, limit.split("="))
        wrong += [f"n = {n}: {name}: {bound}, above {most}" for p in proofs if p.size["n"] == n
                  for name, _, bound in p.rows if bound > most]
    if a.table:
        text = pathlib.Path(a.table).read_text()
        wrong += [f"{a.table} should say: {line}" for line in table_lines(proofs, phases) if line not in text]
    if phases:
        print(f"never reached: {', '.join(never_seen(proofs, phases)) or 'none'}\n{len(wrong)} bounds exceeded")
    sys.exit("\n".join(wrong) if wrong else 0)


try:
    main()
except Refused as refusal:
    sys.exit(str(refusal))
