// What `tactus accel` says of a contact problem beside one answer: its existence and its solutions, as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "existence.hpp"
#include "solutions.hpp"

namespace tactus::host {

// {"guaranteed", "by", "violated_by", ...}: host_sim/README.md.
nlohmann::ordered_json existence_json(const InstantProblem& p, const Existence& existence);

// {"different", "all", "sets", "continuum"}, and a "list" of forces, accelerations and modes where there is
// more than one, or the modes of the one.
nlohmann::ordered_json solutions_json(const InstantProblem& p, const Solutions& solutions);

// "c_n": [..], "c_t": [..] (, "c_o") of `letter` c.
void put_rows(nlohmann::ordered_json& out, const std::string& letter, int dim, const Eigen::VectorXd& x);

}  // namespace tactus::host
