// `tactus accel SCENE --at T --board BOARD`: the instant of a scene, as a board tells it. The plant runs on
// the host; the board gets the state one step before T, predicts, and is asked at T. Contacts are rigid
// there, as they are in the host's own instants.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "hil_loop.hpp"
#include "hil_messages.hpp"
#include "input_error.hpp"
#include "sampled_scene.hpp"
#include "scene_instant.hpp"
#include "scene_reader.hpp"

namespace tactus::host {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint32_t kBeatsOfATick = 25;  // the most: the step before the instant is to be predicted

Json contact_json(const Scene& scene, const wire::InstantContact& from) {
  const char* const kinds[] = {"between", "stop", "joint"};
  const char* const becomes[] = {"breaks", "rolls", "slides"};
  const char* const axes[] = {"n", "t", "o"};
  Json to;
  const bool contact = from.kind() == wire::INSTANT_CONTACT;
  to[kinds[from.kind()]] = contact ? scene.contacts[from.number()].name() : joint_name(scene, from.number());
  if (from.kind() != wire::INSTANT_RUB) to["gap"] = from.gap();
  const auto list = [&](const char* what, const auto& values) {
    for (int k = 0; k < values.size(); ++k)
      to[contact ? fmt::format("{}_{}", what, axes[k]) : std::string(what)] = values[k];
  };
  list("v", from.velocity());
  list("c", from.force());
  list("a", from.acceleration());
  to["becomes"] = becomes[from.becomes()];
  return to;
}

Json answer_json(const Scene& scene, double time, const wire::Instant& from, const wire::Hello& hello) {
  const char* const status[] = {"refused", "solved", "none", "undecided"};
  Json to{{"name", scene.name}, {"board", hello.board()}, {"time", time}, {"status", status[from.status()]}};
  if (from.status() == wire::INSTANT_SOLVED) {
    to["contacts"] = Json::array();
    for (const auto& contact : from.contacts()) to["contacts"].push_back(contact_json(scene, contact));
    to["residual"] = from.residual();
    const bool known = from.uniqueness() != wire::UNIQUENESS_UNKNOWN;
    to["ambiguous"] = known ? Json(from.uniqueness() == wire::AMBIGUOUS) : Json(nullptr);
  }
  to["impulse"] = from.status() == wire::INSTANT_NONE;
  to["pivots"] = from.pivots();
  to["counts"] = from.counts();
  return to;
}

}  // namespace

int ask_board(const AccelOptions& options) {
  const Scene scene = read_scene(options.file);
  demand_instant(scene);
  const Sampled sampled = run_to(scene, *options.at, false);
  HilOptions hil;
  hil.board = options.board;
  hil.port = options.port;
  const auto board = HilLoop::connect(hil);
  const bool moved = sampled.steps > 0;
  const StepSample& first = moved ? sampled.before : sampled.now;
  const Scene rigid = at_sample(scene, first);
  wire::Configure configuration = configure_message(rigid, 1, wire::LOCKSTEP);
  configuration.set_beats_per_tick(kBeatsOfATick);
  demand_accepted(scene, board->configure(configuration), board->hello().board());
  if (moved) board->step(state_message(rigid, first, {sampled.time - scene.step, scene.step, 1}, 1));
  const wire::Instant answer = board->instant(state_message(rigid, sampled.now, {sampled.time, 0, 1}, 2));
  if (answer.status() == wire::INSTANT_REFUSED)
    throw Unsupported(fmt::format("{}: {} refuses: {}", scene.file, board->hello().board(), answer.reason()));
  std::puts(answer_json(scene, sampled.time, answer, board->hello()).dump().c_str());
  return answer.status() == wire::INSTANT_UNDECIDED ? kExitRunFailed : kExitOk;
}

}  // namespace tactus::host
