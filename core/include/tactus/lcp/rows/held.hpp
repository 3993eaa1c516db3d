// The p that belongs to known segments, from A and b anew: s is given on upright ones, p on level ones.
//
// The unknowns are the uprights' p. A tangent at its bound follows its normal row, so its column is added to
// that one's. What is left is one linear system, factored with row exchanges and corrected, from the p it is
// given, with the residual of the original numbers until that stops falling. Where rows are redundant
// (segments from elsewhere than a path, which leaves one out) a diagonal rho makes it regular, and the
// corrections find what is nearest to that p, from zero the least.
//
// Cost: N^3 / 3 multiply-adds for N uprights, N^2 + n^2 for each of at most kCorrections corrections. Memory:
// the dictionary's, which is lost, two indices and a scalar for each row.
#pragma once

#include <utility>

#include "tactus/clock.hpp"
#include "tactus/lcp/rows/certificate.hpp"
#include "tactus/lcp/rows/dictionary.hpp"

namespace tactus::lcp::rows {

inline constexpr int kCorrections = 6;
// As a share of A_ii: a correction gains four digits (float three) where the smallest eigenvalue that matters
// is a tenth of the mean.
template <class Scalar>
inline constexpr Scalar kRho = sizeof(Scalar) == 8 ? Scalar(1e-7) : Scalar(3e-4);
// A pivot that is not larger is what rounding leaves of a redundant row.
template <class Scalar>
inline constexpr Scalar kVanishing = sizeof(Scalar) == 8 ? Scalar(1e-12) : Scalar(1e-7);

template <class Scalar>
class HeldRows {
 public:
  // unknown, order: d.m indices each; work: d.m scalars. size: of the data, what a residual is small beside.
  HeldRows(const Problem<Scalar>& p, const Dictionary<Scalar>& d, Scalar size, Index* unknown, Index* order,
           Scalar* work)
      : p_(p), d_(d), B_(d.T), x_(work), unknown_(unknown), order_(order) {
    small_ = 8 * std::numeric_limits<Scalar>::epsilon() * size;
    TACTUS_BOUND("part");
    for (int j = 0; j < d_.m; ++j)
      if (d_.stair[j].upright()) unknown_[count_++] = static_cast<Index>(j);
    stride_ = (count_ + math::kLanes - 1) / math::kLanes * math::kLanes;
  }

  // p: of all rows; those of uprights are where it begins, those of level ones are set. s: A p + b. False if
  // the clock has stopped it, or no system was regular.
  template <Clock Time>
  bool solve(Scalar* p, Scalar* s, Time& clock) {
    set_levels(p);
    if (!factor(Scalar(0), clock) && (stopped_ || !factor(kRho<Scalar>, clock))) return false;
    Scalar last = kInfinity<Scalar>;
    TACTUS_BOUND("1 + corrections");
    for (int k = 0;; ++k) {
      find_s(p_, p, s);
      const Scalar left = residual(s);
      if (k == kCorrections || !(left > small_) || !(left < last / 2)) return true;
      if (!go_on(clock, Piece::correct, p_.n)) return false;
      last = left;
      substitute();
      TACTUS_BOUND("uprights");
      for (int c = 0; c < count_; ++c) {
        const Stair<Scalar>& u = d_.stair[unknown_[c]];
        p[u.row] = math::multiply_add(x_[c], u.scale, p[u.row]);
      }
      set_levels(p);
    }
  }

  bool stopped() const { return stopped_; }

 private:
  template <Clock Time>
  bool go_on(Time& clock, Piece piece, int n) {
    stopped_ = !clock.go_on(piece, n, count_);
    return !stopped_;
  }
  Scalar* row(int r) { return B_ + r * stride_; }
  Line<Scalar> line(const Stair<Scalar>& k) const { return line_of(k, p_.row[k.row], k.segment); }

  void set_levels(Scalar* p) const {
    TACTUS_BOUND("part");
    for (int j = 0; j < d_.m; ++j) {
      const Stair<Scalar>& k = d_.stair[j];
      if (k.upright()) continue;
      const auto P = line(k);
      const Row<Scalar>& r = p_.row[k.row];
      p[k.row] = k.normal == kNone ? P.at * k.scale : P.share * r.hi * p[r.normal];
    }
  }

