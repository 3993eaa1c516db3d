// The engines of an image, one for each law and space, in one place: CONFIGURE chooses which one is there.
#pragma once

#include <variant>

#include "firmware/contact_law.hpp"
#include "firmware/engine.hpp"
#include "firmware/implicit_law.hpp"

namespace tactus::firmware {

class Engines {
 public:
  // After a refusal nothing is configured.
  Refusal configure(const tactus_wire_Configure& m) {
    if (!has_law(m.law)) {
      clear();
      return {"This board's image was built without this law: HELLO names those that it has."};
    }
    if constexpr (kHasImplicit)
      if (m.law == tactus_wire_Law_IMPLICIT)
        return m.plane ? begin<ImplicitLaw<2>>(m) : begin<ImplicitLaw<3>>(m);
    return m.plane ? begin<ContactLaw<2>>(m) : begin<ContactLaw<3>>(m);
  }

  bool take(const tactus_wire_State& m) {
    return visit([&](auto& engine) { return engine.take(m); });
  }

  void predict(tactus_wire_Prediction& out) {
    visit([&](auto& engine) { return engine.predict(out), true; });
  }

  // See Engine::try_step().
  bool try_step(bool first) {
    return visit([&](auto& engine) { return engine.try_step(first); });
  }
  void clear() { engine_.emplace<Engine<ContactLaw<2>>>(); }

  bool configured() {
    return visit([](auto& engine) { return engine.configured(); });
  }

 private:
  template <class Law>
  Refusal begin(const tactus_wire_Configure& m) {
    return engine_.template emplace<Engine<Law>>().configure(m);
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
