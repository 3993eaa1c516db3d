"""The longest path through a function: implicit path enumeration (Li, Malik 1995), each region one linear program.

The counts of edges are a flow from the start of the region to its ends; bounds of loops and places limit it, and the
largest cost of such a flow is at least that of any execution. That the counts be whole is not asked: it could only
lower the bound.
"""
import collections
import re

import numpy
from scipy.optimize import linprog
from scipy.sparse import coo_matrix

from .facts import LIBRARY, Facts, Several, evaluate
from .graph import EXIT, Function
from .machine import Refused

START = -2


class Costs:
    """Costs of functions of an image, in instructions, and what they were computed from."""

    def __init__(self, image, constants, indirect=(), stop=()):
        self.image, self.constants = image, constants
        self.indirect, self.stop = indirect, stop
        self.functions, self.memory, self.needs_of = {}, {}, {}
        self.largest = {}   # address of a bound: the largest number it has stood for
        self.counted = {}   # function: its largest cost so far, in all contexts
        self.path = []      # of the calls that are being analysed

    def facts(self, start):
        if start not in self.functions:
            if not self.image.code.get(start):
                raise Refused(f"a call to {start:#x}, where no function is")
            self.functions[start] = Facts(Function(self.image, start))
        return self.functions[start]

    def calls(self, f, block):
        """Calls of a block; those through a pointer only where it is known whom."""
        for address in f.indirect:
            if any(i.address == address for i in f.blocks[block]) and f.name not in self.indirect:
                f.refuse(address, "a call through a pointer")
        return f.calls(block)

    def needs(self, start):
        """The names that a function and all that it calls may read."""
        if start not in self.needs_of:
            if start in self.path:
                names = " > ".join(self.image.names[a] for a in self.path[self.path.index(start):] + [start])
                self.facts(start).function.refuse(start, f"recursion: {names}")
            facts = self.facts(start)
            names = set(facts.names)
            self.path.append(start)
            try:
                for block in facts.function.blocks:
                    for _, callee in self.calls(facts.function, block):
                        if self.image.names.get(callee) not in self.stop:
                            names |= self.needs(callee)
            finally:
                self.path.pop()
            self.needs_of[start] = names
        return self.needs_of[start]

    def cost(self, start, context):
        """The largest cost of a call where names have these values."""
        needs = self.needs(start)
        context = {n: v for n, v in (self.constants | context).items() if n in needs}
        for name, value in context.items():
            if isinstance(value, Several):
                raise Refused(f"{name} has several values in a call of {self.image.names[start]}, out of its loop")
        key = (start, tuple(sorted(context.items())))
        if key not in self.memory:
            facts = self.facts(start)
            value, _ = Region(self, facts, set(facts.function.blocks), start, context).longest()
            self.memory[key] = value
            self.counted[start] = max(self.counted.get(start, 0), value)
        return self.memory[key]


