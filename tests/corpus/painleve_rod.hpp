// A rod of 1 m and 0.6 kg after Painleve from 500 starts, and what its first step can be: its lower end on
// the floor, slides and spins, with a load up or down at its centre. Enumerated by the four modes of the one
// contact (Stewart 2000, 1.3), in closed form and in double.
#pragma once

#include <array>
#include <cmath>

namespace corpus {

struct PainleveRod {
  static constexpr int kStarts = 500;
  static constexpr double kMass = 0.6, kLength = 1, kInertia = kMass * kLength * kLength / 12,
                          kGravity = 9.81, kStep = 1e-3;
  double mu, angle, slide, spin, load;

  explicit PainleveRod(int k) {
    const double mus[] = {0.3, 0.8, 1.5, 2.0, 2.5}, degrees[] = {25, 40, 52, 65, 78},
                 loads[] = {0, 0.5, 1.3, 2, -1}, slides[] = {-0.7, -3, 0.9, 2};
    mu = mus[k / 100];
    angle = degrees[k / 20 % 5] * 3.14159265358979323846 / 180;
    slide = slides[k / 5 % 4];
    load = loads[k % 5] * kMass * kGravity;
    spin = 3.0 * (k % 5) - 6;
  }

  double x() const { return -kLength / 2 * std::cos(angle); }  // of the end, from the centre
  double y() const { return -kLength / 2 * std::sin(angle); }
  std::array<double, 3> pose() const { return {0, -y(), angle}; }
  // The end does not move up or down.
  std::array<double, 3> velocity() const { return {slide + y() * spin, -x() * spin, spin}; }

  double nn() const { return 1 / kMass + x() * x() / kInertia; }
  double nt() const { return -x() * y() / kInertia; }
  double tt() const { return 1 / kMass + y() * y() / kInertia; }
  double rise() const { return kStep * (load / kMass - kGravity); }  // s_n of the free motion

  // Motions of the first step: lift off, stick, slip either way.
  int motions() const {
    const double b_n = rise(), b_t = slide, det = nn() * tt() - nt() * nt();
    const double p_n = (nt() * b_t - tt() * b_n) / det, p_t = (nt() * b_n - nn() * b_t) / det;
    int count = (b_n >= 0 ? 1 : 0) + (p_n > 0 && std::fabs(p_t) <= mu * p_n ? 1 : 0);
    for (const double pull : {mu, -mu}) {
      const double p = -b_n / (nn() + pull * nt());
      count += p > 0 && (b_t + p * (nt() + pull * tt())) * pull < 0 ? 1 : 0;
    }
    return count;
  }
  // Neither lifts off nor goes on to slide as it does: no force does that.
  bool impulse() const {
    const double pull = slide > 0 ? -mu : mu;
    return rise() < 0 && !(nn() + pull * nt() > 0);
  }
};

}  // namespace corpus
