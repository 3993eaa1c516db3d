"""The pieces of work whose time is proved, by image: functions, and what lies between two questions to a clock.

A table is gone through for each of its sizes; the run of a bench has one phase for each of the first. `facts` are the
values of names (core/include/tactus/bound.hpp) where the machine code does not tell: the largest that the workspace has
room for, unless the piece says less by its name.
"""
import collections

# typical: its facts hold for most runs, not for all, so that a run may exceed what they bound.
Piece = collections.namedtuple("Piece", "name function facts typical", defaults=(False,))
Table = collections.namedtuple("Table", "sizes constants phase pieces root question facts")

CONSTANTS = dict(scalar=4, blocks=0, few=4)
# All that there can be: the pivots are Options::pivot_budget, the rest rules.hpp and the workspace.
WORST = ("k = n, odd = n, candidates = n, tied = n, rounds = n, corrections = 3, passes = 4, rules = 4, held = 0, pivots = 1000, e = n + 8, "
         "guessed = 1, failures = 4, restarts = 4, judged = n, doubtful = 1")
# By the first pass, without a tie that takes a column to break, corrected once.
FIRST = ("k = n, odd = n / 6, candidates = n, tied = n, rounds = 0, corrections = 1, passes = 1, rules = 1, held = 0, e = n + 8, entered = 0, "
         "guessed = 0, failures = 0, restarts = 0, judged = k, doubtful = 0")
SIZES = [dict(n=n) for n in (6, 12, 24, 36)]

BENCH_LCP = Table(SIZES, CONSTANTS, r"measure\(int\)$", [
    Piece("x += a v, whole packs", r"detail::add_packs", "m = padded(n)"),
    Piece("dot product", r"sum_of_products<false", "m = n"),
    Piece("dot product of magnitudes", r"sum_of_products<true", "m = n"),
    Piece("largest magnitude", r"float tactus::math::largest_magnitude", "m = padded(n)"),
    Piece("column of M", r"::original_column", ""),
    Piece("exchange", r"Path<float>::exchange", ""),
    Piece("inverse times a vector", r"::apply_some", "e = n + 8"),
    Piece("start from all w", r"::start_from_w", ""),
    Piece("largest of a row", r"find_tops", ""),
    Piece("inverse built anew", r"::enter_all", "entered = n + 1"),
    Piece("factors of the basis", r"factor_basis", "k = n"),
    Piece("correction", r"bool tactus::lcp::correct", "k = n"),
    Piece("certificate", r"::judge_trial", "judged = n, doubtful = 1"),
    Piece("certificate, no doubt", r"::judge_trial", "judged = n, doubtful = 0", True),
    Piece("conclusion", r"::conclude", "failures = 1, judged = n, doubtful = 1"),
    Piece("solve, first pass, 5 pivots", r"Answer<float> tactus::lcp::solve<", FIRST + ", pivots = 5", True),
    Piece("solve, first pass, 12 pivots", r"Answer<float> tactus::lcp::solve<", FIRST + ", pivots = 12", True),
], None, None, None)

BENCH_PIECES = Table(SIZES + [dict(n=48)], CONSTANTS, r"measure\(int\)$", [], r"solve_once\(", r"Watch::go_on[<(]",
                     WORST)

BENCH_ROWS = Table([dict(n=n) for n in (12, 22, 34)], CONSTANTS, r"measure\(int, ", [], r"solve_once\(", r"Watch::go_on[<(]",
                   "part = n, uprights = n, flips = 600, covers = 2, corrections = 6, judged = n, doubtful = 1")

# Images that are refused, each for one reason: tests/image/unproved.cpp.
UNPROVED = Table([dict(n=10)], {}, None, [Piece("work", r"^work\(", "")], None, None, None)

TABLES = {"bench_lcp": BENCH_LCP, "bench_pieces": BENCH_PIECES, "bench_rows": BENCH_ROWS} | dict.fromkeys(
    ("unproved_proved", "unproved_loop", "unproved_lowered", "unproved_pointer", "unproved_recursion"), UNPROVED)