  Scalar residual(const Scalar* s) {
    Scalar largest = 0;
    TACTUS_BOUND("uprights");
    for (int c = 0; c < count_; ++c) {
      const Stair<Scalar>& k = d_.stair[unknown_[c]];
      x_[c] = line(k).at - s[k.row] * k.scale;
      largest = math::larger(largest, math::magnitude(x_[c]));
    }
    return largest;
  }

  TACTUS_ONE_COPY void fill(Scalar rho) {
    TACTUS_BOUND("uprights");
    for (int r = 0; r < count_; ++r) {
      const Stair<Scalar>& k = d_.stair[unknown_[r]];
      const Scalar* const a = p_.A + k.row * p_.stride;
      TACTUS_BOUND("uprights");
      for (int c = 0; c < count_; ++c) {
        const Stair<Scalar>& other = d_.stair[unknown_[c]];
        row(r)[c] = a[other.row] * other.scale * k.scale;
      }
      row(r)[r] = math::multiply_add(rho, row(r)[r], row(r)[r]);
      order_[r] = static_cast<Index>(r);
    }
    TACTUS_BOUND("part");
    for (int j = 0; j < d_.m; ++j) {
      const Stair<Scalar>& t = d_.stair[j];
      if (t.upright() || t.normal == kNone || !d_.stair[t.normal].upright()) continue;
      const Scalar share = line(t).share * t.mu * t.scale;
      if (share == 0) continue;
      int c = 0;
      TACTUS_BOUND("uprights");
      while (unknown_[c] != t.normal) ++c;
      TACTUS_BOUND("uprights");
      for (int r = 0; r < count_; ++r) {
        const Stair<Scalar>& k = d_.stair[unknown_[r]];
        row(r)[c] = math::multiply_add(p_.A[k.row * p_.stride + t.row] * k.scale, share, row(r)[c]);
      }
    }
  }

  // L U with the largest entry of a column as its pivot: -L below, U above, 1 / pivot on the diagonal.
  template <Clock Time>
  bool factor(Scalar rho, Time& clock) {
    fill(rho);
    TACTUS_BOUND("uprights");
    for (int c = 0; c < count_; ++c) {
      TACTUS_LET("below = 0 .. uprights - 1");
      if (!go_on(clock, Piece::column, c)) return false;
      int best = c;
      TACTUS_BOUND("below");
      for (int r = c + 1; r < count_; ++r)
        if (math::magnitude(row(r)[c]) > math::magnitude(row(best)[c])) best = r;
      if (best != c) {
        TACTUS_BOUND("uprights");
        for (int j = 0; j < count_; ++j) std::swap(row(best)[j], row(c)[j]);
        std::swap(order_[best], order_[c]);
      }
      const Scalar pivot = row(c)[c];
      if (!(math::magnitude(pivot) > kVanishing<Scalar>)) return false;
      const Scalar inverse = row(c)[c] = 1 / pivot;
      TACTUS_BOUND("below");
      for (int r = c + 1; r < count_; ++r) {
        TACTUS_LET("m = below");
        const Scalar l = row(r)[c] *= -inverse;
        if (l != 0) math::add_multiple(row(r) + c + 1, row(c) + c + 1, l, count_ - c - 1);
      }
    }
    return true;
  }

  // x := B^-1 x
  TACTUS_ONE_COPY void substitute() {
    Scalar* const y = row(count_);  // the dictionary has a row more than there are uprights
    TACTUS_BOUND("uprights");
    for (int r = 0; r < count_; ++r) {
      TACTUS_LET("m = 0 .. uprights - 1");
      y[r] = x_[order_[r]] + math::dot(row(r), y, r);
    }
    TACTUS_BOUND("uprights");
    for (int r = count_ - 1; r >= 0; --r) {
      TACTUS_LET("m = 0 .. uprights - 1");
      x_[r] = (y[r] - math::dot(row(r) + r + 1, x_ + r + 1, count_ - r - 1)) * row(r)[r];
    }
  }

  const Problem<Scalar>& p_;
  const Dictionary<Scalar>& d_;
  Scalar* B_;
  Scalar* x_;
  Index* unknown_;
  Index* order_;
  Scalar small_;
  int count_ = 0, stride_ = 0;
  bool stopped_ = false;
};

}  // namespace tactus::lcp::rows
