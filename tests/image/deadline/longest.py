"""The longest path through a function: implicit path enumeration (Li, Malik 1995), each region one linear program.

The counts of edges are a flow from the start of the region to its ends; bounds of loops and places limit it, and the
largest cost of such a flow is at least that of any execution. That the counts be whole is not asked: it could only
lower the bound.
"""
import collections
import functools
import re

import numpy
from scipy.optimize import linprog
from scipy.sparse import coo_matrix

from .facts import LIBRARY, Facts, Several, evaluate
from .graph import EXIT, Function
from .machine import Refused, plain

START = -2
NOWHERE = object()  # there is no flow at all


class Costs:
    """Costs of functions of an image, in instructions, and what they were computed from."""

    def __init__(self, image, constants, indirect=(), stop=()):
        self.image, self.constants = image, constants
        self.indirect, self.stop = indirect, stop
        self.asked = set()  # calls at which a block is cut: gaps.py
        self.functions, self.memory, self.needs_of = {}, {}, {}
        self.largest = {}   # address of a bound: the largest number it has stood for
        self.counted = {}   # function: its largest cost so far, in all contexts
        self.path = []      # of the calls that are being analysed

    def facts(self, start):
        if start not in self.functions:
            if not self.image.code.get(start):
                raise Refused(f"a call to {start:#x}, where no function is")
            self.functions[start] = Facts(Function(self.image, start, self.asked))
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
                try:
                    cost += self.costs.cost(callee, names)
                except Refused as refusal:
                    raise Refused(f"{refusal}\n  called in {plain(self.f.name)}, {self.f.image.place(address)}") from None
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
        if not f.begins_with_its_body(header):
            last = Region(self.costs, self.facts, body, header,
                          self.context | dict.fromkeys((r.address for r in records), min(values, default=0))
                          ).longest(leave=True)[0] if values else len(f.blocks[header])
        return sum(times * round_of(v) for v, times in collections.Counter(values).items()) + last

    @functools.cached_property
    def numbers(self):
        """Weights of blocks, charges of loops, and the bounds of loops and places."""
        def bound(record, block):
            return self.number(record.text, record.address, self.f.block_at(record.address) or block)

        return ({b: 0 if b in self.charged else self.weight(b) for b in self.blocks},
                {h: self.charge(h) for h in self.summed},
                [(h, bound(self.facts.bounds[h], h)) for h in self.loops if h in self.facts.bounds],
                [(b, bound(r, b)) for b, records in self.facts.records.items() for r in records
                 if r.kind == "reached" and b in self.blocks])

    def longest(self, leave=False):
        """The largest cost from the start to an end, and how often each block then runs. leave: only where the region is left."""
        edges = [(START, self.start, 0)]
        for b in self.blocks:
            for s in self.f.successors[b]:
                ends = s == EXIT or s not in self.blocks or s == self.start and self.blocks != set(self.f.blocks)
                if not (ends and leave and s == self.start):
                    edges.append((b, EXIT if ends else s, 0))
        return self.largest(edges)

    def largest(self, edges):
        """The largest cost of a flow over (from, to, further cost), and the counts of blocks; None if there is no flow."""
        f = self.f
        rows = _Rows([edge[:2] for edge in edges])
        cost = numpy.zeros(len(edges))
        weights, charges, loops, places = self.numbers
        for k, (a, b, further) in enumerate(edges):
            cost[k] += further
            if b != EXIT:
                cost[k] += weights[b]
                if b in charges and (a == START or a not in f.body[b]):
                    cost[k] += charges[b]
        for header, n in loops:
            again = rows.into(header) if f.begins_with_its_body(header) else rows.into(header, inside=f.body[header])
            rows.limit(again, n, self.entries(rows, header))
        for block, n in places:
            header = f.loop[block]
            rows.limit(rows.into(block), n, self.entries(rows, header) if header in self.loops else rows.starts())
        flow = rows.largest(cost)
        if flow is None:
            f.refuse(self.start, "no bound follows from what is said of its loops")
        if flow is NOWHERE:
            return None, {}
        counts = {b: sum(flow[k] for k in rows.into(b)) for b in self.blocks}
        return int(round(float(cost @ flow))), counts

    def entries(self, rows, header):
        """Edges by which a loop is entered: those from outside, and starts of the flow in its midst."""
        body = self.f.body[header]
        return rows.into(header, outside=body) + [k for k in rows.starts() if rows.edges[k][1] in body - {header}]


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

    def starts(self):
        return [k for k, (a, _) in enumerate(self.edges) if a == START]

    def limit(self, these, n, those):
        row = self.count
        self.count += 1
        self.entries += [(row, k, 1.0) for k in these] + [(row, k, -float(n)) for k in those]

    def largest(self, cost):
        size = len(self.edges)
        blocks = {b: r for r, b in enumerate({b for edge in self.edges for b in edge if b not in (START, EXIT)})}
        flow = [(blocks[b], k, 1.0) for k, (_, b) in enumerate(self.edges) if b != EXIT]
        flow += [(blocks[a], k, -1.0) for k, (a, _) in enumerate(self.edges) if a != START]
        flow += [(len(blocks), k, 1.0) for k in self.starts()]  # once
        right = numpy.zeros(len(blocks) + 1)
        right[-1] = 1
        result = linprog(-cost, A_eq=_matrix(flow, len(blocks) + 1, size), b_eq=right,
                         A_ub=_matrix(self.entries, self.count, size) if self.count else None,
                         b_ub=numpy.zeros(self.count) if self.count else None, method="highs")
        return result.x if result.status == 0 else NOWHERE if result.status == 2 else None


def _matrix(entries, rows, columns):
    row, column, value = zip(*entries) if entries else ((), (), ())
    return coo_matrix((value, (row, column)), shape=(rows, columns)).tocsr()
