// Modes first: the contact problem solved for a guess of every element's mode, without an LCP.
//
// If it is known which elements are open, which tangential rows stick and which slip where, the
// complementarity is gone: an open element has lambda = 0; a sticking row s = 0; a slipping one lambda_T = mu
// lambda_n g with a known g. What is left is one linear system of at most Dim equations an element, from A
// and b themselves. The last step's modes are nearly always this step's; where they are not, each row that
// breaks its law is given the mode it asks for and the system is solved again, at most kTries times. The
// answer stands only if every law of the original problem holds; else the caller takes the LCP. So this
// decides what a step costs, never what is an answer.
//
// Rigid redundant elements make the system singular but consistent. A diagonal rho and a few corrections with
// the residual of the unperturbed system give its solution of least norm: four corners share a weight evenly.
//
// Cost of a try: N^3 / 3 + n^2 multiply-adds, N the unknown rows of n. Memory: N^2 scalars of scratch.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "tactus/contact/problem.hpp"
#include "tactus/contact/pyramid.hpp"
#include "tactus/dynamics/vector.hpp"

namespace tactus::contact {

// What an element did in the last step, in one byte that the caller keeps. Value 0: nothing is known.
struct Remembered {
  enum Normal : std::uint8_t { unknown, open, closed };
  enum Tangent : std::uint8_t {
    sticks,
    pulls_up,
    pulls_down
  };  // box: lambda = + or - mu lambda_n; facets: sticks or not

  std::uint8_t code = 0;

  Normal normal() const { return static_cast<Normal>(code & 3U); }
  Tangent tangent(int k) const { return static_cast<Tangent>((code >> (2 + 2 * k)) & 3U); }
};

// The byte of a solved element, from its mode and its rows of lambda and s.
template <class Scalar, int Dim>
inline Remembered remember(Mode mode, const Scalar* lambda, const Scalar* s, Scalar mu, bool box) {
  if (mode == Mode::open) return {Remembered::open};
  unsigned code = Remembered::closed;
  if (mode == Mode::slip && !box) code |= 1U << 2;
  // A row that slips has its force at the border, of which half is a safe sign, and a speed against it.
  if (mode == Mode::slip && box)
    for (int k = 1; k < Dim; ++k)
      if (std::abs(lambda[k]) * 2 > mu * lambda[0] && lambda[k] * s[k] < 0)
        code |= (lambda[k] > 0 ? 1U : 2U) << (2 * k);
  return {static_cast<std::uint8_t>(code)};
}

namespace guess {

template <class Scalar>
inline constexpr int kTries = sizeof(Scalar) == 8 ? 24 : 8;
template <class Scalar>
inline constexpr int kTurns = sizeof(Scalar) == 8 ? 20 : 5;  // tries in which a pyramid is turned to the slip
inline constexpr int kCorrections = 5;

// Relative limits, as those of the LCP's certificate.
template <class Scalar>
inline constexpr Scalar kAccepted = sizeof(Scalar) == 8 ? Scalar(1e-10) : Scalar(1e-5);
template <class Scalar>
inline constexpr Scalar kConverged = 64 * std::numeric_limits<Scalar>::epsilon();
// The diagonal that makes a redundant system regular, as a share of the diagonal of A: a correction gains
// about four (float three) digits where the smallest eigenvalue that matters is a tenth of the mean.
template <class Scalar>
inline constexpr Scalar kRho = sizeof(Scalar) == 8 ? Scalar(1e-6) : Scalar(3e-4);

// The angle between friction and slip that is left alone.
template <class Scalar>
inline constexpr Scalar kAligned = sizeof(Scalar) == 8 ? Scalar(1e-8) : Scalar(2e-3);

template <class Scalar>
struct Answer {
  bool found = false;
  bool turned = true;  // every pyramid lies along its slip: the friction is the cone's
  int tries = 0;
  Scalar residual = 0;         // largest breach of any law, relative to the speeds and forces present
  Scalar least_force = 0;      // smallest lambda_n, N
  Scalar least_speed = 0;      // smallest s_n, m/s
  Scalar complementarity = 0;  // largest |lambda_n s_n|, W
};

template <class Scalar, int Dim>
struct ElementMode {
  bool closed = false;
  bool bound[Dim - 1] = {};  // this tangential force is mu lambda_n g
  Scalar g[Dim - 1] = {};
  Scalar pull[Dim - 1] = {};  // mu g
};

template <class Scalar, int Dim>
class Search {
 public:
  using Mode = ElementMode<Scalar, Dim>;
  static constexpr int kTangents = Dim - 1;

