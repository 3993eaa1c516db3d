// Cages of half-spaces, too narrow for a ball or not by a sum that needs no solver: with w > 0 and
// sum w n = 0 the gaps obey sum w gap = sum w (room - R), wherever the ball is.
#pragma once

#include "tactus/math/vector.hpp"
#include "tests/corpus/friction_box.hpp"

namespace cages {

using namespace tactus;

template <int Dim>
math::Vector<double, Dim> direction(corpus::Random& random) {
  for (;;) {
    math::Vector<double, Dim> n;
    for (int k = 0; k < Dim; ++k) n[k] = random.uniform(-1, 1);
    if (n.norm() > 0.1 && n.norm() < 1) return n.normalized();
  }
}

// Walls at the distance `room` from the origin, whose normals balance: sum w n = 0, w > 0.
template <int Dim>
struct Walls {
  int count;
  math::Vector<double, Dim> normal[Dim + 1];
  double room;  // radius of the largest ball that fits

  explicit Walls(corpus::Random& random)
      : count(2 + static_cast<int>(random.uniform(0, Dim))), room(random.uniform(0.05, 1)) {
    math::Vector<double, Dim> sum = math::Vector<double, Dim>::Zero();
    for (int i = 0; i + 1 < count; ++i) {
      normal[i] = direction<Dim>(random);
      sum += random.uniform(0.2, 1) * normal[i];
    }
    normal[count - 1] = -sum.normalized();
  }
};

}  // namespace cages
