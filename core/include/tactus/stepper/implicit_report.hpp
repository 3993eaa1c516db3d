// What an implicit step says of itself, and its scratch memory. Part of implicit.hpp.
#pragma once

#include "tactus/dynamics/drift.hpp"
#include "tactus/stepper/implicit_contact.hpp"

namespace tactus::stepper::implicit {

inline constexpr int kIterations = 25;  // of one attempt
inline constexpr int kDamped = 12;      // of them, with shorter steps where the attempt has them
inline constexpr int kAttempts = 4;

enum class Status : std::uint8_t { solved, not_converged, bad_input, too_fast };

constexpr const char* sentence(Status status) {
  switch (status) {
    case Status::solved:
      return "The step is solved and certified.";
    case Status::not_converged:
      return "Newton's method found no certified answer within its iterations; the state is as it was.";
    case Status::bad_input:
      return "No step was set, or a pose, a velocity or a force of the state is not a finite number.";
    case Status::too_fast:
      return dynamics::kTooFast;
  }
  return "Unknown status.";
}

// How far the answer is from each law, in SI units, from the poses that the state now has and the velocities
// nu* before the drift.
template <class Scalar>
struct Certificate {
  Scalar motion = 0;       // |nu* - nu - h M^-1 (f + W^T lambda)|, m/s (angular: times the unit of length)
  Scalar penetration = 0;  // largest -gap, m
  Scalar complementarity = 0;  // largest gap where lambda_n > 0, m
  Scalar surface = 0;    // largest distance of a closest point from its surface, or from the other along n, m
  Scalar alignment = 0;  // largest |n + n_B|, and negative multiplier
  Scalar friction = 0;   // largest |y| - mu lambda_n, or negative lambda_n, N
  Scalar dissipation = 0;  // largest mu lambda_n |u| + y . u, W; zero for greatest dissipation
  // What is judged: the largest rows without unit, of places in parts of the unit of length, of motion in
  // parts of the pace, which is what the fastest body covers in the step.
  Scalar places = 0, pace = 0;
};

template <class Scalar, int Dim>
struct ContactReport {
  contact::Mode mode = contact::Mode::open;
  bool near = false;  // near enough to be part of the step; the rest of this is set only then
  Scalar gap = 0;     // m, at the end of the step
  math::Vector<Scalar, Dim> force = math::Vector<Scalar, Dim>::Zero();  // N: n, t (, o), acts on b
  Scalar torsion = 0;                                                   // N m about n, acts on b
  math::Vector<Scalar, Dim> point = math::Vector<Scalar, Dim>::Zero();  // on b, world, m
  math::Vector<Scalar, Dim> normal = math::Vector<Scalar, Dim>::Zero(),
                            tangent = math::Vector<Scalar, Dim>::Zero();
};

template <class Scalar, int Dim, Capacity C>
struct Report {
  Status status = Status::bad_input;
  int iterations = 0;  // linear systems
  int attempts = 0;
  Certificate<Scalar> certificate;
  std::array<ContactReport<Scalar, Dim>, static_cast<std::size_t>(C.contacts)> contact;
};

template <class Scalar, int Dim, Capacity C>
struct Workspace {
  static constexpr int kUnknowns = unknowns<Dim>(C);
  template <class T, int N>
  using Array = std::array<T, static_cast<std::size_t>(N)>;

  // What Newton's method moves.
  struct Iterate {
    Array<dynamics::Motion<Scalar, Dim>, C.bodies> velocity;
    Array<geometry::ClosestPoints<Scalar, Dim>, C.contacts> closest;
    Array<Force<Scalar, Dim>, C.contacts> lambda;
  };
  Iterate now;
  Array<dynamics::Motion<Scalar, Dim>, C.bodies> free;  // nu + h M^-1 f
  Array<dynamics::SpinMatrix<Scalar, Dim>, C.bodies> inverse_inertia;
  Array<dynamics::Pose<Scalar, Dim>, C.bodies> pose;        // q' of `now`
  Array<dynamics::Motion<Scalar, Dim>, C.bodies> velocity;  // nu' of `now`
  Array<dynamics::Frame<Scalar, Dim>, C.bodies> frame;
  Scalar bend = 0;  // of flat faces: 0, or `bent` is used
  Array<geometry::Surface<Scalar, Dim, C.pieces>, (C.pieces > 1 ? C.bodies : 0)> bent;
  Array<bool, C.contacts> near;
  Scalar pace = 1;  // in units of length a step
  Array<Scalar, kUnknowns * kUnknowns> J;
  Array<Scalar, kUnknowns> row, x;
  Array<std::int16_t, kUnknowns> pivot, column;
  struct {
    Array<int, C.contacts> closest, force;
    int motion, count;
  } layout;  // first unknown of each kind
};

}  // namespace tactus::stepper::implicit
