// Fuzzes the solver with (M, q) and judges every answer by an independent recomputation.
//
// The bytes choose n, a family, a precision, a warm start and a budget, then fill M and q: with plain numbers
// of any kind, NaN and infinities among them; with a friction problem, perturbed; or with small integers,
// where ties and singular bases are dense. A finding is: solved with a residual above the promise, a status
// that contradicts the input, more pivots than the budget, or anything the sanitizers see.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tactus/lcp/solver.hpp"
#include "tests/corpus/friction_box.hpp"
#include "tests/corpus/judge.hpp"

namespace {

constexpr int kCapacity = 24;

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : at_(data), left_(size) {}
  std::uint8_t next() { return left_ == 0 ? 0 : (--left_, *at_++); }
  double number() {  // any bit pattern of a float, now and then
    const std::uint8_t kind = next();
    if (kind < 64) return static_cast<std::int8_t>(next());
    if (kind < 128) return static_cast<std::int8_t>(next()) / 16.0;
    if (kind < 250) return std::ldexp(static_cast<std::int8_t>(next()), static_cast<std::int8_t>(next()) / 4);
    std::uint32_t bits = 0;
    for (int i = 0; i < 4; ++i) bits = bits << 8 | next();
    float value;
    std::memcpy(&value, &bits, 4);
    return static_cast<double>(value);
  }
  std::uint64_t word() {
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) bits = bits << 8 | next();
    return bits;
  }

 private:
  const std::uint8_t* at_;
  std::size_t left_;
};

[[noreturn]] void finding(const char* what, int n, double residual) {
  std::fprintf(stderr, "finding: %s, n = %d, residual %g\n", what, n, residual);
  std::abort();
}

template <class Scalar>
void try_one(Bytes& bytes) {
  static corpus::Instance<Scalar, kCapacity> p;
  static tactus::lcp::Workspace<Scalar, kCapacity> memory;
  const std::uint8_t family = bytes.next();
  if (family < 100) {
    corpus::Box box;
    box.contacts = 1 + bytes.next() % 4;
    box.mass = std::ldexp(1.0, static_cast<std::int8_t>(bytes.next()) / 8);
    box.edge = std::ldexp(1.0, static_cast<std::int8_t>(bytes.next()) / 32);
    box.mu = bytes.next() / 64.0;
    box.diagonal = bytes.next() % 2 == 0 ? 0 : 1e-6;
    box.seed = bytes.word();
    corpus::make(box, p);
    for (int k = bytes.next() % 8; k > 0; --k) {
      const std::size_t at = static_cast<std::size_t>(bytes.next()) * 3 % static_cast<std::size_t>(p.n * p.n);
      p.M[at] = static_cast<Scalar>(bytes.number());
    }
  } else {
    p.n = bytes.next() % (kCapacity + 1);
    const bool integers = family < 180;
    for (int i = 0; i < p.n; ++i) {
      for (int j = 0; j < p.n; ++j)
        p.M[static_cast<std::size_t>(i * p.n + j)] =
            static_cast<Scalar>(integers ? static_cast<std::int8_t>(bytes.next()) % 4 : bytes.number());
      p.q[static_cast<std::size_t>(i)] =
          static_cast<Scalar>(integers ? static_cast<std::int8_t>(bytes.next()) % 4 : bytes.number());
      p.block[static_cast<std::size_t>(i)] = bytes.next() & 1;
    }
  }
  tactus::lcp::Problem<Scalar> view = p.view();
  if (bytes.next() % 2 == 0) view.block = p.block.data();
  tactus::lcp::Basis<kCapacity> basis;
  basis.n = bytes.next() % 2 == 0 ? 0 : p.n;
  for (auto& positive : basis.positive) positive = bytes.next() & 1;
  const int budget = bytes.next() * 8;
  const auto answer = solve(view, memory, {.pivot_budget = budget}, &basis);

  bool finite = true;
  for (int i = 0; i < p.n * p.n; ++i) finite = finite && std::isfinite(p.M[static_cast<std::size_t>(i)]);
  for (int i = 0; i < p.n; ++i) finite = finite && std::isfinite(p.q[static_cast<std::size_t>(i)]);
  using tactus::lcp::Status;
  if (answer.pivots > budget) finding("more pivots than the budget", p.n, answer.pivots);
  if (!finite && answer.status != Status::bad_input) finding("bad input not refused", p.n, 0);
  if (finite && answer.status == Status::bad_input) finding("good input refused", p.n, 0);
  if (answer.status != Status::solved) return;
  const double residual = corpus::residual(p.n, p.M.data(), p.q.data(), view.block, memory.z.data());
  if (!(residual <= corpus::kSolved<Scalar>)) finding("wrong answer called solved", p.n, residual);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  if (bytes.next() % 2 == 0)
    try_one<float>(bytes);
  else
    try_one<double>(bytes);
  return 0;
}