  // facets 0: the box; the plane is a box whatever is asked. `mode` holds one entry an element, `row` and
  // `work` one an unknown row, `scratch` the square of that.
  Search(const Problem<Scalar, Dim>& problem, int facets, bool redundant, Mode* mode, std::int16_t* row,
         Scalar* work, Scalar* scratch, Scalar* lambda, Scalar* s, Scalar* used)
      : p_(problem),
        facets_(Dim == 2 ? 0 : facets),
        redundant_(redundant),
        mode_(mode),
        row_(row),
        work_(work),
        L_(scratch),
        lambda_(lambda),
        s_(s),
        used_(used) {}

  template <class Recall>
  Answer<Scalar> run(const Recall& recall) {
    Answer<Scalar> answer;
    for (int i = 0; i < p_.elements; ++i) first_guess(i, recall(i));
    for (try_ = 1; try_ <= kTries<Scalar>; ++try_) {
      answer.tries = try_;
      if (!solve()) return answer;
      bool changed = false;
      residual_ = solved_;
      for (int i = 0; i < p_.elements; ++i) changed = review(i) || changed;
      if (changed) continue;
      answer.residual = residual_;
      answer.found = residual_ <= kAccepted<Scalar>;
      answer.turned = try_ < kTurns<Scalar>;
      break;
    }
    if (answer.found) measure(answer);
    return answer;
  }

 private:
  Scalar a(int i, int j) const { return p_.A[i * p_.stride + j]; }
  Direction<Scalar> first(int i) const {
    if (p_.slip == nullptr) return {Scalar(1), Scalar(0)};
    return {p_.slip[2 * i], p_.slip[2 * i + 1]};
  }

  void bind(int i, int k, Scalar g) {
    Mode& m = mode_[i];
    m.bound[k] = true;
    m.g[k] = g;
    m.pull[k] = p_.mu[i] * g;
  }
  void bind(int i, Direction<Scalar> d) {
    bind(i, 0, d.t);
    if constexpr (Dim == 3) bind(i, 1, d.o);
  }
  void free(Mode& m) {
    for (int k = 0; k < kTangents; ++k) m.bound[k] = false;
  }

  // An element that was closed is, and so is one that the free motion would press in: where contacts are
  // redundant, who was open there last was chance.
  void first_guess(int i, Remembered was) {
    Mode& m = mode_[i];
    m = Mode{};
    const int n = i * Dim;
    const bool known = was.normal() == Remembered::closed;
    m.closed = known || p_.b[n] < 0;
    if (!m.closed) return;
    if (facets_ > 0) {
      const Scalar t = p_.b[n + 1], o = p_.b[n + kTangents];
      if (known ? was.tangent(0) != Remembered::sticks : slips(i, t, o)) bind(i, {-first(i).t, -first(i).o});
      return;
    }
    for (int k = 0; k < kTangents; ++k) {
      const Scalar slip = p_.b[n + 1 + k];
      if (known && was.tangent(k) != Remembered::sticks)
        bind(i, k, was.tangent(k) == Remembered::pulls_up ? Scalar(1) : Scalar(-1));
      else if (!known && slips(i, slip, 0))
        bind(i, k, slip > 0 ? Scalar(-1) : Scalar(1));
    }
  }

  // Friction cannot stop the free slip, this element by itself: mu |b_n| / A_nn against |b_T| / A_TT.
  bool slips(int i, Scalar t, Scalar o) const {
    const int n = i * Dim;
    const Scalar stopped = p_.mu[i] * p_.b[n] * a(n + 1, n + 1) / a(n, n);
    return t * t + o * o > stopped * stopped;
  }

  bool solve() {
    int n = 0;
    speed_ = 0;
    diagonal_ = 0;
    symmetric_ = true;
    for (int i = 0; i < p_.elements; ++i) {
      const Mode& m = mode_[i];
      if (!m.closed) continue;
      row_[n++] = static_cast<std::int16_t>(i * Dim);
      diagonal_ = std::max(diagonal_, a(i * Dim, i * Dim));
      speed_ = std::max(speed_, std::abs(p_.b[i * Dim]));
      for (int k = 0; k < kTangents; ++k) {
        speed_ = std::max(speed_, std::abs(p_.b[i * Dim + 1 + k]));
        if (m.bound[k])
          symmetric_ = false;
        else
          row_[n++] = static_cast<std::int16_t>(i * Dim + 1 + k);
      }
    }
    if (!factor(n)) return false;
    for (int i = 0; i < p_.rows(); ++i) {
      lambda_[i] = 0;
      s_[i] = p_.b[i];
    }
    Scalar last = std::numeric_limits<Scalar>::infinity();
    for (int k = 0; k < kCorrections; ++k) {
      for (int j = 0; j < n; ++j) work_[j] = -s_[row_[j]];
      substitute(n);
      expand(n);
      solved_ = 0;
      for (int j = 0; j < n; ++j) solved_ = std::max(solved_, std::abs(s_[row_[j]]));
      solved_ = speed_ > 0 ? solved_ / speed_ : solved_;
      if (!(solved_ > kConverged<Scalar>) || !(solved_ < last / 2)) break;
      last = solved_;
    }
    return solved_ <= kAccepted<Scalar>;
  }

