#include "round_sets.hpp"

#include <cmath>

#include "linear_set.hpp"
#include "tactus/contact/acceleration_cone.hpp"

namespace tactus::host {
namespace {

using Eigen::VectorXd;
using Verdict = LinearSet::Verdict;

constexpr double kPi = 3.141592653589793;
// Scaled: equations may be off by this, and a force by as much outside its cone.
constexpr double kThin = 1e-11;
constexpr double kNarrow = 1e-11;  // half width of a box that is not halved any more, rad
constexpr double kNear = 1e-5;     // of a box beside a solution
constexpr int kCuts = 40, kSides = 8;

// What is known of what the search divides: directions, and whether a joint holds (0), or gives way along t
// (1) or against it (-1).
constexpr int kEither = 2;
struct Box {
  std::array<double, 3> angle{}, half{};
  std::array<int, kMostJoints> joint{};

  // The first joint of which nothing is known; -1: none.
  int undecided(int joints) const {
    for (int k = 0; k < joints; ++k)
      if (joint[static_cast<std::size_t>(k)] == kEither) return k;
    return -1;
  }
};

class Search {
 public:
  Search(const InstantProblem& p, const std::vector<ContactMode>& modes, int& boxes, Solutions& out)
      : p_(p), modes_(modes), boxes_(boxes), out_(out), scale_(p.rows()) {
    for (int i = 0; i < p.contacts(); ++i) {
      const double own = p.A(i * 3, i * 3);
      scale_.segment(i * 3, 3).setConstant(own > 0 ? 1 / std::sqrt(own) : 1);
      if (mode(i).starts) starts_.push_back(i);
    }
    const double size = p.b.cwiseProduct(scale_).cwiseAbs().maxCoeff();
    unit_ = size > 0 ? size : 1;
    fix_laws();
  }

  bool run() {
    std::vector<Box> open;
    begin(open);
    while (!open.empty()) {
      if (boxes_-- <= 0 || out_.different.size() > kMostStarts) return false;
      const Box box = open.back();
      open.pop_back();
      put(box);
      VectorXd c;
      const Verdict verdict = point(c);
      if (verdict == Verdict::empty) continue;
      if (verdict == Verdict::point && (known(c) || find_new(c)) && has_one_motion(box)) continue;
      if (is_settled(box, verdict, c)) continue;
      if (const int joint = box.undecided(p_.joints); joint >= 0) {
        divide(box, joint, open);
        continue;
      }
      std::size_t widest = 0;
      for (std::size_t k = 1; k < starts_.size(); ++k)
        if (box.half[k] > box.half[widest]) widest = k;
      if (starts_.empty() || box.half[widest] < kNarrow)
        left_.push_back(box);
      else
        halve(box, widest, open);
    }
    // Narrow boxes that came before the solution beside them.
    for (const Box& box : left_) {
      put(box);
      if (!is_settled(box, Verdict::undecided, {})) return false;
    }
    return true;
  }

 private:
  const ContactMode& mode(int i) const { return modes_[static_cast<std::size_t>(i)]; }
  double mu(int i) const { return p_.mu[static_cast<std::size_t>(i)]; }

  // Rows of c and of a in scaled unknowns y, c = unit S y: S A S y + S b / unit.
  VectorXd of_c(int r) const { return VectorXd::Unit(p_.rows(), r); }
  VectorXd of_a(int r) const { return scale_[r] * (p_.A.row(r).transpose().cwiseProduct(scale_)); }
  double b(int r) const { return scale_[r] * p_.b[r] / unit_; }
  void hold_zero(const VectorXd& row, double constant) {
    laws_.add(row, constant + kThin);
    laws_.add(-row, -constant + kThin);
  }

  void fix_laws() {
    for (int i = 0; i < p_.contacts(); ++i) {
      const int n = 3 * i;
      if (p_.is_joint(i)) {
        hold_zero(of_a(n), b(n));
        hold_zero(of_c(n + 2), 0);
        for (const int side : {1, -1}) laws_.add(mu(i) * of_c(n) + side * of_c(n + 1), kThin);
        continue;
      }
      if (!mode(i).closed) {
        for (int k = 0; k < 3; ++k) hold_zero(of_c(n + k), 0);
        laws_.add(of_a(n), b(n) + kThin);
        continue;
      }
      hold_zero(of_a(n), b(n));
      laws_.add(of_c(n), kThin);
      if (mode(i).starts) continue;
      for (int k = 1; k < 3; ++k) {
        if (rolls(i))
          hold_zero(of_a(n + k), b(n + k));
        else
          hold_zero(of_c(n + k) - (p_.slides(i) ? p_.pull(i, k - 1) : 0.0) * of_c(n), 0);
      }
      for (int k = 0; rolls(i) && k < kSides; ++k) cut(i, 2 * k * kPi / kSides, 1);
    }
    fixed_ = laws_.size();
  }

