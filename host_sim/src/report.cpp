#include "report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

#include "csv.hpp"
#include "input_error.hpp"
#include "output_file.hpp"

#ifdef TACTUS_REPORT_PAGE
extern "C" const char tactus_report_page[];
extern "C" const char tactus_report_page_end[];
#endif

namespace tactus::host {
namespace {

using nlohmann::json;

std::string_view page() {
#ifdef TACTUS_REPORT_PAGE
  return {tactus_report_page, static_cast<std::size_t>(tactus_report_page_end - tactus_report_page)};
#else
  return {};
#endif
}

std::string base64(const std::vector<float>& values) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes(values.size() * sizeof(float), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned word = 0;
    for (std::size_t k = 0; k < 3; ++k)
      word = word << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (unsigned k = 0; k < 4; ++k) out += i + k <= bytes.size() ? kDigits[word >> (18 - 6 * k) & 63U] : '=';
  }
  return out;
}

json shape_json(const Shape& shape) {
  json parts = json::array();
  for (const Shape& part : shape.parts) parts.push_back(shape_json(part));
  const auto& numbers = shape.numbers;
  return {{"kind", shape.name()},   {"form", shape.row ? geometry::word(shape.row->form) : "parts"},
          {"size", numbers.value},  {"offset", numbers.offset},
          {"sides", numbers.sides}, {"parts", parts}};
}

json bodies_json(const Scene& scene) {
  json bodies = json::array();
  for (const Body& body : scene.bodies) {
    bodies.push_back({{"name", body.name},
                      {"moving", body.mass.has_value()},
                      {"shape", shape_json(body.shape)},
                      {"pose", body.pose}});
  }
  return bodies;
}

json vector_json(const Eigen::Vector3d& v) {
  return {v[0], v[1], v[2]};
}

// What the page needs to place the links from the joint positions.
json arms_json(const Scene& scene) {
  json arms = json::array();
  for (const Arm& arm : scene.arms) {
    json joints = json::array(), tips = json::array(), ends = json::array();
    for (const UrdfJoint& joint : arm.robot.joints) {
      const auto& d = joint.data;
      joints.push_back({{"name", joint.joint},
                        {"parent", d.parent},
                        {"slides", d.joint == dynamics::ArmJoint::prismatic},
                        {"position", d.position},
                        {"rotation", d.rotation},
                        {"axis", d.axis}});
    }
    for (const Tip& tip : arm.tips)
      tips.push_back({{"name", arm.name + "/" + tip.link},
                      {"joint", tip.joint},
                      {"centre", tip.centre},
                      {"radius", tip.radius}});
    // Links that fixed joints hold have no frame of their own in the motion, but a place in the picture.
    for (const UrdfFrame& frame : arm.robot.frames)
      if (frame.carrier >= 0 && !frame.position.isZero())
        ends.push_back({{"joint", frame.carrier}, {"at", vector_json(frame.position)}});
    arms.push_back(
        {{"name", arm.name}, {"base", arm.base}, {"joints", joints}, {"tips", tips}, {"ends", ends}});
  }
  return arms;
}

json contacts_json(const Scene& scene, const std::vector<std::size_t>& elements) {
  json contacts = json::array();
  for (const ContactPair& pair : scene.contacts) {
    // A limit that moves with the speed is not drawn as if it were constant.
    const json mu = pair.mu.kind == Friction::Kind::constant ? json(pair.mu.kinetic) : json();
    contacts.push_back({{"name", pair.name()}, {"mu", mu}, {"elements", elements[contacts.size()]}});
  }
  return contacts;
}

const char* word(Verdict::State state) {
  switch (state) {
    case Verdict::State::good:
      return "good";
    case Verdict::State::look:
      return "warn";
    case Verdict::State::bad:
      return "bad";
  }
  return "bad";
}

// Inside a script element "</" and "<!" could end it; in JSON they only occur in strings.
std::string for_script(std::string text) {
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos; at += 6)
    text.replace(at, 1, "\\u003c");
  return text;
}

}  // namespace

bool report_built_in() {
  return !page().empty();
}

std::string report_missing() {
  return "this build has no report, because node, npm or the report's packages were missing when it was made "
         "(sudo apt-get install nodejs npm, then configure and build again)";
}

void demand_report(const std::string& file) {
  if (!report_built_in()) throw Unsupported(report_missing());
  // Opening it is the only sure test; what was not there before is not left behind.
  const bool there = std::filesystem::exists(file);
  const bool good = std::ofstream(file, std::ios::binary | std::ios::app).is_open();
  if (!good) throw InputError(file, "", "cannot be written");
  if (!there) std::filesystem::remove(file);
}

