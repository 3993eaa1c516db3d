"""The pieces of work whose time is proved, by image: the function, and what the names in its bounds stand for.

A scale of sizes is gone through; the run of a bench has one phase for each of them. What is said behind `facts` is not
proved by the image but by the clock that is asked, or is the most that was seen; the table says which.
"""
import collections

Piece = collections.namedtuple("Piece", "name function facts")
Image = collections.namedtuple("Image", "sizes phase constants pieces")

LCP = "n", "k = n", "e = n + 7", "m = n"
BENCH_LCP = Image(
    sizes=[dict(n=n) for n in (6, 12, 24, 36)], phase=r"measure\(int\)$", constants=dict(scalar=4, blocks=0), pieces=[
        Piece("x += a v, whole packs", r"detail::add_packs", "m = padded(n)"),
        Piece("dot product", r"sum_of_products<false", "m = n"),
        Piece("dot product of magnitudes", r"sum_of_products<true", "m = n"),
        Piece("largest magnitude", r"float tactus::math::largest_magnitude", "m = padded(n)"),
        Piece("column of M", r"::original_column", ""),
        Piece("exchange", r"Path<float>::exchange", ""),
        Piece("inverse times a vector", r"::apply_from", "e = n + 7"),
        Piece("scaling", r"find_scaling", "odd = n / 6"),
        Piece("start from all w", r"::start_from_w", ""),
        Piece("artificial variable, cold", r"introduce_artificial", "e = 0, k = 0"),
        Piece("artificial variable", r"introduce_artificial", "e = n + 1, k = n"),
        Piece("inverse built anew", r"::enter_all", "k = n + 1"),
        Piece("ratio test without a tie", r"int tactus::lcp::ratio_test", "e = n + 7, rounds = 0"),
        Piece("ratio test, two rounds", r"int tactus::lcp::ratio_test", "e = n + 7, rounds = 2"),
        Piece("ratio test", r"int tactus::lcp::ratio_test", "e = n + 7, rounds = n"),
        Piece("factors of the basis", r"factor_basis", "k = n"),
        Piece("correction", r"void tactus::lcp::correct", "k = n"),
        Piece("certificate", r"tactus::lcp::certify<", ""),
        Piece("path's own end", r"::try_path", "k = n, e = n + 7, corrections = 3"),
        Piece("conclusion", r"::conclude", ""),
    ])

IMAGES = {"bench_lcp": BENCH_LCP}
