// Scenes as linear complementarity problems, in other hands than core's: Stewart's (2.16) and Song's (18).
#pragma once

#include <string>

#include "tests/corpus/contact_scene.hpp"
#include "tests/oracle/song.hpp"

namespace corpus {

struct ContactLcp {
  std::string name;
  int n = 0;
  std::vector<double> M, q;         // M by rows
  std::vector<std::uint8_t> block;  // the unit of each unknown, 0 or 1
};

inline ContactLcp as_lcp(const Matrix& M, const Column& q, std::size_t first_of_other_unit) {
  ContactLcp p;
  p.n = static_cast<int>(q.size());
  for (std::size_t i = 0; i < q.size(); ++i) {
    for (std::size_t j = 0; j < q.size(); ++j) p.M.push_back(static_cast<double>(M(i, j)));
    p.q.push_back(static_cast<double>(q[i]));
    p.block.push_back(i < first_of_other_unit ? 0 : 1);
  }
  return p;
}

inline Column to_column(const std::vector<double>& x) {
  return Column(x.begin(), x.end());
}

// (2.16): normal impulses, then `facets` of each contact, then slip speeds.
inline ContactLcp stewart_lcp(const ContactScene& s, std::size_t facets) {
  const std::size_t nc = s.contacts.size(), forces = nc * (1 + facets), n = nc * (2 + facets);
  const Matrix J = s.jacobian(), light = s.inverse_mass();
  Matrix along(forces, s.v.size());  // normals, then facets
  for (std::size_t c = 0; c < nc; ++c) {
    for (std::size_t k = 0; k < s.v.size(); ++k) along(c, k) = J(3 * c, k);
    for (std::size_t f = 0; f < facets; ++f) {
      const double angle = 2 * kPi * static_cast<double>(f) / static_cast<double>(facets);
      double x = std::cos(angle), y = std::sin(angle);
      if (std::fabs(x) < 1e-15) x = 0;  // opposite ones are opposite exactly
      if (std::fabs(y) < 1e-15) y = 0;
      for (std::size_t k = 0; k < s.v.size(); ++k)
        along(nc + c * facets + f, k) = x * J(3 * c + 1, k) + y * J(3 * c + 2, k);
    }
  }
  const Column free = oracle::plus(to_column(s.v), kStep, light * to_column(s.force)), speed = along * free;
  const Matrix A = along * light * along.transposed();
  Matrix M(n, n);
  Column q(n);
  for (std::size_t i = 0; i < forces; ++i) {
    q[i] = speed[i];
    for (std::size_t j = 0; j < forces; ++j) M(i, j) = A(i, j);
  }
  for (std::size_t c = 0; c < nc; ++c) {
    M(forces + c, c) = s.mu;
    for (std::size_t f = 0; f < facets; ++f) {
      M(nc + c * facets + f, forces + c) = 1;
      M(forces + c, nc + c * facets + f) = -1;
    }
  }
  return as_lcp(M, q, forces);
}

// Song's patches of side x side elements at every contact: s = A lambda + b with A = E^-1 + h W M^-1 W^T,
// rows all n, then all t, then all o; and (18), whose unknowns are lambda_n and the slips' parts u, v along
// t, o.
class SongScene {
 public:
  SongScene(const ContactScene& s, std::size_t side, double spacing, double compliance)
      : mu_(s.mu), per_(side * side), elements_(per_ * s.contacts.size()), light_(s.inverse_mass()) {
    oracle::SoftPatch patch;
    patch.columns = patch.rows = static_cast<int>(side);
    patch.spacing = spacing;
    patch.compliance = compliance;
    patch.poisson = 0.3L;
    // E^-1 K = (h + 2 Xi^(1/2))^-1, E^-1 = that times Xi.
    const Matrix Xi = oracle::influence(patch, 3);
    const Matrix small = oracle::inverse(kStep * Matrix::identity(3 * per_) + Real(2) * oracle::root(Xi));
    const Matrix soft = small * Xi;
    const std::size_t rows = 3 * elements_;
    W_ = Matrix(rows, s.v.size());
    A_ = relax_ = Matrix(rows, rows);
    // Elements with o the faster.
    const auto of_patch = [&](std::size_t e) { return (e % side) * side + e / side; };
    for (std::size_t e = 0; e < per_; ++e) {
      const Matrix J =
          s.jacobian(static_cast<double>(patch.t(of_patch(e))), static_cast<double>(patch.o(of_patch(e))));
      for (std::size_t c = 0; c < s.contacts.size(); ++c)
        for (std::size_t a = 0; a < 3; ++a)
          for (std::size_t k = 0; k < s.v.size(); ++k) W_(row(a, c, e), k) = J(3 * c + a, k);
    }
    A_ = kStep * (W_ * light_ * W_.transposed());
    for (std::size_t c = 0; c < s.contacts.size(); ++c)
      for (std::size_t e = 0; e < per_; ++e)
        for (std::size_t f = 0; f < per_; ++f)
          for (std::size_t a = 0; a < 3; ++a)
            for (std::size_t b = 0; b < 3; ++b) {
              const std::size_t i = 3 * of_patch(e) + a, j = 3 * of_patch(f) + b;
              A_(row(a, c, e), row(b, c, f)) += soft(i, j);
              relax_(row(a, c, e), row(b, c, f)) = small(i, j);
            }
    delta_ = Column(rows);
  }

