#include "skyhook/simulation/drive_jumps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace skyhook::simulation {
namespace {

using model::Motion2;

struct Point {
  double t = 0, value = 0, slope = 0;
};

// The value or the rate of a motion, with its own derivative.
class Signal {
 public:
  Signal(const model::Motion& motion, bool of_value, double from, double until)
      : motion_(motion), of_value_(of_value), from_(from), until_(until) {}

  Point at(double t) const {
    const Motion2 m = motion_.at(t);
    return of_value_ ? Point{t, m.value, m.rate} : Point{t, m.rate, m.acceleration};
  }

  std::optional<Jump> first_jump() const {
    constexpr int intervals = 2000;
    std::vector<Point> x;
    for (int k = 0; k <= intervals; ++k) x.push_back(at(from_ + (until_ - from_) * k / intervals));
    const double finite = smallest_jump(x);
    for (int k = 0; k < intervals; ++k) {
      if (const auto jump = within(x[k], x[k + 1], finite)) return jump;
    }
    return {};
  }

 private:
  // Of the change between two points, what the derivatives do not tell: O(h³) where the signal is smooth, O(h) at a corner,
  // the height of the jump where there is one.
  static double unexplained(const Point& a, const Point& b) {
    return std::abs(b.value - a.value - 0.5 * (b.t - a.t) * (a.slope + b.slope));
  }

  // Well above rounding, which grows with the size of the terms and the phase of fast sines.
  static double smallest_jump(const std::vector<Point>& x) {
    double low = 0, high = 0;
    bool first = true;
    for (const Point& p : x) {
      if (!std::isfinite(p.value)) continue;
      low = first ? p.value : std::min(low, p.value), high = first ? p.value : std::max(high, p.value);
      first = false;
    }
    return std::max(1e-6 * (high - low), 1e-10 * std::max(std::abs(low), std::abs(high)));
  }

  // Bisection towards the half that explains itself less. What is not finite compares false: no jump.
  std::optional<Jump> within(Point a, Point b, double finite) const {
    const double narrow = 1e-14 * std::max({std::abs(a.t), std::abs(b.t), until_ - from_});
    while (unexplained(a, b) > finite) {
      const Point middle = at(0.5 * (a.t + b.t));
      if (b.t - a.t <= narrow) return between(a.t - narrow, b.t + narrow);
      (unexplained(a, middle) >= unexplained(middle, b) ? b : a) = middle;
    }
    return {};
  }

  // A little wider than where it was found: at the jump itself the signal may take a value in between. None where the signal
  // ends: that is told when the run gets there.
  std::optional<Jump> between(double a, double b) const {
    a = std::max(a, from_), b = std::min(b, until_);
    const double height = at(b).value - at(a).value;
    if (!std::isfinite(height)) return {};
    return Jump{0.5 * (a + b), height, of_value_};
  }

  const model::Motion& motion_;
  bool of_value_;
  double from_, until_;
};

Location place_of(const model::Joint& joint, int dof) {
  const auto k = static_cast<std::size_t>(dof);
  return k < joint.drive_where.size() && !joint.drive_where[k].file.empty() ? joint.drive_where[k] : joint.where;
}

std::string warning_of(const Jump& jump, const model::Joint& joint, int dof) {
  const char* unit = joint.shape.dofs[dof].kind == model::Dof::Kind::prismatic ? "m" : "rad";
  return fmt::format(
      "The drive of joint \"{}\" ({}) is not smooth: its {} jumps by {:.4g} {}{} at t = {:.6g} s. What it carries "
      "takes part "
      "in the jump, as if fixed to it for an instant. Round the corner, for example with a table or tanh.",
      joint.name, joint.shape.dofs[dof].name, jump.of_value ? "value" : "rate", jump.height, unit,
      jump.of_value ? "" : "/s", jump.t);
}

}  // namespace

std::optional<Jump> find_jump(const model::Motion& motion, double from, double until) {
  if (!(until > from)) return {};
  if (const auto jump = Signal(motion, true, from, until).first_jump()) return jump;
  return Signal(motion, false, from, until).first_jump();
}

std::vector<DriveJump> drive_jumps(const formalism::recursive::Equations& equations, double from, double until) {
  std::vector<DriveJump> out;
  const auto& tree = equations.tree();
  for (const auto& driven : tree.driven) {
    const auto jump = find_jump(*tree.nodes[driven.node].drive, from, until);
    const model::Joint& joint = equations.model().joints[driven.joint];
    if (jump) out.push_back({jump->t, place_of(joint, driven.dof), warning_of(*jump, joint, driven.dof)});
  }
  return out;
}

std::string drive_without_number(const formalism::recursive::Equations& equations, double t, double width) {
  const auto& tree = equations.tree();
  for (const auto& driven : tree.driven) {
    for (double ahead : {0.0, 1e-6 * width, 1e-3 * width, width}) {
      const Motion2 m = tree.nodes[driven.node].drive->at(t + ahead);
      if (std::isfinite(m.value) && std::isfinite(m.rate) && std::isfinite(m.acceleration)) continue;
      const model::Joint& joint = equations.model().joints[driven.joint];
      return fmt::format("The drive of joint \"{}\" ({}) gives no finite number at t = {:.9g} s. ", joint.name,
                         joint.shape.dofs[driven.dof].name, t + ahead);
    }
  }
  return {};
}

}  // namespace skyhook::simulation
