// The engines of an image, one for each law and space, in one place: CONFIGURE chooses which one is there.
#pragma once

#include <variant>

#include "firmware/contact_law.hpp"
#include "firmware/engine.hpp"

namespace tactus::firmware {

template <int Dim>
using ImplicitLaw = ContactLaw<Dim, implicit_capacity<Dim>()>;

class Engines {
 public:
  // After a refusal nothing is configured.
  template <Clock Time>
  Error configure(const tactus_wire_Configure& m, Time& clock) {
    if (!has_law(m.law)) {
      clear();
      return What::no_law;
    }
    if constexpr (kHasImplicit)
      if (m.law == tactus_wire_Law_IMPLICIT)
        return m.plane ? begin<ImplicitLaw<2>>(m, clock) : begin<ImplicitLaw<3>>(m, clock);
    return m.plane ? begin<ContactLaw<2>>(m, clock) : begin<ContactLaw<3>>(m, clock);
  }

  bool take(const tactus_wire_State& m) {
    return visit([&](auto& engine) { return engine.take(m); });
  }

  template <Clock Time>
  void predict(tactus_wire_Prediction& out, Time& clock) {
    visit([&](auto& engine) { return engine.predict(out, clock), true; });
  }

  // See Engine::try_steps().
  template <class Begin, class Within, Clock Time>
  bool try_steps(int steps, const Begin& begin_step, const Within& within, Time& clock) {
    return visit([&](auto& engine) { return engine.try_steps(steps, begin_step, within, clock); });
  }
  // See Engine::try_first().
  template <Clock Time>
  bool try_first(Time& clock) {
    return visit([&](auto& engine) { return engine.try_first(clock); });
  }
  // See Engine::instant().
  template <Clock Time>
  Error instant(const tactus_wire_State& m, bool follows, InstantRoom& room, tactus_wire_Instant& out,
                Time& clock) {
    Error error;
    visit([&](auto& engine) { return error = engine.instant(m, follows, room, out, clock), true; });
    return error;
  }
  Sizes sizes() {
    Sizes found;
    visit([&found](const auto& engine) { return found = engine.sizes(), true; });
    return found;
  }
  void clear() { engine_.emplace<Engine<ContactLaw<2>>>(); }

  bool configured() {
    return visit([](auto& engine) { return engine.configured(); });
  }

 private:
  template <class Law, Clock Time>
  Error begin(const tactus_wire_Configure& m, Time& clock) {
    return engine_.template emplace<Engine<Law>>().configure(m, clock);
  }

  template <class Law, class Act>
  bool act_on(const Act& act, bool& result) {
    auto* const engine = std::get_if<Engine<Law>>(&engine_);
    if (engine != nullptr) result = act(*engine);
    return engine != nullptr;
  }

  // std::visit would throw.
  template <class Act>
  bool visit(const Act& act) {
    bool result = false;
    if constexpr (kHasImplicit)
      if (act_on<ImplicitLaw<2>>(act, result) || act_on<ImplicitLaw<3>>(act, result)) return result;
    if (!act_on<ContactLaw<2>>(act, result)) act_on<ContactLaw<3>>(act, result);
    return result;
  }

  using Contacts = std::variant<Engine<ContactLaw<2>>, Engine<ContactLaw<3>>>;
  using All = std::variant<Engine<ContactLaw<2>>, Engine<ContactLaw<3>>, Engine<ImplicitLaw<2>>,
                           Engine<ImplicitLaw<3>>>;
  std::conditional_t<kHasImplicit, All, Contacts> engine_;
};

}  // namespace tactus::firmware