  void to_lcp(const Column& v, const Column& force, Matrix& M, Column& q) const {
    const std::size_t e = elements_;
    const Column b = oracle::plus(W_ * oracle::plus(v, kStep, light_ * force), -1, relax_ * delta_);
    Matrix tangential(2 * e, 2 * e), normal_rows(e, 2 * e), normal_columns(2 * e, e);
    Column b_t(2 * e);
    for (std::size_t i = 0; i < 2 * e; ++i) {
      b_t[i] = b[e + i];
      for (std::size_t j = 0; j < 2 * e; ++j) tangential(i, j) = A_(e + i, e + j);
      for (std::size_t j = 0; j < e; ++j) {
        normal_rows(j, i) = A_(j, e + i);
        normal_columns(i, j) = A_(e + i, j);
      }
    }
    const Matrix T = oracle::inverse(tangential), up = normal_rows * T, down = T * normal_columns,
                 reduced = normal_rows * down;
    const Column held = oracle::plus(Column(2 * e), -1, T * b_t), lift = normal_rows * held;
    M = Matrix(5 * e, 5 * e);
    q = Column(5 * e);
    for (std::size_t i = 0; i < e; ++i) {
      q[i] = b[i] + lift[i];
      for (std::size_t j = 0; j < e; ++j) M(i, j) = A_(i, j) - reduced(i, j);
    }
    // u_t, v_t, u_o, v_o: `part` counts them, their sign alternates.
    for (std::size_t part = 0; part < 4; ++part) {
      const Real sign = part % 2 == 0 ? 1 : -1;
      const std::size_t tangent = part / 2 * e, first = (1 + part) * e;
      for (std::size_t i = 0; i < e; ++i) {
        q[first + i] = sign * held[tangent + i];
        for (std::size_t j = 0; j < e; ++j) {
          M(j, first + i) = sign * up(j, tangent + i);
          M(first + i, j) = -sign * down(tangent + i, j) + (i == j ? mu_ : 0);
          for (std::size_t other = 0; other < 4; ++other)
            M(first + i, (1 + other) * e + j) =
                (other % 2 == 0 ? sign : -sign) * T(tangent + i, other / 2 * e + j);
        }
      }
    }
  }

  // v and the deformations go on by the answer z, with w = M z + q.
  void advance(const Column& z, const Column& w, const Column& force, Column& v) {
    const std::size_t e = elements_;
    Column lambda(3 * e), s(3 * e);
    for (std::size_t i = 0; i < e; ++i) {
      lambda[i] = z[i];
      s[i] = w[i];
      for (std::size_t a = 1; a < 3; ++a) {
        lambda[a * e + i] = w[(2 * a - 1) * e + i] - mu_ * z[i];
        s[a * e + i] = z[(2 * a - 1) * e + i] - z[2 * a * e + i];
      }
    }
    v = oracle::plus(v, kStep, light_ * oracle::plus(force, 1, W_.transposed() * lambda));
    delta_ = oracle::plus(delta_, kStep, oracle::plus(s, -1, W_ * v));
  }

  std::size_t elements() const { return elements_; }

 private:
  std::size_t row(std::size_t a, std::size_t contact, std::size_t e) const {
    return a * elements_ + contact * per_ + e;
  }

  Real mu_;
  std::size_t per_, elements_;
  Matrix light_, W_, A_, relax_;
  Column delta_;
};

}  // namespace corpus