Report::Report(const Scene& scene, const StepSample& initial, long steps,
               const std::vector<std::string>& extra_columns)
    : scene_(scene), steps_(steps), stride_(std::max(1L, (steps + kSamples - 1) / kSamples)) {
  for (const std::string& name : csv_columns(scene)) {
    if (name != "t")
      columns_.push_back({name, name == "status" || name == "pivots" || name == "residual", {}});
  }
  for (const ContactPair& pair : scene.contacts) {
    for (const char* tail : {"px", "py", "pz", "nx", "ny", "nz", "tx", "ty", "tz"})
      columns_.push_back({pair.name() + "." + tail, false, {}});
  }
  for (std::size_t i = 0; i < scene.contacts.size(); ++i) {
    const std::size_t n = initial.contacts[i].element.size();
    elements_.push_back(n >= 2 && n <= kElements ? n : 0);
    for (std::size_t k = 0; k < elements_[i]; ++k) {
      for (const char* tail : {"fn", "ft", "fo"})
        columns_.push_back({fmt::format("{}.e{}.{}", scene.contacts[i].name(), k, tail), false, {}, true});
    }
  }
  for (const char* name : {"energy.kinetic", "energy.potential", "energy.elastic", "energy.total"})
    columns_.push_back({name, false, {}});
  for (const std::string& name : extra_columns)
    columns_.push_back({name, !name.starts_with("predicted."), {}});
  held_.assign(columns_.size(), std::numeric_limits<double>::quiet_NaN());
}

void Report::add(long step, const std::vector<double>& values, const StepSample& sample,
                 const std::vector<double>& extra) {
  row_.assign(values.begin() + 1, values.end());
  for (const ContactSample& contact : sample.contacts) {
    row_.insert(row_.end(), contact.point.begin(), contact.point.end());
    row_.insert(row_.end(), contact.normal.begin(), contact.normal.end());
    row_.insert(row_.end(), contact.tangent.begin(), contact.tangent.end());
  }
  for (std::size_t i = 0; i < sample.contacts.size(); ++i) {
    if (elements_[i] == 0) continue;
    for (const auto& force : sample.contacts[i].element) row_.insert(row_.end(), force.begin(), force.end());
  }
  row_.insert(row_.end(), {sample.kinetic, sample.potential, sample.elastic, sample.energy()});
  row_.insert(row_.end(), extra.begin(), extra.end());
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const bool keep = columns_[i].worst && (std::isnan(row_[i]) || held_[i] > row_[i]);
    held_[i] = keep ? held_[i] : row_[i];
  }
  if (step % stride_ != 0 && step != steps_) return;
  for (std::size_t i = 0; i < columns_.size(); ++i)
    columns_[i].values.push_back(static_cast<float>(held_[i]));
  std::fill(held_.begin(), held_.end(), std::numeric_limits<double>::quiet_NaN());
}

void Report::write(const std::string& file) const {
  const double dt = tick > 0 ? tick : scene_.step;
  json data{{"title", scene_.name},
            {"subtitle", subtitle},
            {"plane", scene_.plane},
            {"step", dt},
            {"end", dt * static_cast<double>(steps_)},
            {"stride", stride_},
            {"first_step", stride_},
            {"samples", columns_.front().values.size()},
            {"verdict", {{"state", word(verdict.state)}, {"text", verdict.text}}},
            {"tiles", tiles},
            {"facts", facts},
            {"bodies", bodies_json(scene_)},
            {"arms", arms_json(scene_)},
            {"contacts", contacts_json(scene_, elements_)},
            {"prediction_note", prediction_note}};
  if (cost)
    data["cost"] = {{"of", cost->of}, {"unit", cost->unit}, {"note", cost->note}, {"budget", cost->budget}};
  json columns = json::object();
  for (const Column& column : columns_) {
    // An element that never pressed has no line.
    const bool shown = !column.element || std::any_of(column.values.begin(), column.values.end(),
                                                      [](float x) { return x != 0; });
    if (shown) columns[column.name] = base64(column.values);
  }
  data["columns"] = std::move(columns);

  static constexpr std::string_view kMark = "/*DATA*/";
  const std::string_view html = page();
  const auto at = html.find(kMark);
  if (at == std::string_view::npos) throw Unsupported(report_missing());
  OutputFile out(file);
  out.write(html.substr(0, at));
  out.write(for_script(data.dump()));
  out.write(html.substr(at + kMark.size()));
  out.close();
}

}  // namespace tactus::host