class Region:
    """A function, or one round of a loop in which a name has several values."""

    def __init__(self, costs, facts, blocks, start, context):
        self.costs, self.facts, self.f = costs, facts, facts.function
        self.blocks, self.start, self.context = blocks, start, context
        # Loops inside; of those in which a name has several values the outermost, each charged as a whole.
        self.loops = [h for h in self.f.body if h in blocks and self.f.body[h] <= blocks and
                      (h != start or self.f.body[h] != blocks)]
        summed = [h for h in self.loops if facts.several(h)]
        self.summed = [h for h in summed if not any(g != h and h in self.f.body[g] for g in summed)]
        self.charged = {b: h for h in self.summed for b in self.f.body[h]}

    def names_at(self, address, block):
        return self.facts.names_at(address, block, self.context)

    def number(self, text, address, block):
        try:
            value = evaluate(text, self.names_at(address, block))
        except Refused as refusal:
            self.f.refuse(address, str(refusal))
        value = max(value, default=0) if isinstance(value, Several) else value
        self.costs.largest[address] = max(self.costs.largest.get(address, 0), value)
        return max(value, 0)

    def weight(self, block):
        cost = len(self.f.blocks[block])
        for address, callee in self.costs.calls(self.f, block):
            if self.costs.image.names.get(callee) not in self.costs.stop:
                names = self.names_at(address, block)
                if self.costs.image.names.get(callee) in LIBRARY and (size := self.third_argument(address, block)) is not None:
                    names["bytes"] = size
                cost += self.costs.cost(callee, names)
        return cost

    def third_argument(self, address, block):
        """Of memset and its like, if it is a number in the machine code: the compiler's own calls have no record."""
        before = [i for i in self.f.blocks[block] if i.address < address and re.match(r"r2\b", i.operands)]
        number = before and re.fullmatch(r"r2, #(\d+)", before[-1].operands) and before[-1].operation.startswith("mov")
        return int(before[-1].operands.split("#")[1]) if number else None

    def charge(self, header):
        """All rounds of a loop, one for each of the values that a name takes in it, and the last look at its test."""
        f, body = self.f, self.f.body[header]
        records = self.facts.several(header)
        block = f.block_at(records[0].address)
        values = self.facts.names_at(records[0].address, block, self.context)[records[0].text.split("=")[0].strip()]
        bound = self.facts.bounds.get(header)
        if bound:  # there may be fewer rounds than values
            self.number(bound.text, bound.address, f.block_at(bound.address) or header)

        def round_of(value):
            context = self.context | dict.fromkeys((r.address for r in records), value)
            return Region(self.costs, self.facts, body, header, context).longest()[0]

        last = 0
        if not f.tested_at_its_end(header):
            last = Region(self.costs, self.facts, body, header,
                          self.context | dict.fromkeys((r.address for r in records), min(values, default=0))
                          ).longest(leave=True)[0] if values else len(f.blocks[header])
        return sum(times * round_of(v) for v, times in collections.Counter(values).items()) + last

    def longest(self, leave=False):
        """The largest cost from the start to an end, and how often each block then runs. leave: only where the region is left."""
        f = self.f
        edges = [(START, self.start)]
        for b in self.blocks:
            for s in f.successors[b]:
                ends = s == EXIT or s not in self.blocks or s == self.start and self.blocks != set(f.blocks)
                if not (ends and leave and s == self.start):
                    edges.append((b, EXIT if ends else s))
        rows = _Rows(edges)
        charges = {h: self.charge(h) for h in self.summed}
        cost = numpy.zeros(len(edges))
        weights = {b: 0 if b in self.charged else self.weight(b) for b in self.blocks}
        for k, (a, b) in enumerate(edges):
            if b != EXIT:
                cost[k] += weights[b]
                if b in charges and (a == START or a not in f.body[b]):
                    cost[k] += charges[b]
        for header in self.loops:
            if header in self.facts.bounds:
                bound = self.facts.bounds[header]
                n = self.number(bound.text, bound.address, f.block_at(bound.address) or header)
                entries = rows.into(header, outside=f.body[header])
                if f.tested_at_its_end(header):
                    rows.limit(rows.into(header), n, entries)
                else:
                    rows.limit(rows.into(header, inside=f.body[header]), n, entries)
        for block, records in self.facts.records.items():
            for record in records:
                if record.kind == "reached" and block in self.blocks:
                    n = self.number(record.text, record.address, block)
                    header = f.loop[block]
                    if header in self.loops:
                        rows.limit(rows.into(block), n, rows.into(header, outside=f.body[header]))
                    else:
                        rows.limit(rows.into(block), n, [0])
        flow = rows.largest(cost)
        if flow is None:
            f.refuse(self.start, "no bound follows from what is said of its loops")
        counts = {b: sum(flow[k] for k in rows.into(b)) for b in self.blocks}
        return int(round(float(cost @ flow))), counts


class _Rows:
    """The linear program: a flow over edges, and limits of the kind `these <= n times those`."""

    def __init__(self, edges):
        self.edges = edges
        self.entering = collections.defaultdict(list)
        for k, (_, b) in enumerate(edges):
            self.entering[b].append(k)
        self.entries, self.count = [], 0  # (row, edge, coefficient) of the limits

    def into(self, block, inside=None, outside=None):
        return [k for k in self.entering[block]
                if (inside is None or self.edges[k][0] in inside) and (outside is None or self.edges[k][0] not in outside)]

    def limit(self, these, n, those):
        row = self.count
        self.count += 1
        self.entries += [(row, k, 1.0) for k in these] + [(row, k, -float(n)) for k in those]

    def largest(self, cost):
        size = len(self.edges)
        blocks = {b: r for r, b in enumerate({b for edge in self.edges for b in edge if b not in (START, EXIT)})}
        flow = [(blocks[b], k, 1.0) for k, (_, b) in enumerate(self.edges) if b != EXIT]
        flow += [(blocks[a], k, -1.0) for k, (a, _) in enumerate(self.edges) if a != START]
        flow.append((len(blocks), 0, 1.0))  # the region is entered once
        right = numpy.zeros(len(blocks) + 1)
        right[-1] = 1
        result = linprog(-cost, A_eq=_matrix(flow, len(blocks) + 1, size), b_eq=right,
                         A_ub=_matrix(self.entries, self.count, size) if self.count else None,
                         b_ub=numpy.zeros(self.count) if self.count else None, method="highs")
        return result.x if result.status == 0 else None


def _matrix(entries, rows, columns):
    row, column, value = zip(*entries)
    return coo_matrix((value, (row, column)), shape=(rows, columns)).tocsr()