  // y += m x, four at a time.
  static void add_multiple(Scalar m, const Scalar* x, Scalar* y, int n) {
    for (; n >= 4; n -= 4, x += 4, y += 4)
      dynamics::unrolled<4>([&](int i)
                                __attribute__((always_inline)) { y[i] = lcp::multiply_add(m, x[i], y[i]); });
    for (int i = 0; i < n; ++i) y[i] = lcp::multiply_add(m, x[i], y[i]);
  }

  // Row r of the reduced system: what each unknown does to s_r, friction that goes with a normal force
  // included.
  void reduce(int r, Scalar* out) const {
    const Scalar* in = p_.A + r * p_.stride;
    for (int i = 0; i < p_.elements; ++i, in += Dim) {
      const Mode& m = mode_[i];
      if (!m.closed) continue;
      Scalar* const normal = out++;
      Scalar x = in[0];
      for (int k = 0; k < kTangents; ++k) {
        if (m.bound[k])
          x = lcp::multiply_add(m.pull[k], in[1 + k], x);
        else
          *out++ = in[1 + k];
      }
      *normal = x;
    }
  }

  // LU without exchanges, the reciprocal pivots on the diagonal. The sticking part is positive definite and
  // friction adds mu times a coupling; where that makes a pivot vanish the guess is given up. Without slip
  // the matrix is symmetric, and the left half of each row is known from the rows above.
  bool factor(int n) {
    for (int i = 0; i < n; ++i) {
      Scalar* const r = L_ + i * n;
      const Scalar diagonal = a(row_[i], row_[i]);
      reduce(row_[i], r);
      if (redundant_) r[i] = lcp::multiply_add(kRho<Scalar>, diagonal, r[i]);
      for (int k = 0; k < i; ++k) {
        const Scalar* const above = L_ + k * n;
        const Scalar x = symmetric_ ? above[i] : r[k];
        const int from = symmetric_ ? i : k + 1;
        r[k] = x * above[k];
        if (x != 0) add_multiple(-r[k], above + from, r + from, n - from);
      }
      if (!(r[i] > kConverged<Scalar> * diagonal)) return false;
      r[i] = 1 / r[i];
    }
    return true;
  }

  void substitute(int n) {
    for (int i = 0; i < n; ++i) {
      const Scalar* const r = L_ + i * n;
      Scalar sum = work_[i];
      for (int k = 0; k < i; ++k) sum = lcp::multiply_add(-r[k], work_[k], sum);
      work_[i] = sum;
    }
    for (int i = n - 1; i >= 0; --i) {
      const Scalar* const r = L_ + i * n;
      Scalar sum = work_[i];
      for (int k = i + 1; k < n; ++k) sum = lcp::multiply_add(-r[k], work_[k], sum);
      work_[i] = sum * r[i];
    }
  }

  // Adds the correction to lambda, and s = A lambda + b from the original numbers.
  void expand(int n) {
    for (int j = 0; j < n; ++j) lambda_[row_[j]] += work_[j];
    const int rows = p_.rows();
    for (int r = 0; r < rows; ++r) s_[r] = p_.b[r];
    for (int i = 0; i < p_.elements; ++i) {
      const Mode& m = mode_[i];
      if (!m.closed) continue;
      Scalar* const lambda = lambda_ + i * Dim;
      for (int k = 0; k < kTangents; ++k)
        if (m.bound[k]) lambda[1 + k] = m.pull[k] * lambda[0];
      // A is symmetric: its rows are its columns.
      const Scalar* const column = p_.A + i * Dim * p_.stride;
      for (int r = 0; r < rows; ++r) {
        Scalar sum = s_[r];
        dynamics::unrolled<Dim>([&](int c) __attribute__((always_inline)) {
          sum = lcp::multiply_add(column[c * p_.stride + r], lambda[c], sum);
        });
        s_[r] = sum;
      }
    }
  }

  void breach(Scalar x) { residual_ = std::max(residual_, x); }
  void breach_if(bool counts, Scalar force, Scalar slip) {
    if (!counts || !(speed_ > 0)) return;
    breach(force * diagonal_ / speed_);
    breach(slip / speed_);
  }

