#include "accel_scene.hpp"

#include "accel_verdicts.hpp"

namespace tactus::host {
namespace {

using Json = nlohmann::ordered_json;

// The step that begins where the instant is: each contact rolls, for friction opposes the slip at its end.
Json step_json(const SceneInstant& scene) {
  const InstantProblem& p = *scene.step;
  const Solutions every = every_solution(p);
  Json out;
  out["contacts"] = scene.in_step;
  out["ambiguous"] = every.sought ? Json(every.different.size() > 1 || every.continuum) : Json(nullptr);
  out["solutions"] = every.sought ? solutions_json(p, every) : Json{{"all", false}};
  out["existence"] = existence_json(p, check_existence(p));
  return out;
}

}  // namespace

void say_scene(const SceneInstant& scene, int dim, nlohmann::ordered_json& out) {
  out["time"] = scene.time;
  Json list = Json::array();
  const char* const speed[] = {"v_n", "v_t", "v_o"};
  for (const Touching& touch : scene.contacts) {
    if (touch.kind == Touching::Kind::joint) {
      list.push_back({{"joint", touch.pair}, {"friction", touch.friction}});
      continue;
    }
    const bool contact = touch.kind == Touching::Kind::contact;
    Json one{{contact ? "between" : "stop", touch.pair}, {"gap", touch.gap}};
    for (std::size_t k = 0; k < static_cast<std::size_t>(contact ? dim : 1); ++k)
      one[speed[k]] = touch.velocity[k];
    list.push_back(one);
  }
  out["contacts"] = list;
  out["step"] = scene.step ? step_json(scene) : Json(nullptr);
}

}  // namespace tactus::host
