// What a step says of itself.
#pragma once

#include <array>
#include <cstdint>

#include "tactus/contact/problem.hpp"
#include "tactus/dynamics/drift.hpp"
#include "tactus/lcp/problem.hpp"
#include "tactus/stepper/outputs.hpp"

namespace tactus::stepper {

enum class StepStatus : std::uint8_t {
  solved,    // the answer is certified and the state is advanced
  degraded,  // the state is advanced by the best answer there is, which is not certified, lacks elements for
             // want of room, or leaves jammed bodies in each other
  failed     // no answer; the state is as it was
};

// Why a step is not `solved`.
enum class StepReason : std::uint8_t {
  none,
  pivot_limit,     // the budget was spent or the certificate did not hold
  jam,             // rows contradict each other, checked: bodies that penetrate cannot be pushed apart
  room,            // more elements could touch than the capacity holds; those found last were left out
  not_configured,  // no step was set
  bad_state,       // a pose, velocity or force is not finite
  no_digits,       // the forces of the step are so large that rounding hides whether it is right
  not_finite,      // the answer is not finite; the state is as it was
  too_fast,        // a body would turn by more than dynamics::kMostTurn
  out_of_time,     // the clock ended the step before it was solved; the state is as it was
  impacts          // more impacts than a step may have, or one that is not certified: energy may be lost
};

constexpr const char* sentence(StepReason reason) {
  switch (reason) {
    case StepReason::none:
      return "The step is solved and certified.";
    case StepReason::pivot_limit:
      return "No certified answer was found within the pivot budget; the best one so far, if any, is used.";
    case StepReason::jam:
      return "The bodies are jammed: their contacts and joints ask for velocities that contradict each "
             "other, whatever the forces; the bodies stay in each other.";
    case StepReason::room:
      return "More contact elements could touch than this world was compiled for; some were left out.";
    case StepReason::not_configured:
      return "The world has no time step: call configure first.";
    case StepReason::bad_state:
      return "A pose, a velocity or a force of the state is not a finite number.";
    case StepReason::no_digits:
      return "The forces of the step cancel each other to more digits than numbers of this precision have.";
    case StepReason::not_finite:
      return "The step has no finite answer.";
    case StepReason::too_fast:
      return dynamics::kTooFast;
    case StepReason::out_of_time:
      return "The clock ended the step before it was solved.";
    case StepReason::impacts:
      return "More impacts follow each other within the step than it may have, or one of them is not "
             "certified: what is left of them is stopped without a rebound.";
  }
  return "Unknown reason.";
}

// Joules over the step. With nu_m = (nu + nu*) / 2, nu* the velocities that kick and contacts give, every
// share is exact for the scheme, and the drift changes nothing: change = applied + contact + joint +
// rounding. Of -contact the patches store what `elastic` has grown by; the rest is dissipated.
template <class Scalar>
struct EnergyBalance {
  Scalar kinetic = 0;  // after the step
  Scalar change = 0;   // of the kinetic energy
  Scalar applied = 0;  // work of gravity and applied forces
  Scalar contact =
      0;  // work of the contact forces on the bodies: negative is dissipated, or stored in the patches
  Scalar joint = 0;    // work of the joints (not zero where they take back a position error)
  Scalar free = 0;     // what the drift does: rounding
  Scalar elastic = 0;  // in the patches after the step
  Scalar error() const { return ((change - applied) - contact) - joint; }
};

// One pair: the forces are summed over its elements, each in its own frame (n, t, o), and act on b.
template <class Scalar, int Dim, bool kPoint = false>
struct ContactReport {
  contact::Mode mode = contact::Mode::open;  // that of the element that slips most; open only if all are
  Scalar margin = 0;                         // of that element, see contact::Outcome
  Scalar gap = 0;  // smallest of the elements found, m, at the start of the step, under the implicit law at
                   // its end; only where elements > 0
  math::Vector<Scalar, Dim> force = math::Vector<Scalar, Dim>::Zero();  // N
  int elements = 0;  // found near enough to touch within the step
};

// In a world that has the implicit law: also where a pair touches, in one point. Set only under that law,
// where elements > 0.
template <class Scalar, int Dim>
struct ContactReport<Scalar, Dim, true> : ContactReport<Scalar, Dim, false> {
  Scalar torsion = 0;                                                   // N m about n, acts on b
  math::Vector<Scalar, Dim> point = math::Vector<Scalar, Dim>::Zero();  // on b, world, m
  math::Vector<Scalar, Dim> normal = math::Vector<Scalar, Dim>::Zero(),
                            tangent = math::Vector<Scalar, Dim>::Zero();
};

template <class Scalar, int Dim, Capacity C>
struct StepReport {
  StepStatus status = StepStatus::failed;
  StepReason reason = StepReason::not_configured;
  bool warm = false;     // the last step's modes led to the answer: no path, no pivot
  bool several = false;  // Method::seek_second: another motion obeys the laws as well, see several.hpp
  int tries = 0;       // linear systems of the guess in one island at most, 0 to kTries; starts of `implicit`
  int after_path = 0;  // and from the modes of the path on, 0 to kTriesAfterPath
  std::uint16_t elements = 0;
  std::uint16_t impacts = 0;             // within the step, of contacts with a restitution and beside them
  int pivots = 0;                        // flips of the paths; linear systems of the implicit law
  lcp::Certificate<Scalar> certificate;  // of the solve: least lambda_n and s_n, largest breach of any law
  Scalar residual = 0;                   // of the whole step, as a share of its data: see certify.hpp
  Scalar rounding = 0;                   // what the sums of momentum may have lost, likewise; not in residual
  Scalar facet_error = 0;  // bound of the relative shortfall of friction against the cone; 0 where friction
                           // opposes the slip, and of Pyramid::box, of which it says nothing
  Scalar lift = 0;  // FrictionLaw::relaxed_cone: the largest gap at which a contact is held though it is not
                    // there, h mu v_T, m
  EnergyBalance<Scalar> energy;
  std::array<ContactReport<Scalar, Dim, (C.pieces > 0)>, static_cast<std::size_t>(C.contacts)> contact;
};

}  // namespace tactus::stepper