  void put(const Box& box) {
    laws_.cut_to(fixed_);
    for (std::size_t k = 0; k < starts_.size(); ++k) bound(starts_[k], box.angle[k], box.half[k]);
    for (int k = 0; k < p_.joints; ++k) put_joint(joint(k), box.joint[static_cast<std::size_t>(k)]);
  }
  void put_joint(int i, int way) {
    const int n = 3 * i;
    if (way == 0) hold_zero(of_a(n + 1), b(n + 1));
    if (way != 1 && way != -1) return;
    hold_zero(of_c(n + 1) + way * mu(i) * of_c(n), 0);
    laws_.add(way * of_a(n + 1), way * b(n + 1) + kThin);
  }

  int joint(int k) const { return p_.contacts() - p_.joints + k; }
  bool rolls(int i) const {
    return mode(i).closed && !mode(i).starts && !p_.slides(i) && mu(i) > 0 && !p_.is_joint(i);
  }

  // Whether accelerations of a box are the same whatever its forces.
  bool has_one_motion(const Box& box) const {
    if (!starts_.empty() || box.undecided(p_.joints) >= 0) return false;
    std::vector<ContactMode> modes = modes_;
    for (int k = 0; k < p_.joints; ++k)
      modes[static_cast<std::size_t>(joint(k))] = {true, {box.joint[static_cast<std::size_t>(k)], 0}};
    return fixes_motion(p_, modes);
  }

  // u . c_T <= share mu c_n
  void cut(int i, double angle, double share) {
    const int n = 3 * i;
    laws_.add(share * mu(i) * of_c(n) - std::cos(angle) * of_c(n + 1) - std::sin(angle) * of_c(n + 2), kThin);
  }

  void bound(int i, double angle, double half) {
    const int n = 3 * i;
    const double x = std::cos(angle), y = std::sin(angle);
    const VectorXd along = -x * of_c(n + 1) - y * of_c(n + 2), across = -y * of_c(n + 1) + x * of_c(n + 2);
    laws_.add(mu(i) * of_c(n) - along, kThin);
    laws_.add(along - mu(i) * std::cos(half) * of_c(n), kThin);
    const VectorXd a_along = x * of_a(n + 1) + y * of_a(n + 2), a_across = -y * of_a(n + 1) + x * of_a(n + 2);
    const double b_along = x * b(n + 1) + y * b(n + 2), b_across = -y * b(n + 1) + x * b(n + 2);
    for (const int side : {1, -1}) {
      laws_.add(mu(i) * std::sin(half) * of_c(n) + side * across, kThin);
      laws_.add(std::tan(half) * a_along + side * a_across,
                std::tan(half) * b_along + side * b_across + kThin);
    }
  }

  void begin(std::vector<Box>& open) const {
    const int sides = 8;
    int count = 1;
    for (std::size_t k = 0; k < starts_.size(); ++k) count *= sides;
    for (int code = 0; code < count; ++code) {
      Box box;
      box.joint.fill(kEither);
      int rest = code;
      for (std::size_t k = 0; k < starts_.size(); ++k, rest /= sides) {
        box.half[k] = kPi / sides;
        box.angle[k] = (rest % sides + 0.37) * 2 * kPi / sides;  // no seam where scenes have their axes
      }
      open.push_back(box);
    }
  }
  static void halve(const Box& box, std::size_t k, std::vector<Box>& open) {
    for (const int side : {1, -1}) {
      Box part = box;
      part.half[k] /= 2;
      part.angle[k] += side * part.half[k];
      open.push_back(part);
    }
  }

  static void divide(const Box& box, int joint, std::vector<Box>& open) {
    for (const int way : {-1, 1, 0}) {
      open.push_back(box);
      open.back().joint[static_cast<std::size_t>(joint)] = way;
    }
  }

  // A point of the laws of the box that is in the cones of what rolls: by a polygon about each, or where that
  // gives none inside by one within each, or by cuts.
  Verdict point(VectorXd& c) {
    for (int pass = 0; pass < kCuts; ++pass) {
      VectorXd y;
      const Verdict verdict = laws_.find(p_.rows(), y);
      if (verdict != Verdict::point) return verdict;
      const bool inside = cut_outside(y) || (pass == 0 && point_within(y));
      c = unit_ * scale_.cwiseProduct(y);
      if (inside) return Verdict::point;
    }
    return Verdict::undecided;
  }
  // True where nothing had to be cut.
  bool cut_outside(const VectorXd& y) {
    bool inside = true;
    for (int i = 0; i < p_.contacts(); ++i) {
      if (!rolls(i)) continue;
      const double size = std::hypot(y[3 * i + 1], y[3 * i + 2]);
      if (!(size > mu(i) * y[3 * i] + 4 * kThin * (1 + size))) continue;
      cut(i, std::atan2(y[3 * i + 2], y[3 * i + 1]), 1);
      inside = false;
    }
    return inside;
  }
  bool point_within(VectorXd& y) {
    const std::size_t size = laws_.size();
    for (int i = 0; i < p_.contacts(); ++i)
      for (int k = 0; rolls(i) && k < kSides; ++k) cut(i, (2 * k + 1) * kPi / kSides, std::cos(kPi / kSides));
    const bool found = laws_.find(p_.rows(), y) == Verdict::point;
    laws_.cut_to(size);
    return found;
  }

