// What stands beside W nu in the normal row of an element, whatever its law.
#pragma once

#include <cstdint>

namespace tactus::stepper {

// What stands in the normal row beside the speed s_n.
enum class NormalRule : std::uint8_t {
  gap,     // s_n + (Psi + delta_n) / h >= 0; restitution as below. It lands on time and takes back drift
  song,    // s_n >= 0, as printed in Song 2004 (13) and (14): once apart, a body hangs where it turned back
  stewart  // n . (v' + e v) >= 0 where the gap after h v is negative, else no contact: Stewart 2000 (2.13) as
           // printed
};

// Adds it to c; `gap` with the deformation, `next_gap` after h v, m. False where there is no contact. A gap
// below zero is taken back within the step, but no faster than Method::recovery_speed.
template <class Model, class Scalar>
inline bool add_gap(const Model& m, Scalar gap, Scalar next_gap, Scalar& c) {
  const NormalRule rule = m.normal_rule();
  if (rule == NormalRule::stewart && !(next_gap < 0)) return false;
  if (rule == NormalRule::gap) {
    const Scalar drift = gap / m.h;
    c += drift < -m.recovery ? -m.recovery : drift;
  }
  return true;
}

}  // namespace tactus::stepper
