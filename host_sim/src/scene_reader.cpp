#include "scene_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "json_file.hpp"
#include "scene_parts.hpp"
#include "tactus/dynamics/drift.hpp"

namespace tactus::host {
namespace {

using Names = std::map<std::string, int>;

template <class Enum>
struct Word {
  const char* text;
  Enum value;
};

template <class Enum, std::size_t N>
Enum read_word(const JsonNode& node, const Word<Enum> (&words)[N]) {
  const std::string text = node.string();
  std::string known;
  for (const auto& word : words) {
    if (text == word.text) return word.value;
    known += known.empty() ? word.text : std::string(", ") + word.text;
  }
  node.fail(fmt::format("\"{}\" is not one of {}", text, known));
}

void capacity(const JsonNode& list, int most) {
  if (list.size() > static_cast<std::size_t>(most)) {
    list.fail(fmt::format("{} are over this build's capacity of {}", list.size(), most));
  }
}

void add_name(const JsonNode& node, const std::string& name, int index, Names& names) {
  if (!names.emplace(name, index).second) node.fail(fmt::format("the name \"{}\" is taken", name));
}

std::array<int, 2> read_pair(const JsonNode& node, const Names& names, std::array<std::string, 2>* texts) {
  node.length(2, "two names");
  std::array<int, 2> pair{};
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string name = node.item(i).string();
    const auto it = names.find(name);
    if (it == names.end()) node.item(i).fail(fmt::format("there is no body \"{}\"", name));
    pair[i] = it->second;
    if (texts) (*texts)[i] = name;
  }
  if (pair[0] == pair[1]) node.fail("the two must differ");
  return pair;
}

// The arm of a tip and the joint that carries it.
std::pair<std::size_t, int> carrier(const Scene& scene, int body) {
  auto tip = static_cast<std::size_t>(-1 - body);
  std::size_t arm = 0;
  for (; tip >= scene.arms[arm].tips.size(); ++arm) tip -= scene.arms[arm].tips.size();
  return {arm, scene.arms[arm].tips[tip].joint};
}

// Whether a contact gives way: it says so, or else the scene's method does. Under a cone a patch is enough.
bool is_compliant(const JsonNode& node, const Scene& scene, bool has_patch) {
  static constexpr Word<bool> kLaws[] = {{"rigid", false}, {"compliant", true}};
  const auto law = node.find("law");
  if (!law) return scene.method == Method::compliant || (scene.method == Method::cone && has_patch);
  if (scene.method == Method::implicit) law->fail("the implicit law is that of the whole scene");
  return read_word(*law, kLaws);
}

// Where the second body touches, in its frame, whatever its shape is.
void read_points(const JsonNode& node, const Scene& scene, ContactPair& pair) {
  const bool floor =
      pair.body[0] >= 0 && scene.bodies[static_cast<std::size_t>(pair.body[0])].shape.is_half_space();
  if (scene.method == Method::implicit) node.fail("the implicit law finds its own");
  if (!floor) node.fail("only where the first body is a halfspace");
  capacity(node, kMaxPoints);
  if (node.size() == 0) node.fail("must not be empty");
  for (const JsonNode& point : node.items()) {
    const auto at = point.numbers(scene.plane ? 2 : 3, "a point in the frame of the second body");
    std::copy(at.begin(), at.end(), pair.points.emplace_back().begin());
  }
}

contact::ImpactLaw read_impact_law(const JsonNode& node) {
  using contact::ImpactLaw;
  static constexpr Word<ImpactLaw> kLaws[] = {{"poisson", ImpactLaw::poisson},
                                              {"moreau", ImpactLaw::moreau},
                                              {"newton", ImpactLaw::newton},
                                              {"energetic", ImpactLaw::energetic}};
  return read_word(node, kLaws);
}

// Of the whole scene.
void read_impact(const JsonNode& node, Scene& scene) {
  if (scene.method == Method::implicit) node.fail("the implicit law is inelastic");
  node.only({"law", "order"});
  if (const auto law = node.find("law")) scene.impact = read_impact_law(*law);
  static constexpr Word<bool> kOrders[] = {{"in_turn", false}, {"together", true}};
  if (const auto order = node.find("order")) scene.impacts_together = read_word(*order, kOrders);
}

// Whether the elastic one of the two is the first.
bool read_elastic(const JsonNode& node, const ContactPair& pair) {
  if (!pair.patch) node.fail("only a contact with a \"patch\" has an elastic body");
  const std::string name = node.string();
  if (name != pair.between[0] && name != pair.between[1])
    node.fail(fmt::format("\"{}\" is not one of the two", name));
  return name == pair.between[0];
}

ContactPair read_contact(const JsonNode& node, const Scene& scene, const Names& names) {
  node.only({"between", "law", "mu", "restitution", "impact", "ellipsoid", "patch", "elastic", "points"});
  ContactPair pair;
  pair.body = read_pair(node.at("between"), names, &pair.between);
  const auto fixed = [&](int i) { return i >= 0 && !scene.moving(static_cast<std::size_t>(i)); };
  if (fixed(pair.body[0]) && fixed(pair.body[1])) node.fail_at("between", "both are fixed");
  if (pair.body[0] < 0 && pair.body[1] < 0 && carrier(scene, pair.body[0]) == carrier(scene, pair.body[1]))
    node.fail_at("between", "one joint carries both: they never move against each other");
  pair.mu = read_friction(node.at("mu"));
  if (const auto restitution = node.find("restitution")) pair.restitution = restitution->within(0, 1);
  if (const auto impact = node.find("impact")) {
    if (scene.method == Method::implicit) impact->fail("the implicit law is inelastic");
    if (node.find("patch")) impact->fail("a compliant contact has none: its damping says how it rebounds");
    impact->only({"law"});
    pair.impact = read_impact_law(impact->at("law"));
  }
  if (const auto ellipsoid = node.find("ellipsoid")) {
    if (scene.plane) ellipsoid->fail("torsion is for spatial scenes (\"plane\": false)");
    pair.ellipsoid = ellipsoid->vector<3>("e_t, e_o, e_r");
    for (const JsonNode& axis : ellipsoid->items()) axis.positive();
  }
  const auto patch = node.find("patch");
  const bool compliant = is_compliant(node, scene, patch.has_value());
  if (patch && !compliant) patch->fail("only with \"law\": \"compliant\", or that \"method\"");
  if (!patch && compliant) node.fail_at("patch", "this key is missing (the law \"compliant\" needs it)");
  if (patch) pair.patch = read_patch(*patch, scene.plane);
  if (const auto elastic = node.find("elastic")) pair.first_is_elastic = read_elastic(*elastic, pair);
  if (const auto points = node.find("points")) read_points(*points, scene, pair);
  return pair;
}

// As it says, or as its pair; of joints of one pair the second is "A-B#2".
std::string name_joint(const JsonNode& node, const Scene& scene, const std::string& pair) {
  const auto taken = [&](const std::string& name) {
    return std::any_of(scene.joints.begin(), scene.joints.end(),
                       [&](const Joint& j) { return j.name == name; });
  };
  if (const auto given = node.find("name")) {
    const std::string name = given->name();
    if (taken(name)) given->fail(fmt::format("the name \"{}\" is taken", name));
    return name;
  }
  std::string name = pair;
  for (int k = 2; taken(name); ++k) name = fmt::format("{}#{}", pair, k);
  return name;
}

Joint read_joint(const JsonNode& node, const Scene& scene, const Names& names) {
  static constexpr Word<JointKind> kKinds[] = {{"spherical", JointKind::spherical},
                                               {"revolute", JointKind::revolute},
                                               {"prismatic", JointKind::prismatic},
                                               {"fixed", JointKind::fixed}};
  node.only({"name", "type", "between", "at", "axis"});
  Joint joint;
  joint.kind = read_word(node.at("type"), kKinds);
  std::array<std::string, 2> between;
  joint.body = read_pair(node.at("between"), names, &between);
  joint.name = name_joint(node, scene, between[0] + "-" + between[1]);
  for (std::size_t i = 0; i < 2; ++i) {
    if (joint.body[i] < 0) node.at("between").item(i).fail("a joint connects bodies, not the tips of arms");
  }
  const auto moving = [&](int i) { return scene.moving(static_cast<std::size_t>(i)); };
  if (!moving(joint.body[0]) && !moving(joint.body[1])) node.fail_at("between", "both are fixed");
  const std::size_t dimension = scene.plane ? 2 : 3;
  const auto at = node.at("at").numbers(dimension, "a point in the world frame");
  std::copy(at.begin(), at.end(), joint.at.begin());
  const bool needs_axis =
      joint.kind == JointKind::prismatic || (joint.kind == JointKind::revolute && !scene.plane);
  if (needs_axis) {
    joint.axis = read_unit(node.at("axis"), dimension);
  } else if (const auto axis = node.find("axis")) {
    axis->fail("this joint has no axis");
  }
  return joint;
}

void read_time(const JsonNode& node, Scene& scene) {
  node.only({"step", "end"});
  scene.step = node.at("step").positive();
  scene.end = node.at("end").positive();
  if (scene.end < scene.step) node.fail_at("end", "must not be before the end of the first step");
  if (scene.end / scene.step > kMaxSteps) {
    node.fail_at("step", fmt::format("{:.3g} steps are over this build's capacity of {:.0g}",
                                     scene.end / scene.step, kMaxSteps));
  }
}

// Of the last body.
void demand_pace(const JsonNode& node, const Scene& scene) {
  const auto& v = scene.bodies.back().velocity;
  const double turn = scene.step * std::hypot(v[3], v[4], v[5]);
  if (!scene.plane && !(turn <= dynamics::kMostTurn))
    node.fail_at("velocity", fmt::format("turns by {:.6g} rad in a step of {} s; {} are the most", turn,
                                         scene.step, dynamics::kMostTurn));
}

void read_arms(const JsonNode& list, Scene& scene, Names& names) {
  capacity(list, kMaxArms);
  int tips = 0;
  std::size_t joints = 0;
  for (const JsonNode& node : list.items()) {
    scene.arms.push_back(read_arm(node, scene));
    const Arm& arm = scene.arms.back();
    joints += arm.q.size();
    if (joints > kMaxArmJoints)
      node.fail_at("q", fmt::format("{} joints of all arms together are over this build's capacity of {}",
                                    joints, kMaxArmJoints));
    if (tips + static_cast<int>(arm.tips.size()) > kMaxTips)
      node.fail_at("tips",
                   fmt::format("the tips of all arms are over this build's capacity of {}", kMaxTips));
    add_name(node.at("name"), arm.name, 0, names);
    for (std::size_t i = 0; i < arm.tips.size(); ++i) {
      add_name(node.at("tips").item(i).at("link"), arm.name + "/" + arm.tips[i].link, -1 - tips++, names);
    }
    names.erase(arm.name);  // an arm itself touches nothing: only its tips do
  }
}

stepper::Uncertainty<double> read_uncertainty(const JsonNode& node) {
  using Uncertainty = stepper::Uncertainty<double>;
  static constexpr std::pair<const char*, double Uncertainty::*> kMembers[] = {
      {"position", &Uncertainty::position}, {"angle", &Uncertainty::angle},
      {"velocity", &Uncertainty::velocity}, {"angular_velocity", &Uncertainty::angular_velocity},
      {"joint", &Uncertainty::joint},       {"joint_velocity", &Uncertainty::joint_velocity},
      {"geometry", &Uncertainty::geometry}};
  std::vector<const char*> known;
  for (const auto& [key, member] : kMembers) known.push_back(key);
  node.only(known);
  Uncertainty uncertainty;
  for (const auto& [key, member] : kMembers)
    if (const auto number = node.find(key)) uncertainty.*member = number->within(0, 1);
  return uncertainty;
}

// How the step is taken; none of it is for the implicit law, which has no rows at the step's start.
void read_step_keys(const JsonNode& root, Scene& scene) {
  using stepper::NormalRule;
  static constexpr Word<NormalRule> kRules[] = {
      {"gap", NormalRule::gap}, {"song", NormalRule::song}, {"stewart", NormalRule::stewart}};
  static constexpr Word<contact::Pyramid> kPyramids[] = {{"box", contact::Pyramid::box},
                                                         {"facets", contact::Pyramid::facets}};
  const auto find = [&](const char* key) {
    const auto node = root.find(key);
    if (node && scene.method == Method::implicit) node->fail("the implicit law has no such thing");
    return node;
  };
  if (const auto rule = find("normal_rule")) scene.normal_rule = read_word(*rule, kRules);
  if (const auto passes = find("fixed_point")) scene.fixed_point = passes->integer(0, kMaxPasses);
  if (const auto speed = find("recovery_speed")) {
    scene.recovery_speed = speed->positive();
    if (scene.normal_rule != NormalRule::gap)
      speed->fail("only with the \"normal_rule\" \"gap\": the others push nothing apart");
  }
  if (const auto pyramid = find("pyramid")) {
    scene.pyramid = read_word(*pyramid, kPyramids);
    if (scene.method == Method::cone) pyramid->fail("a cone is no pyramid: \"method\" is \"cone\"");
  }
}

Scene read_root(const JsonNode& root, const std::string& file) {
  static constexpr Word<Method> kMethods[] = {{"rigid", Method::rigid},
                                              {"compliant", Method::compliant},
                                              {"implicit", Method::implicit},
                                              {"cone", Method::cone}};
  root.only({"tactus", "name", "plane", "gravity", "time", "method", "exact", "facets", "impact",
             "normal_rule", "fixed_point", "pyramid", "recovery_speed", "bodies", "contacts", "joints",
             "arms", "uncertainty", "uniqueness"});
  Scene scene;
  scene.file = file;
  root.at("tactus").integer(1, 1);
  scene.name = root.at("name").name();
  scene.plane = root.at("plane").boolean();
  const auto gravity = root.at("gravity").numbers(scene.plane ? 2 : 3, "an acceleration in the world frame");
  std::copy(gravity.begin(), gravity.end(), scene.gravity.begin());
  read_time(root.at("time"), scene);
  scene.method = read_word(root.at("method"), kMethods);
  if (const auto exact = root.find("exact")) {
    if (scene.method != Method::cone)
      exact->fail(fmt::format("only with \"method\": \"cone\", not \"{}\"", to_string(scene.method)));
    scene.exact = exact->boolean();
  }
  if (const auto facets = root.find("facets")) {
    scene.facets = facets->integer(2, 16);
    const bool known =
        scene.facets == 4 || scene.facets == 8 || scene.facets == 16 || (scene.plane && scene.facets == 2);
    if (!known) facets->fail(fmt::format("must be 4, 8 or 16, not {}", scene.facets));
  }
  if (const auto impact = root.find("impact")) read_impact(*impact, scene);

  read_step_keys(root, scene);
  if (const auto uncertainty = root.find("uncertainty")) {
    if (scene.method == Method::implicit)
      uncertainty->fail("\"method\": \"implicit\" takes a measured state for exact");
    scene.uncertainty = read_uncertainty(*uncertainty);
  }
  if (const auto uniqueness = root.find("uniqueness")) {
    scene.uniqueness = uniqueness->boolean();
    if (scene.uniqueness && scene.method == Method::implicit) uniqueness->fail("not with the implicit law");
  }

  Names names;
  const JsonNode bodies = root.at("bodies");
  capacity(bodies, kMaxBodies);
  for (const JsonNode& node : bodies.items()) {
    scene.bodies.push_back(read_body(node, scene.plane));
    demand_pace(node, scene);
    add_name(node.at("name"), scene.bodies.back().name, static_cast<int>(scene.bodies.size()) - 1, names);
  }
  if (const auto arms = root.find("arms")) read_arms(*arms, scene, names);
  const bool any_moving =
      std::any_of(scene.bodies.begin(), scene.bodies.end(), [](const Body& b) { return b.mass.has_value(); });
  if (!any_moving && scene.arms.empty()) bodies.fail("nothing moves: no body has a mass");

  const JsonNode contacts = root.at("contacts");
  capacity(contacts, kMaxContactPairs);
  std::set<std::pair<int, int>> pairs;
  for (const JsonNode& node : contacts.items()) {
    scene.contacts.push_back(read_contact(node, scene, names));
    const auto& b = scene.contacts.back().body;
    if (!pairs.insert(std::minmax(b[0], b[1])).second) node.fail_at("between", "this pair is given twice");
  }
  if (const auto joints = root.find("joints")) {
    capacity(*joints, kMaxJoints);
    for (const JsonNode& node : joints->items()) scene.joints.push_back(read_joint(node, scene, names));
  }
  return scene;
}

}  // namespace

Scene parse_scene(const std::string& text, const std::string& file) {
  const nlohmann::json json = parse_json(text, file);
  return read_root(JsonNode(json, file), file);
}

Scene read_scene(const std::string& file) {
  return parse_scene(read_file(file), file);
}

}  // namespace tactus::host