  bool known(const VectorXd& c) const {
    for (const Solution& other : out_.different)
      if (same_motion(p_, c, other.c)) return true;
    return false;
  }
  // By Newton's method.
  VectorXd polish(const VectorXd& c) const {
    const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> A = p_.A;
    contact::acceleration::Problem<double, 3> view;
    view.contact = {p_.contacts(), A.data(), p_.rows(), p_.b.data(), p_.mu.data(), nullptr};
    view.velocity = p_.velocity.data();
    contact::acceleration::ConeWorkspace<double, 3, kMostInSpace + kMostJoints> workspace;
    std::copy_n(c.data(), p_.rows(), workspace.c.begin());
    contact::FixedPointOptions options;
    options.iterations = 20;
    solve_cone(view, workspace, options);
    return Eigen::Map<const VectorXd>(workspace.c.data(), p_.rows());
  }

  // A solution is one wherever Newton's method comes to it from a point of the laws of a box.
  bool find_new(const VectorXd& c) {
    const VectorXd better = polish(c);
    const bool gains = p_.measure(better) <= p_.measure(c);
    if (gains && p_.measure(better) <= kSolved && !known(better)) add(better);
    if (known(c)) return true;
    if (!(p_.measure(c) <= kSolved)) return false;
    add(c);
    return true;
  }
  void add(const VectorXd& c) {
    const VectorXd a = p_.accelerations(c);
    out_.different.push_back({c, a, modes_at(c, a), out_.sets++});
  }
  std::vector<ContactMode> modes_at(const VectorXd& c, const VectorXd& a) const {
    const double small = kApart * p_.largest_b();
    std::vector<ContactMode> out;
    for (int i = 0; i < p_.contacts(); ++i) {
      if (p_.is_joint(i)) {
        const double rate = a[3 * i + 1];
        out.push_back({true, {rate > small ? 1 : rate < -small ? -1 : 0, 0}});
        continue;
      }
      const bool closed = c[3 * i] * p_.A(3 * i, 3 * i) > small || !(a[3 * i] > small);
      const bool starts = !p_.slides(i) && mu(i) > 0 && std::hypot(a[3 * i + 1], a[3 * i + 2]) > small;
      out.push_back({closed, {}, closed && starts});
    }
    return out;
  }

  // Whether all that the laws of the box allow is one solution that is known. Beside it they contradict each
  // other by too little to be sure, so that is asked of narrow boxes without a point, too.
  bool is_settled(const Box& box, Verdict verdict, const VectorXd& c) {
    double widest = 0;
    for (std::size_t k = 0; k < starts_.size(); ++k) widest = std::fmax(widest, box.half[k]);
    if (verdict != Verdict::point && widest > kNear) return false;
    for (const Solution& other : out_.different)
      if ((verdict != Verdict::point || same_motion(p_, c, other.c)) && none_differs(other.a)) return true;
    return false;
  }

  // Whether the laws let no acceleration differ by kApart of the largest |b| from these.
  bool none_differs(const VectorXd& a) {
    const std::size_t size = laws_.size();
    bool none = true;
    for (int r = 0; r < p_.rows() && none; ++r)
      for (const int side : {1, -1}) {
        VectorXd y;
        laws_.add(side * of_a(r), scale_[r] / unit_ * (side * (p_.b[r] - a[r]) - kApart * p_.largest_b()));
        none = none && laws_.find(p_.rows(), y) == Verdict::empty;
        laws_.cut_to(size);
      }
    return none;
  }

  const InstantProblem& p_;
  const std::vector<ContactMode>& modes_;
  int& boxes_;
  Solutions& out_;
  VectorXd scale_;
  double unit_ = 1;
  std::vector<int> starts_;
  std::vector<Box> left_;
  LinearSet laws_;
  std::size_t fixed_ = 0;
};

}  // namespace

bool search_round(const InstantProblem& p, const std::vector<ContactMode>& modes, int& boxes,
                  Solutions& out) {
  return Search(p, modes, boxes, out).run();
}

}  // namespace tactus::host
