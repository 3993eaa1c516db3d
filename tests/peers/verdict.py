#!/usr/bin/env python3
"""Judges the solver by the tables of the peers' harness: verdict.py OUT, the folder with lcp.csv and holdout.csv.

Fails if a problem is unsolved that has to be solved, or a wrong answer is claimed. Times are printed, not judged: they are
ratios within one run and depend on what else the machine does.
"""
import csv
import statistics
import sys

FAMILIES = ["rigid", "degenerate", "compliant", "abstract"]
LIMIT = {"tactus_double": 1e-8, "tactus_float": 1e-4}


def rows_of(path):
    with open(path) as file:
        return [dict(r, n=int(r["n"]), residual=float(r["residual"]), us=float(r["us"])) for r in csv.DictReader(file)]


def share(rows, limit):
    return sum(r["residual"] <= limit for r in rows), len(rows)


def main():
    failures = []
    for name in ["lcp", "holdout"]:
        rows = rows_of(f"{sys.argv[1]}/{name}.csv")
        print(f"{name}: solved, wrong claims, median us; in parts of the textbook's and of DART's median")
        for solver, limit in LIMIT.items():
            mine = [r for r in rows if r["solver"] == solver]
            small, large = ([r for r in mine if (r["n"] <= 45) == few] for few in (True, False))
            wrong = sum(r["state"] == "claims" and r["residual"] > limit for r in mine)
            solved, count = share(mine, limit)
            for family in FAMILIES:
                median = {s: statistics.median(r["us"] for r in rows if r["solver"] == s and r["family"] == family)
                          for s in (solver, "textbook", "dart_lemke") if any(r["solver"] == s for r in rows)}
                ratios = " ".join(f"{median[solver] / us:.3f} of {s}" for s, us in median.items() if s != solver)
                of_family = [r for r in mine if r["family"] == family]
                print("  %-14s %-11s %d of %d, %.3f us, %s" % (solver, family, *share(of_family, limit), median[solver], ratios))
            print("  %-14s all         %d of %d, %d wrong claims" % (solver, solved, count, wrong))
            enough = share(small, limit)[0] == len(small) and share(large, limit)[0] >= 0.97 * len(large)
            if wrong or not enough or (solver == "tactus_double" and solved < count):
                failures.append(f"{name} {solver}")
    print("FAILED: " + ", ".join(failures) if failures else "every problem solved that has to be, no wrong claim")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
