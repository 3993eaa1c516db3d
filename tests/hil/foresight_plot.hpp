// The picture of foresight: of each run when the change was said to come, against when it came.
#pragma once

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

namespace tactus {

struct Foretold {
  double actual, predicted;  // s
};

struct Panel {
  std::string what;
  std::vector<Foretold> runs;
};

// Side by side, each with a band of the tolerance (s) around "as said".
inline void draw(const char* file, const std::vector<Panel>& panels, double tolerance) {
  constexpr double kSide = 260, kGap = 60;
  std::ofstream svg(file);
  svg << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\""
      << (kSide + kGap) * static_cast<double>(panels.size()) + 10 << "\" height=\"" << kSide + 80
      << "\" font-family=\"sans-serif\" font-size=\"12\">\n"
      << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  double left = kGap;
  for (const Panel& panel : panels) {
    double from = 1e9, to = -1e9;
    for (const Foretold& run : panel.runs) {
      from = std::min({from, run.actual, run.predicted});
      to = std::max({to, run.actual, run.predicted});
    }
    from -= tolerance;
    to += tolerance;
    const auto x = [&](double t) { return left + kSide * (t - from) / (to - from); };
    const auto y = [&](double t) { return 30 + kSide * (to - t) / (to - from); };
    svg << "<g><clipPath id=\"c" << left << "\"><rect x=\"" << left << "\" y=\"30\" width=\"" << kSide
        << "\" height=\"" << kSide << "\"/></clipPath><g clip-path=\"url(#c" << left << ")\">"
        << "<path fill=\"#e3ecf7\" d=\"M" << x(from) << " " << y(from + tolerance) << "L" << x(to) << " "
        << y(to + tolerance) << "L" << x(to) << " " << y(to - tolerance) << "L" << x(from) << " "
        << y(from - tolerance) << "Z\"/><path stroke=\"#888\" d=\"M" << x(from) << " " << y(from) << "L"
        << x(to) << " " << y(to) << "\"/>";
    for (const Foretold& run : panel.runs)
      svg << "<circle cx=\"" << x(run.actual) << "\" cy=\"" << y(run.predicted)
          << "\" r=\"2.5\" fill=\"#0b61a4\" fill-opacity=\"0.5\"/>";
    svg << "</g><rect x=\"" << left << "\" y=\"30\" width=\"" << kSide << "\" height=\"" << kSide
        << "\" fill=\"none\" stroke=\"#444\"/><text x=\"" << left << "\" y=\"20\">" << panel.what
        << "</text>";
    const int first = static_cast<int>(from * 1e3) / 2 * 2 + 2;
    const int every = (to - from) > 12e-3 ? 4 : 2;
    for (int ms = first; ms < 1e3 * to; ms += every) {
      const double t = 1e-3 * ms;
      svg << "<text x=\"" << x(t) << "\" y=\"" << kSide + 46 << "\" text-anchor=\"middle\">" << ms
          << "</text><text x=\"" << left - 6 << "\" y=\"" << y(t) + 4 << "\" text-anchor=\"end\">" << ms
          << "</text>";
    }
    svg << "<text x=\"" << left + kSide / 2 << "\" y=\"" << kSide + 66
        << "\" text-anchor=\"middle\">came, ms</text></g>\n";
    left += kSide + kGap;
  }
  svg << "<text transform=\"translate(14 " << 30 + kSide / 2
      << ") rotate(-90)\" text-anchor=\"middle\">said 10 ms before, ms</text>\n</svg>\n";
}

}  // namespace tactus
