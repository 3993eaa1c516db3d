#include "accel_verdicts.hpp"

#include <cmath>

namespace tactus::host {
namespace {

using Json = nlohmann::ordered_json;

const char* source_of(const std::string& condition) {
  if (condition == "(35)") return "Pang-Trinkle 1996 (35), Theorems 4 to 6";
  if (condition == "(36)") return "Pang-Trinkle 1996 (36)";
  if (condition == "mu-bar") return "Song 2004 Theorem 2, mu-bar";
  return "copositive: friction cannot push a contact in (for one contact Erdmann 1994)";
}

Json verdict_json(Condition::Verdict verdict) {
  if (verdict == Condition::Verdict::undecided) return nullptr;
  return verdict == Condition::Verdict::holds;
}

Json modes_json(const InstantProblem& p, const Solution& solution) {
  Json out = Json::array();
  for (int i = 0; i < p.contacts(); ++i)
    out.push_back(word(p, i, solution.modes[static_cast<std::size_t>(i)]));
  return out;
}

}  // namespace

void put_rows(Json& out, const std::string& letter, int dim, const Eigen::VectorXd& x) {
  const char* const axis[] = {"_n", "_t", "_o"};
  for (int k = 0; k < dim; ++k) {
    Json list = Json::array();
    for (Eigen::Index r = k; r < x.size(); r += dim) list.push_back(x[r]);
    out[letter + axis[k]] = list;
  }
}

Json existence_json(const InstantProblem& p, const Existence& existence) {
  Json out;
  out["guaranteed"] = existence.guaranteed;
  out["by"] = existence.guaranteed ? Json(source_of(existence.by)) : Json(nullptr);
  out["violated_by"] = nullptr;
  if (!existence.violated_by.empty()) {
    Json forces{{"condition", existence.violated_by}};
    put_rows(forces, "c", p.dim, existence.condition(existence.violated_by).c);
    out["violated_by"] = forces;
  }
  out["impossible"] = existence.impossible;
  out["unique"] = existence.unique;
  out["mu_bar"] = existence.mu_bar;
  Json conditions = Json::object(), can = Json::array(), from = Json::array();
  for (const Condition& c : existence.conditions) conditions[c.name] = verdict_json(c.verdict);
  for (const Jam& jam : existence.jam) {
    can.push_back(jam.can);
    from.push_back(jam.mu ? Json(*jam.mu) : Json(nullptr));
  }
  out["conditions"] = conditions;
  out["can_jam"] = can;
  out["jams_from_mu"] = from;
  return out;
}

Json solutions_json(const InstantProblem& p, const Solutions& solutions) {
  Json out;
  out["different"] = solutions.different.size();
  out["all"] = solutions.all;
  out["sets"] = solutions.sets;
  out["continuum"] = solutions.continuum;
  if (solutions.different.size() == 1) out["modes"] = modes_json(p, solutions.different.front());
  if (solutions.different.size() < 2) return out;
  Json list = Json::array();
  for (const Solution& solution : solutions.different) {
    Json one;
    put_rows(one, "c", p.dim, solution.c);
    put_rows(one, "a", p.dim, solution.a);
    one["modes"] = modes_json(p, solution);
    one["set"] = solution.set;
    list.push_back(one);
  }
  out["list"] = list;
  return out;
}

}  // namespace tactus::host
