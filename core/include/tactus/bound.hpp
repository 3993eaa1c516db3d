// How often a loop goes round, said where the loop stands, for tests/image/deadline.py: it takes the longest
// path through the machine code under these bounds, and so the time of a piece of work is proved from the
// image. A record is an address and a text in a section that is not loaded: no instruction. Off ARM there is
// nothing.
//
//     TACTUS_LET("k = n");       // a name has this value from here on, in what is called and inlined, too
//     TACTUS_BOUND("n");         // the loop that follows, in the next line, goes round at most n times
//     for (int i = 0; i < n; ++i) {
//       TACTUS_LET("m = 0 .. n - 1");
//       if (...) {
//         TACTUS_REACHED("2");   // this place is reached at most twice each time the loop around it is
//         entered
//
// A record within a loop that calls nothing can cost an instruction a round, so TACTUS_BOUND stands before
// it. A TACTUS_LET ends with the loop's body in which it stands. A value a .. b is for a loop in which the
// name takes each of these numbers at most once, as the length of a row in a triangle does: the sum is
// charged when the loop is entered. A loop that the compiler turns into memset has no bound, but `bytes`.
//
// Expressions have numbers, names, + - * / (of whole numbers, rounded down), mod, min, max and
// padded(n), whole packs of eight. Names are seen by all that is called, until it gives them another value:
//     n, rows      unknowns of the problem; rows of it that are gone through, `few` of them at a time
//     m            numbers in a vector that a kernel goes over
//     bytes        that memset or memmove writes; scalar: bytes of a number
//     blocks       1 where unknowns have units of their own, else 0
//     k            indices in the basis that is tried; below: rows under a pivot
//     e, entered   exchanges in the product form; columns that are brought into it
//     held         exchanges before the first pivot of a pass; pivots: of a pass
//     guessed, failures, restarts
//                  whether a guess is given; passes without an answer that certifies, or from a basis
//     judged, doubtful
//                  rows of a certificate that are more than z = 0 <= w; whether sizes are looked at once more
//     candidates, tied, rounds
//                  rows that a ratio test divides, that tie in it, columns that it takes to break a tie
//     rules, passes, corrections, odd
//                  of a solve; of a rule; of a trial; rows whose diagonal is not believed
// A wrong bound is a wrong proof: each is held against traces (tests/image/README.md).
#pragma once

#if defined(__arm__)
// An assembly statement with operands, if none: one without them would count as changing memory.
#define TACTUS_RECORD(TEXT) TACTUS_RECORD_OF(TACTUS_STRING(__LINE__), TEXT)
#define TACTUS_STRING(TOKEN) TACTUS_STRING_OF(TOKEN)
#define TACTUS_STRING_OF(TOKEN) #TOKEN
#define TACTUS_RECORD_OF(LINE, TEXT)                                                                      \
  __asm volatile inline(                                                                                  \
      "9: .pushsection .debug_tactus_bounds,\"\",%%progbits; .4byte 9b; .asciz \"" __FILE_NAME__ ":" LINE \
      " " TEXT "\"; .popsection" ::)
#else
#define TACTUS_RECORD(TEXT) static_cast<void>(0)
#endif

// Statements like others: behind an if without braces they would take the place of their loop
// (tests/house/bounds.sh looks).
#define TACTUS_BOUND(EXPRESSION) TACTUS_RECORD("bound " EXPRESSION)
#define TACTUS_REACHED(EXPRESSION) TACTUS_RECORD("reached " EXPRESSION)
#define TACTUS_LET(DEFINITION) TACTUS_RECORD("let " DEFINITION)
