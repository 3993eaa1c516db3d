"""Pieces between two questions to a clock: the longest that can pass from one `go_on` to the next, or to the end.

A function that asks, itself or through another, has a head (from its start to the first question), a tail (from a question
to its end), and perhaps a way through without any. With those of what it calls, each is a longest path again, in a graph
that is cut at the questions; they are put together from the function that asks up to the root.
"""
import collections

from .facts import uneven
from .graph import EXIT
from .longest import START, Region

Asking = collections.namedtuple("Asking", "head through tails")  # None where there is no such way; tails: by question


class Gaps:
    def __init__(self, costs, question):
        """question: the address of go_on."""
        self.costs, self.question = costs, question
        self.asking = self._who_asks()
        costs.asked = {i.address for code in costs.image.code.values() for i in code if i.target in self.asking}
        self.found = {}   # (question, or START of the root; where it is asked next, or EXIT): the longest between them
        self.memory = {}

    def _who_asks(self):
        callers = collections.defaultdict(set)
        for start, code in self.costs.image.code.items():
            for i in code:
                if i.target is not None and i.target != start and i.target in self.costs.image.code:
                    callers[i.target].add(start)
        asking, todo = set(), [self.question]
        while todo:
            if (v := todo.pop()) not in asking:
                asking.add(v)
                todo += callers[v]
        return asking

    def run(self, root, context):
        """The longest gap behind each question in a call of the root: {(from, to): instructions}."""
        ways = self.ways(root, context)
        self._note(START, EXIT, ways.through)
        for to, cost in ways.head.items():
            self._note(START, to, cost)
        for question, cost in ways.tails.items():
            self._note(question, EXIT, cost)
        return self.found

    def _note(self, a, b, cost):
        if cost is not None:
            self.found[a, b] = max(self.found.get((a, b), 0), cost)

    def ways(self, start, context):
        if start == self.question:
            return Asking({}, None, {})
        needs = self.costs.needs(start)
        context = {n: v for n, v in (self.costs.constants | context).items() if n in needs}
        key = (start, tuple(sorted(context.items())))
        if key not in self.memory:
            facts = self.costs.facts(start)
            heads, through, tails = {}, None, {}
            for rounds in self._rounds(facts, context):
                region = _CutRegion(self, facts, context | rounds)
                through = _larger(through, region.between(START, False)[0])
                for a in region.sources():
                    cost, b = region.between(a, True)
                    if a == START and cost is not None:
                        heads[b] = _larger(heads.get(b), cost)
                    elif a != START:
                        self._note(a, b, cost)
                        tails[a] = _larger(tails.get(a), region.between(a, False)[0])
            self.memory[key] = Asking(heads, through,
                                      {a: c for a, c in tails.items() if c is not None})
        return self.memory[key]

    def _rounds(self, facts, context):
        """In a loop that asks, a name of several values has one of them from a question to the next: each in turn."""
        f = facts.function
        records = [r for h in f.body if any(_asks(f, b) for b in f.body[h]) for r in facts.several(h)]
        if not records:
            return [{}]
        if len({r.text for r in records}) > 1:
            f.refuse(records[0].address, "two loops that ask, each with a name of several values")
        block = f.block_at(records[0].address)
        name = records[0].text.split("=")[0].strip()
        values = facts.names_at(records[0].address, block, context).get(name, ())
        if name not in uneven(f.image.records):
            values = values and [max(values)]
        return [dict.fromkeys((r.address for r in records), v) for v in sorted(set(values))] or [{}]


def _larger(a, b):
    return b if a is None else a if b is None else max(a, b)


def _asks(f, block):
    return f.blocks[block][-1].address in f.asked


class _CutRegion(Region):
    def __init__(self, gaps, facts, context):
        super().__init__(gaps.costs, facts, set(facts.function.blocks), facts.function.start, context)
        f, self.gaps = self.f, gaps
        self.summed = [h for h in self.summed if not any(_asks(f, b) for b in f.body[h])]
        self.charged = {b: h for h in self.summed for b in f.body[h]}
        self.calls = {}  # block that ends with a call that asks: the ways of what it calls
        for b in f.blocks:
            if _asks(f, b):
                call = f.blocks[b][-1]
                self.calls[b] = gaps.ways(call.target, self.names_at(call.address, b))
        self.known = {}

    def weight(self, block):
        """As of the region, but a call that asks has its own cost on its edges."""
        if block not in self.calls:
            return super().weight(block)
        kept, self.f.blocks[block] = self.f.blocks[block], self.f.blocks[block][:-1]
        try:
            return super().weight(block) + 1
        finally:
            self.f.blocks[block] = kept

    def _question(self, block):
        return self.f.blocks[block][-1].address if self.f.blocks[block][-1].target == self.gaps.question else None

    def sources(self):
        """START, and the questions from which this function goes on."""
        out = {START}
        for b, ways in self.calls.items():
            out |= {self._question(b)} if self._question(b) else set(ways.tails)
        return out

    def between(self, a, ask):
        """The longest from a source to the next question, or to the end without one, and that question."""
        f, edges, heads = self.f, [(START, self.start, 0)] if a == START else [], {}
        for block in self.blocks:
            ways, question = self.calls.get(block), self._question(block)
            if ways and ask and (question or ways.head):
                to, cost = (question, 0) if question else max(ways.head.items(), key=lambda item: item[1])
                heads[len(edges)] = (block, to)
                edges.append((block, EXIT, cost))
            for s in f.successors[block]:
                if ways and s != EXIT and (question == a if question else a in ways.tails):
                    edges.append((START, s, 0 if question else ways.tails[a]))
                if ways and (question or ways.through is None):
                    continue
                if s != EXIT or not ask:
                    edges.append((block, s, ways.through if ways else 0))
        edges = _useful(edges)
        if not edges:
            return None, None
        cost, counts = self.largest(edges)
        last = {to: counts.get(block, 0) for block, to in heads.values()}
        return cost, max(last, key=last.get, default=EXIT) if ask else EXIT


def _useful(edges):
    """Those that lie on a way from a start to an end; none if there is no way."""
    def reach(first, forward):
        seen, todo = set(), [first]
        while todo:
            v = todo.pop()
            for a, b, _ in edges:
                if (a if forward else b) == v and (w := b if forward else a) not in seen:
                    seen.add(w)
                    todo.append(w)
        return seen | {first}

    after, before = reach(START, True), reach(EXIT, False)
    if EXIT not in after:
        return []
    return [e for e in edges if e[0] in after and e[1] in before and e[0] in before and e[1] in after]
