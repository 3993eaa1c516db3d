// The laws of impacts, and what is chosen of them: contact/impact.hpp solves them.
#pragma once

#include <cstdint>

namespace tactus::contact {

enum class ImpactLaw : std::uint8_t {
  of_scene,   // that of all contacts which have none of their own
  poisson,    // gives back the share e of the normal impulse of compression, with friction of its own
  moreau,     // (1 + e) times the impulse of compression: what friction stopped turns back, too
  newton,     // what closes at s_n ends at -e s_n
  energetic,  // poisson's, and no more energy than e^2 of what the normal forces of compression took
  end
};

// What each can gain or lose, beside that none gains energy.
constexpr const char* balance_of(ImpactLaw law) {
  switch (law) {
    case ImpactLaw::moreau:
      return "what friction stops turns back by e, as on rubber; e = 1 loses nothing";
    case ImpactLaw::newton:
      return "where friction would gain energy it rebounds less than e";
    case ImpactLaw::energetic:
      return "keeps at most e^2 of the work of the normal forces; friction loses more";
    default:
      return "with e = 1 and no friction it loses nothing, friction always loses";
  }
}

}  // namespace tactus::contact
