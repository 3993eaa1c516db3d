#include "csv.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace tactus::host {

std::vector<std::string> csv_columns(const Scene& scene) {
  std::vector<std::string> names{"t"};
  const auto add = [&](const std::string& head, std::initializer_list<const char*> tails) {
    for (const char* tail : tails) names.push_back(head + "." + tail);
  };
  for (const Body& body : scene.bodies) {
    if (!body.mass) continue;
    if (scene.plane) {
      add(body.name, {"x", "y", "a", "vx", "vy", "w"});
    } else {
      add(body.name, {"x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"});
    }
  }
  for (const Arm& arm : scene.arms) {
    for (std::size_t j = 0; j < arm.q.size(); ++j) {
      names.push_back(fmt::format("{}.q{}", arm.name, j));
      names.push_back(fmt::format("{}.qd{}", arm.name, j));
    }
  }
  for (const ContactPair& pair : scene.contacts) {
    add(pair.name(), {"gap", "fn", "ft"});
    if (!scene.plane) add(pair.name(), {"fo"});
    if (pair.ellipsoid) add(pair.name(), {"fr"});
    add(pair.name(), {"mode"});
  }
  for (const Joint& joint : scene.joints) {
    if (scene.plane)
      add(joint.name, {"fx", "fy", "mz"});
    else
      add(joint.name, {"fx", "fy", "fz", "mx", "my", "mz"});
  }
  names.insert(names.end(), {"status", "pivots", "residual"});
  if (scene.uniqueness) {
    names.insert(names.end(), {"ambiguous", "impulse", "guaranteed"});
    for (const ContactPair& pair : scene.contacts) add(pair.name(), {"can_jam"});
  }
  return names;
}

void csv_values(const Scene& scene, double t, const StepSample& sample, std::vector<double>& values) {
  values.clear();
  values.push_back(t);
  const std::size_t pose = scene.plane ? 3 : 7, velocity = scene.plane ? 3 : 6;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (!scene.moving(i)) continue;
    values.insert(values.end(), sample.bodies[i].pose.begin(),
                  sample.bodies[i].pose.begin() + static_cast<std::ptrdiff_t>(pose));
    values.insert(values.end(), sample.bodies[i].velocity.begin(),
                  sample.bodies[i].velocity.begin() + static_cast<std::ptrdiff_t>(velocity));
  }
  for (const ArmSample& arm : sample.arms) {
    for (std::size_t j = 0; j < arm.q.size(); ++j) values.insert(values.end(), {arm.q[j], arm.qd[j]});
  }
  for (std::size_t i = 0; i < sample.contacts.size(); ++i) {
    const ContactSample& contact = sample.contacts[i];
    values.push_back(contact.gap);
    for (std::size_t k = 0; k < (scene.plane ? 2U : 3U); ++k) values.push_back(contact.force[k]);
    if (scene.contacts[i].ellipsoid) values.push_back(contact.torsion);
    values.push_back(contact.mode);
  }
  for (const auto& [f, m] : sample.joints) {
    if (scene.plane)
      values.insert(values.end(), {f[0], f[1], m[2]});
    else
      values.insert(values.end(), {f[0], f[1], f[2], m[0], m[1], m[2]});
  }
  values.insert(values.end(),
                {static_cast<double>(sample.status), static_cast<double>(sample.pivots), sample.residual});
  if (!scene.uniqueness) return;
  const auto flag = [](bool is) { return is ? 1.0 : 0.0; };
  values.insert(values.end(), {flag(sample.ambiguous), flag(sample.impulse),
                               sample.guaranteed ? flag(*sample.guaranteed) : std::nan("")});
  for (const ContactSample& contact : sample.contacts) values.push_back(flag(contact.can_jam));
}

std::vector<std::string> element_columns(const Scene& scene, const StepSample& sample) {
  std::vector<std::string> names;
  const auto axes = scene.plane ? std::vector{"n", "t"} : std::vector{"n", "t", "o"};
  for (std::size_t i = 0; i < scene.contacts.size(); ++i)
    for (std::size_t k = 0; k < sample.contacts[i].element.size(); ++k)
      for (const char* quantity : {"f", "d"})
        for (const char* axis : axes)
          names.push_back(fmt::format("{}.{}.{}{}", scene.contacts[i].name(), k, quantity, axis));
  return names;
}

void add_elements(const Scene& scene, const StepSample& sample, std::vector<double>& values) {
  const std::ptrdiff_t axes = scene.plane ? 2 : 3;
  for (const ContactSample& contact : sample.contacts)
    for (std::size_t k = 0; k < contact.element.size(); ++k)
      for (const auto& numbers : {contact.element[k], contact.deformation[k]})
        values.insert(values.end(), numbers.begin(), numbers.begin() + axes);
}

CsvWriter::CsvWriter(const std::string& file, const std::vector<std::string>& columns) : file_(file) {
  file_.write(fmt::format("{}\n", fmt::join(columns, ",")));
}

void CsvWriter::write(const std::vector<double>& values) {
  line_.clear();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) line_ += ',';
    if (std::isfinite(values[i])) fmt::format_to(std::back_inserter(line_), "{}", values[i]);
  }
  line_ += '\n';
  file_.write(line_);
}

}  // namespace tactus::host
