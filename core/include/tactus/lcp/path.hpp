// A complementary basis of the scaled problem and what Lemke's method has to know of it.
//
//     I ws - (R M C) zs - d z0 = R q / sigma,      x_B = B^-1 (R q / sigma)
//
// Variables: w_i is i, z_i is n + i, the artificial z0 is 2n; d is its covering vector. M is never copied: a
// column is scaled when it enters.
#pragma once

#include <cstddef>

#include "tactus/clock.hpp"
#include "tactus/lcp/problem.hpp"
#include "tactus/lcp/product_form.hpp"

namespace tactus::lcp {

// Views into the caller's workspace; vectors have padded(n) scalars.
template <class Scalar>
struct Path {
  const Problem<Scalar>* problem = nullptr;
  int n = 0;
  Scalar sigma = 1;
  Scalar perturbation = 0;     // added to the scaled q, once to twice, other for every row
  Scalar* c = nullptr;         // diagonal of C
  Scalar* r = nullptr;         // diagonal of R
  Scalar* rhs = nullptr;       // values of the basic variables
  Scalar* other = nullptr;     // B^-1 a of another one, for the ratio test
  Scalar* covering = nullptr;  // -d
  ProductForm<Scalar> inverse;
  Index* basic = nullptr;  // n: the variable of row i
  Index* row = nullptr;    // 2n + 1: the row of a basic variable, -1 of a nonbasic one
  Index* start = nullptr;  // n: the variables that were basic when the path began
  Index* tied = nullptr;   // n: scratch of the ratio test

  Scalar* entering() const { return inverse.next(); }  // B^-1 a of the variable that enters
  int artificial() const { return 2 * n; }
  bool is_basic(int variable) const { return row[variable] >= 0; }
  int complement(int variable) const { return variable < n ? variable + n : variable - n; }

  // x <- the variable's column before B^-1. Cost: n.
  TACTUS_ONE_COPY void original_column(int variable, Scalar* x) const {
    TACTUS_LET("bytes = scalar * (padded(n) - n)");
    for (int i = n; i < inverse.size; ++i) x[i] = 0;
    TACTUS_LET("bytes = scalar * n");
    if (variable == artificial()) {
      TACTUS_BOUND("n");
      for (int i = 0; i < n; ++i) x[i] = covering[i];
    } else if (variable < n) {
      for (int i = 0; i < n; ++i) x[i] = 0;
      x[variable] = 1;
    } else {
      using P = math::Pack<Scalar>;
      const Scalar* entry = problem->M + (variable - n);
      const Scalar scale = -c[variable - n];
      const std::ptrdiff_t stride = problem->stride;
      int i = 0;
      if constexpr (P::kIsRegister) {
        const P all_scale = P::all(scale);
        for (; i + math::kLanes <= n; i += math::kLanes, entry += math::kLanes * stride)
          (P::gather(entry, stride) * P::load(r + i) * all_scale).store(x + i);
      }
      TACTUS_BOUND("n");
      for (; i < n; ++i, entry += stride) x[i] = *entry * r[i] * scale;
    }
  }

  // The basis of all w. Cost: n.
  [[gnu::noinline]] void start_from_w() {
    inverse.count = 0;
    const Scalar inverse_sigma = Scalar(1) / sigma;
    TACTUS_BOUND("n");
    for (int i = 0; i < n; ++i) {
      rhs[i] = r[i] * problem->q[i] * inverse_sigma;
      basic[i] = static_cast<Index>(i);
      row[i] = static_cast<Index>(i);
      row[n + i] = -1;
    }
    if (perturbation > 0) {
      Scalar fraction = 0;
      TACTUS_BOUND("n");
      for (int i = 0; i < n; ++i) {
        fraction += Scalar(0.618034);  // golden section: no two rows are near each other
        if (fraction > 1) fraction -= 1;
        rhs[i] += perturbation * (Scalar(1) + fraction);
      }
    }
    TACTUS_LET("bytes = scalar * (padded(n) - n)");
    for (int i = n; i < inverse.size; ++i) rhs[i] = 0;
    row[artificial()] = -1;
  }

  // Exchanges the variable whose column stands in entering() with the one of row r_leaving.
  TACTUS_ONE_COPY void exchange(int variable, int r_leaving) {
    inverse.append(r_leaving);
    inverse.apply_last(rhs);
    row[basic[r_leaving]] = -1;
    basic[r_leaving] = static_cast<Index>(variable);
    row[variable] = static_cast<Index>(r_leaving);
  }

  // Brings the listed variables in place of the w that are not to stay, largest pivot first in its column. A
  // w_i stays where stays[i] is not zero. From the basis of all w. False if the basis is singular, or the
  // clock says no. Cost: count columns.
  template <Clock Time>
  [[gnu::noinline]] bool enter_all(const Index* variables, int count, const Scalar* stays, Time& clock) {
    TACTUS_BOUND("entered");
    for (int a = 0; a < count; ++a) {
      TACTUS_LET("e = 0 .. entered - 1");
      if (!clock.go_on(Piece::pivot, n, 0)) return false;
      Scalar* v = entering();
      original_column(variables[a], v);
      if (!inverse.apply(v, clock)) return false;
      int best = -1;
      TACTUS_BOUND("n");
      for (int i = 0; i < n; ++i)
        if (basic[i] == i && stays[i] == 0 && (best < 0 || math::magnitude(v[i]) > math::magnitude(v[best])))
          best = i;
      constexpr Scalar kVanishing = Scalar(16) * std::numeric_limits<Scalar>::epsilon();
      if (best < 0 || !(math::magnitude(v[best]) > kVanishing)) return false;
      exchange(variables[a], best);
    }
    return true;
  }
};

}  // namespace tactus::lcp
