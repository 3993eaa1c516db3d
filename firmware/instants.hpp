// The forces of an instant behind the messages (tactus/stepper/instant.hpp): a State in, an INSTANT out.
//
// A clock ends it as it ends a step, and it is no part of a tick. All memory is a room that whoever asks
// gives it; nothing in it is kept.
#pragma once

#include <messages.pb.h>

#include <algorithm>
#include <cstddef>
#include <new>

#include "firmware/contact_law.hpp"
#include "firmware/convert.hpp"
#include "tactus/contact/acceleration_cone.hpp"
#include "tactus/contact/acceleration_pyramid.hpp"
#include "tactus/contact/plane_answers.hpp"
#include "tactus/stepper/instant.hpp"

namespace tactus::firmware {

#ifdef TACTUS_WITHOUT_INSTANTS
inline constexpr bool kHasInstants = false;
#else
inline constexpr bool kHasInstants = true;
#endif

inline constexpr int kInstantContacts =
    sizeof(tactus_wire_Instant::contacts) / sizeof(tactus_wire_InstantContact);
inline constexpr contact::acceleration::Budget kInstantPivots{.lemke = 500, .search = 20'000};

template <int Dim, stepper::Capacity C>
struct InstantMemory {
  stepper::InstantScratch<float, Dim, C> scratch;
  stepper::InstantProblem<float, Dim, kInstantContacts> problem;
  contact::acceleration::PyramidWorkspace<float, Dim, kInstantContacts> pyramid;
  contact::acceleration::ConeWorkspace<float, Dim, kInstantContacts> cone;
};

// For either space, one at a time.
class InstantRoom {
 public:
  template <class Memory>
  Memory& make() {
    static_assert(sizeof(Memory) <= sizeof bytes_ && alignof(Memory) <= kAlign);
    return *new (bytes_) Memory;
  }

 private:
  using Plane = InstantMemory<2, capacity<2>()>;
  using Space = InstantMemory<3, capacity<3>()>;
  static constexpr std::size_t kSize = std::max(sizeof(Plane), sizeof(Space));
  static constexpr std::size_t kAlign = std::max(alignof(Plane), alignof(Space));
  alignas(kHasInstants ? kAlign : 1) std::byte bytes_[kHasInstants ? kSize : 1];
};

namespace detail {

template <int Dim>
bool all_slide(const contact::acceleration::Problem<float, Dim>& p) {
  bool all = true;
  for (int i = 0; i < p.count(); ++i) all = all && p.slides(i);
  return all;
}

// Whether other accelerations obey every law as well: up to four contacts in the plane.
template <int Dim, Clock Time>
tactus_wire_Uniqueness uniqueness(const contact::acceleration::Problem<float, Dim>& p, Time& clock) {
  if constexpr (Dim == 2) {
    using Answers = contact::PlaneAnswers<float>;
    if (p.count() > Answers::kMost) return tactus_wire_Uniqueness_UNIQUENESS_UNKNOWN;
    bool known[Answers::kMost];
    for (int i = 0; i < p.count(); ++i) known[i] = p.slides(i);
    const int found = Answers(p.contact, known, p.velocity).count(clock);
    if (found > 1) return tactus_wire_Uniqueness_AMBIGUOUS;
    if (found == 1 && clock.go_on(Piece::small, 1, 1)) return tactus_wire_Uniqueness_UNIQUE;
  }
  return tactus_wire_Uniqueness_UNIQUENESS_UNKNOWN;
}

template <int Dim, class Problem>
void write_contact(const Problem& from, const contact::acceleration::Problem<float, Dim>& p, const float* c,
                   const float* a, int i, tactus_wire_InstantContact& to) {
  using stepper::InstantKind;
  const auto& one = from.contact[static_cast<std::size_t>(i)];
  to.kind = static_cast<tactus_wire_InstantKind>(one.kind);
  to.number = static_cast<std::uint32_t>(one.number);
  to.gap = one.gap;
  const bool is_contact = one.kind == InstantKind::contact;
  to.velocity_count = one.kind == InstantKind::rub ? 0 : is_contact ? Dim : 1;
  for (int k = 0; k < to.velocity_count; ++k) to.velocity[k] = one.velocity[k];
  const int first = i * Dim + (one.kind == InstantKind::rub ? 1 : 0);
  to.force_count = to.acceleration_count = is_contact ? Dim : 1;
  for (int k = 0; k < to.force_count; ++k) {
    to.force[k] = c[first + k];
    to.acceleration[k] = a[first + k];
  }
  to.becomes = static_cast<tactus_wire_Becomes>(becomes(p, sizes_of(p, c), c, a, i));
}

}  // namespace detail

// Of a law with rows, where it stands in `state`.
template <class Law, Clock Time>
Error tell_instant(Law& law, const typename Law::State& state, InstantRoom& room, tactus_wire_Instant& out,
                   Time& clock) {
  namespace acceleration = contact::acceleration;
  constexpr int Dim = Law::kDim;
  auto& memory = room.make<InstantMemory<Dim, Law::kCapacity>>();
  if (const Error error = stepper::instant(law.model(), state, law.workspace(), memory.scratch,
                                           stepper::kFloatState, memory.problem))
    return error;
  const auto p = memory.problem.problem();
  auto answer = solve_pyramid(p, memory.pyramid, kInstantPivots, clock);
  out.pivots = static_cast<std::uint32_t>(answer.pivots);
  const float *c = memory.pyramid.c.data(), *a = memory.pyramid.a.data();
  if (Dim == 3 && !detail::all_slide(p)) {
    auto& cone = memory.cone;
    for (int r = 0; r < p.contact.rows() && answer.status == acceleration::Status::solved; ++r)
      cone.c[static_cast<std::size_t>(r)] = c[r];
    answer = solve_cone(p, cone, {}, clock);
    out.pivots += static_cast<std::uint32_t>(answer.pivots);
    c = cone.c.data();
    a = cone.a.data();
  }
  out.status = answer.status == acceleration::Status::solved ? tactus_wire_InstantStatus_INSTANT_SOLVED
               : answer.status == acceleration::Status::none ? tactus_wire_InstantStatus_INSTANT_NONE
                                                             : tactus_wire_InstantStatus_INSTANT_UNDECIDED;
  out.residual = answer.residual;
  if (answer.status != acceleration::Status::solved) return {};
  out.contacts_count = static_cast<pb_size_t>(p.count());
  for (int i = 0; i < p.count(); ++i) detail::write_contact(memory.problem, p, c, a, i, out.contacts[i]);
  out.uniqueness = detail::uniqueness(p, clock);
  return {};
}

}  // namespace tactus::firmware