  // Holds element i against the law; a breach changes its mode and returns true.
  bool review(int i) {
    Mode& m = mode_[i];
    const int n = i * Dim;
    const Scalar slack_speed = kAccepted<Scalar> * speed_;
    if (!m.closed) {
      used_[i] = 0;
      if (s_[n] < -slack_speed) {
        m.closed = true;
        free(m);
        return true;
      }
      if (speed_ > 0) breach(-s_[n] / speed_);
      return false;
    }
    const Scalar force = speed_ / diagonal_;
    const Scalar slack = kAccepted<Scalar> * force;
    if (lambda_[n] < -slack) {
      m.closed = false;
      free(m);
      return true;
    }
    if (force > 0) breach(-lambda_[n] / force);
    const Scalar limit = p_.mu[i] * std::max(lambda_[n], Scalar(0));
    if constexpr (Dim == 3)
      if (facets_ > 0) return review_facets(i, limit, slack, slack_speed);
    return review_box(i, limit, slack, slack_speed);
  }

  bool review_box(int i, Scalar limit, Scalar slack, Scalar slack_speed) {
    Mode& m = mode_[i];
    bool changed = false;
    used_[i] = 0;
    for (int k = 0; k < kTangents; ++k) {
      const Scalar force = lambda_[i * Dim + 1 + k], slip = s_[i * Dim + 1 + k];
      used_[i] = std::max(used_[i], std::abs(force));
      if (!m.bound[k]) {
        if (std::abs(force) > limit + slack) {
          bind(i, k, force > 0 ? Scalar(1) : Scalar(-1));
          changed = true;
        }
      } else if (slip * m.g[k] > slack_speed) {
        m.bound[k] = false;
        changed = true;
      }
      breach_if(!changed, std::abs(force) - limit, m.bound[k] ? slip * m.g[k] : Scalar(0));
    }
    return changed;
  }

  // The element's pyramid is turned so that a corner lies along its friction force; there it is the cone.
  // While tries are left it is turned until the force opposes the slip; after that a slip within half the
  // angle between two corners will do.
  bool review_facets(int i, Scalar limit, Scalar slack, Scalar slack_speed) {
    Mode& m = mode_[i];
    const int t = i * Dim + 1, o = t + 1;
    if (!m.bound[0]) {
      used_[i] = std::sqrt(lambda_[t] * lambda_[t] + lambda_[o] * lambda_[o]);
      if (used_[i] > limit + slack) {
        bind(i, {lambda_[t] / used_[i], lambda_[o] / used_[i]});
        return true;
      }
      breach_if(true, used_[i] - limit, 0);
      return false;
    }
    used_[i] = limit;
    const Scalar along = -(m.g[0] * s_[t] + m.g[1] * s_[o]);
    if (along < -slack_speed) {
      free(m);
      return true;
    }
    const Scalar slip = std::sqrt(s_[t] * s_[t] + s_[o] * s_[o]);
    const Scalar across = std::abs(m.g[0] * s_[o] - m.g[1] * s_[t]);
    const bool turns = try_ < kTurns<Scalar> ? across > kAligned<Scalar> * slip + slack_speed
                                             : along + slack_speed < slip * corner_cosine();
    if (turns) {
      // What the slip would be without this element's own friction: its direction hardly depends on the
      // present one.
      const Scalar own = (a(t, t) + a(o, o)) / 2 * limit;
      const Scalar u = s_[t] - own * m.g[0], v = s_[o] - own * m.g[1];
      const Scalar size = std::sqrt(u * u + v * v);
      bind(i, {-u / size, -v / size});
      return true;
    }
    breach_if(true, 0, -along);
    return false;
  }

  // cos(pi / facets)
  Scalar corner_cosine() const { return 1 - facet_error<Scalar>(facets_); }

  void measure(Answer<Scalar>& answer) const {
    for (int i = 0; i < p_.elements; ++i) {
      const Scalar force = lambda_[i * Dim], speed = s_[i * Dim];
      answer.least_force = i == 0 ? force : std::min(answer.least_force, force);
      answer.least_speed = i == 0 ? speed : std::min(answer.least_speed, speed);
      answer.complementarity = std::max(answer.complementarity, std::abs(force * speed));
    }
  }

  const Problem<Scalar, Dim>& p_;
  int facets_;
  bool redundant_;
  Mode* mode_;
  std::int16_t* row_;
  Scalar* work_;
  Scalar* L_;
  Scalar* lambda_;
  Scalar* s_;
  Scalar* used_;
  int try_ = 0;
  bool symmetric_ = true;
  Scalar speed_ = 0, diagonal_ = 0, solved_ = 0, residual_ = 0;
};

}  // namespace guess
}  // namespace tactus::contact
