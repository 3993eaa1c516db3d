// eps -> 0: the motions on one element a point tend to the rigid ones, and their distance falls in proportion
// to eps (Song 2004, Theorem 6, which is for n_s = 1). With an argument the curves are also drawn there:
//
//     build/host/tests/case_convergence core/include/tactus/stepper/convergence.svg
#include <algorithm>

#include "ellipse.hpp"
#include "space.hpp"

using namespace tactus;
using namespace tactus::stepper;
using reference::Json;

namespace {

struct Curve {
  const char* name;
  const char* colour;
  std::vector<std::pair<double, double>> points;  // eps (m^2/N), distance
};

// The ellipse after 0.1 s, 1,000 steps. Three points a fixed way apart have a rigid limit of their own, so
// three elements are put so near each other that it does not show; one element keeps the paper's size.
Curve ellipse_curve(const char* name, const char* colour, int elements, double spacing, int first) {
  const auto truth = std::make_unique<ellipse::Run<double, ellipse::kRigid>>(ellipse::Ellipse{});
  for (int k = 0; k < 1000; ++k) truth->step();
  Curve curve{name, colour, {}};
  for (int exponent = first; exponent > first - 6; --exponent) {
    ellipse::Ellipse e;
    e.elements = elements;
    e.eps = std::pow(10.0, exponent);
    e.spacing = spacing;
    const auto run = std::make_unique<ellipse::Run<double, ellipse::kCompliant>>(e);
    for (int k = 0; k < 1000; ++k) run->step();
    double distance = 0;
    for (std::size_t i = 0; i < 3; ++i) distance = std::max(distance, std::abs(run->q()[i] - truth->q()[i]));
    curve.points.emplace_back(e.eps, distance);
  }
  return curve;
}

// A pushed box on three points, after 0.1 s.
Curve box_curve() {
  const Json p = reference::load("spatial/rigid_limit.json")["box"]["params"];
  const auto rigid = space::pushed_box(p, 0);
  Curve curve{"box on three points, velocity (m/s)", "#2a7f3f", {}};
  for (int exponent = -7; exponent >= -13; --exponent) {
    const auto v = space::pushed_box(p, std::pow(10.0, exponent));
    curve.points.emplace_back(std::pow(10.0, exponent), std::max((v.linear - rigid.linear).norm(),
                                                                 0.05 * (v.angular - rigid.angular).norm()));
  }
  return curve;
}

std::vector<Curve> curves() {
  return {ellipse_curve("ellipse, one element of 1 um, pose (m, rad)", "#b5402b", 1, 1e-6, -8),
          ellipse_curve("ellipse, three elements of 1 nm, pose", "#2b5fb5", 3, 1e-9, -11), box_curve()};
}

void falls_in_proportion() {
  for (const Curve& curve : curves()) {
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
      const auto [eps, distance] = curve.points[i];
      std::printf("%s: eps %.0e, distance to the rigid motion %.3g\n", curve.name, eps, distance);
      if (i < 3) continue;  // not small yet
      const double order = std::log10(curve.points[i - 1].second / distance);
      TEST_ASSERT_TRUE_MESSAGE(order > 0.9 && order < 1.1, curve.name);
    }
  }
}

void the_box_ends_where_the_cone_says() {
  // The reference has the cone; so has the step under the name of pyramids.
  const Json box = reference::load("spatial/rigid_limit.json")["box"];
  const auto rigid = space::pushed_box(box["params"], 0);
  const Json want = box["results"]["ns1_rho0.001"]["rigid"]["v_end"];
  reference::Worst cone("rigid box on three points against the cone, v");
  for (std::size_t i = 0; i < 3; ++i) {
    const auto c = static_cast<Eigen::Index>(i);
    cone.see(std::abs(want[i].get<double>() - rigid.linear[c]));
    cone.see(std::abs(want[i + 3].get<double>() - rigid.angular[c]));
  }
  cone.within(1e-7);
}

// Both axes logarithmic, a decade 50 by 30.
void draw(const char* path) {
  constexpr int kLeft = -16, kRight = -6, kBottom = -12, kTop = 0;
  const auto x = [](double eps) { return 70 + 50 * (std::log10(eps) - kLeft); };
  const auto y = [](double distance) { return 20 + 30 * (kTop - std::log10(distance)); };
  std::ofstream svg(path);
  svg << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"620\" height=\"440\" font-family=\"sans-serif\" "
         "font-size=\"12\">\n<rect width=\"620\" height=\"440\" fill=\"white\"/>\n";
  for (int d = kLeft; d <= kRight; ++d)
    svg << "<path d=\"M" << x(std::pow(10, d)) << " 20V380\" stroke=\"#ddd\"/><text x=\""
        << x(std::pow(10, d)) << "\" y=\"397\" text-anchor=\"middle\">1e" << d << "</text>\n";
  for (int d = kBottom; d <= kTop; d += 2)
    svg << "<path d=\"M70 " << y(std::pow(10, d)) << "H570\" stroke=\"#ddd\"/><text x=\"62\" y=\""
        << y(std::pow(10, d)) + 4 << "\" text-anchor=\"end\">1e" << d << "</text>\n";
  svg << "<text x=\"320\" y=\"425\" text-anchor=\"middle\">compliance eps (m² / N)</text>\n"
         "<text transform=\"translate(16 200) rotate(-90)\" text-anchor=\"middle\">distance to the rigid "
         "motion</text>\n<path d=\"M"
      << x(1e-13) << " " << y(1e-11) << "L" << x(1e-7) << " " << y(1e-5)
      << "\" stroke=\"#888\" stroke-dasharray=\"5 4\"/>\n<text x=\"" << x(1.5e-9) << "\" y=\"" << y(4e-8)
      << "\" fill=\"#666\">slope 1</text>\n";
  double label = 40;
  for (const Curve& curve : curves()) {
    svg << "<g fill=\"" << curve.colour << "\"><path fill=\"none\" stroke=\"" << curve.colour
        << "\" stroke-width=\"1.5\" d=\"";
    for (std::size_t i = 0; i < curve.points.size(); ++i)
      svg << (i == 0 ? "M" : "L") << x(curve.points[i].first) << " " << y(curve.points[i].second);
    svg << "\"/>";
    for (const auto& [eps, distance] : curve.points)
      svg << "<circle cx=\"" << x(eps) << "\" cy=\"" << y(distance) << "\" r=\"3\"/>";
    svg << "<text x=\"80\" y=\"" << label << "\">" << curve.name << "</text></g>\n";
    label += 16;
  }
  svg << "</svg>\n";
}

}  // namespace

void setUp() {}
void tearDown() {}

int main(int count, char** arguments) {
  UNITY_BEGIN();
  RUN_TEST(falls_in_proportion);
  RUN_TEST(the_box_ends_where_the_cone_says);
  const int failures = UNITY_END();
  if (failures == 0 && count > 1) draw(arguments[1]);
  return failures;
}
