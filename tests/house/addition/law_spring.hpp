// A spring of k (N/m) and a damper of d (N s/m) in the normal of a point, which keep no deformation:
//
//     lambda_n = -k (gap + h v'_n) - d v'_n,   so   R = 1 / (h k + d) and c = k gap / (h k + d) in that row
#pragma once

#include "tactus/stepper/capacity.hpp"

namespace tactus::stepper {

struct SpringDamper {
  template <class Scalar>
  struct Numbers {
    Scalar stiffness = 0, damping = 0;
  };

  template <Capacity C>
  static constexpr bool kCompiled = true;
  static constexpr bool kExact = false, kRegular = false, kDeforms = false;

  template <class Contact>
  static constexpr bool holds(const Contact& contact) {
    return contact.stiffness > 0;
  }

  template <class Candidate, class Scalar>
  static bool add_offset(const Candidate& at, Scalar& c) {
    c += at.contact.stiffness * at.gap / impedance(at.m, at.contact);
    return true;
  }

  template <class Model, class Contact, class Scalar, int N>
  static const Scalar* R(const Model& m, const Contact& contact, Scalar (&own)[N]) {
    for (Scalar& r : own) r = 0;
    own[0] = 1 / impedance(m, contact);
    return own;
  }

 private:
  template <class Model, class Contact>
  static auto impedance(const Model& m, const Contact& contact) {
    return m.h * contact.stiffness + contact.damping;
  }
};

}  // namespace tactus::stepper
