#include "skyhook/simulation/drive_jumps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "skyhook/simulation/each_drive.h"
#include "skyhook/simulation/instant.h"

namespace skyhook::simulation {
namespace {

using model::Motion2;

// Within this distance a jump is known to lie, and not more than that it is passed by: events at the same instant still meet it.
double half_width(double t, double span) { return 0.25 * rounding_at(t, 1e-3 * span); }

struct Point {
  double t = 0, value = 0, slope = 0;
};

double time_of(int k, int intervals, double from, double until) { return from + (until - from) * k / intervals; }

// The value or the rate of a motion, with its own derivative.
class Signal {
 public:
  Signal(const model::Motion& motion, bool of_value, double from, double until)
      : motion_(motion), of_value_(of_value), from_(from), until_(until) {}

  Point at(double t) const { return point(t, motion_.at(t)); }

  // `motions`: at equal distances from the first time to the last.
  std::vector<Jump> jumps(const std::vector<Motion2>& motions) const {
    const int intervals = static_cast<int>(motions.size()) - 1;
    std::vector<Jump> out;
    std::vector<Point> x;
    x.reserve(motions.size());
    for (int k = 0; k <= intervals; ++k) x.push_back(point(time_of(k, intervals, from_, until_), motions[k]));
    const double finite = smallest_jump(x);
    for (int k = 0; k < intervals; ++k) {
      if (k > 0 && k + 1 < intervals && unexplained_beside(&x[k]) <= finite) continue;
      const auto jump = within(x[k], x[k + 1], finite);
      if (jump && (out.empty() || !same_instant(out.back().t, jump->t))) out.push_back(*jump);
    }
    return out;
  }

 private:
  Point point(double t, const Motion2& m) const {
    return of_value_ ? Point{t, m.value, m.rate} : Point{t, m.rate, m.acceleration};
  }

  // Of the change between two points, what the derivatives do not tell: O(h³) where the signal is smooth, O(h) at a corner,
  // the height of the jump where there is one.
  static double unexplained(const Point& a, const Point& b) {
    return std::abs(b.value - a.value - 0.5 * (b.t - a.t) * (a.slope + b.slope));
  }

  // The same with the slopes of the points before and behind: O(h⁵) where the signal is smooth, so that most intervals need no closer look. At a jump it
  // is the height as well, be it within the interval or beside it.
  static double unexplained_beside(const Point* p) {
    return std::abs(p[1].value - p[0].value -
                    (p[1].t - p[0].t) / 24 * (13 * (p[0].slope + p[1].slope) - p[-1].slope - p[2].slope));
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
    const double narrow = 0.1 * half_width(std::max(std::abs(a.t), std::abs(b.t)), until_ - from_);
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

Location place_of(const model::Joint& joint, std::size_t dof) {
  return dof < joint.drive_where.size() && !joint.drive_where[dof].file.empty() ? joint.drive_where[dof] : joint.where;
}

Location place_of(const model::Model& model, const Owner& owner, int k) {
  if (owner.kind != "drive of joint") {
    const auto what = std::ranges::find(model.contributions, owner.name, &model::Contribution::name);
    return what == model.contributions.end() ? Location{} : what->where;
  }
  const auto joint = std::ranges::find(model.joints, owner.name, &model::Joint::name);
  return joint == model.joints.end() ? Location{} : place_of(*joint, static_cast<std::size_t>(k));
}

// Of a joint coordinate; of a rod, and of a coupler, whose unit depends on what it couples.
std::string warning_of(const Jump& jump, const std::string& drive, const char* unit) {
  return fmt::format(
      "The {} is not smooth: its {} jumps by {:.4g} {}{} at t = {:.6g} s. {} Round the corner, for example with a "
      "table "
      "or tanh.",
      drive, jump.of_value ? "value" : "rate", jump.height, unit, jump.of_value ? "" : "/s", jump.t,
      jump.of_value ? "All that it moves leaps there." : "Its impulse changes the velocities there at once.");
}

const model::Dof* driven_dof(const model::Model& model, const Owner& owner, int k) {
  const auto joint = std::ranges::find(model.joints, owner.name, &model::Joint::name);
  if (owner.kind != "drive of joint" || joint == model.joints.end()) return nullptr;
  return &joint->shape.dofs[static_cast<std::size_t>(k)];
}

std::string warning_of(const Jump& jump, const model::Model& model, const Owner& owner, int k) {
  const model::Dof* dof = driven_dof(model, owner, k);
  const char* of_others = owner.kind == "drive of rod" ? "m" : "(SI)";
  const char* unit = !dof ? of_others : dof->is_length() ? "m" : "rad";
  return warning_of(jump, name_of_drive(model, owner, k), unit);
}

}  // namespace

std::vector<Jump> find_jumps(const model::Motion& motion, double from, double until) {
  constexpr int intervals = 2000;
  if (!(until > from) || motion.is_constant()) return {};
  std::vector<double> times;
  times.reserve(intervals + 1);
  for (int k = 0; k <= intervals; ++k) times.push_back(time_of(k, intervals, from, until));
  const std::vector<Motion2> motions = motion.at(times);
  std::vector<Jump> jumps = Signal(motion, true, from, until).jumps(motions);
  std::erase_if(jumps,
                [](const Jump& jump) { return !(jump.height > 1e-12); });  // rounding, where a run starts beside one
  std::ranges::copy(Signal(motion, false, from, until).jumps(motions), std::back_inserter(jumps));
  return jumps;
}

double DriveJumps::left() const {
  return next < instants.size() ? instants[next] - half_width(instants[next], span)
                                : std::numeric_limits<double>::infinity();
}

double DriveJumps::right() const {
  return next < instants.size() ? instants[next] + half_width(instants[next], span)
                                : std::numeric_limits<double>::infinity();
}

bool DriveJumps::is_at(double t) const { return t >= left() || same_instant(t, left(), span); }

double DriveJumps::instant(double t) const {
  const auto jump = std::ranges::lower_bound(instants, t - 2 * half_width(t, span));
  return jump != instants.end() && *jump - t <= 2 * half_width(t, span) ? *jump : t;
}

DriveJumps drive_jumps(const model::Model& model, double from, double until) {
  DriveJumps out;
  out.span = until - from;
  for_each_drive(model, [&](const Owner& owner, int k, const model::Motion& motion) {
    const std::vector<Jump> jumps = find_jumps(motion, from, until);
    if (!jumps.empty())
      out.first.push_back({jumps[0].t, place_of(model, owner, k), warning_of(jumps[0], model, owner, k)});
    for (const Jump& jump : jumps) out.instants.push_back(jump.t);
  });
  std::ranges::sort(out.instants);
  const auto same = [](double a, double b) { return same_instant(a, b); };
  out.instants.erase(std::unique(out.instants.begin(), out.instants.end(), same), out.instants.end());
  return out;
}

std::string name_of_drive(const model::Model& model, const Owner& owner, int k) {
  const model::Dof* dof = driven_dof(model, owner, k);
  return fmt::format("{} \"{}\"{}", owner.kind, owner.name, dof ? " (" + dof->name + ")" : "");
}

Location place_of_drive(const model::Model& model, const Owner& owner, int k) { return place_of(model, owner, k); }

std::string drive_without_number(const model::Model& model, double t, double width) {
  std::string found;
  for_each_drive(model, [&](const Owner& owner, int k, const model::Motion& motion) {
    for (double ahead : {0.0, 1e-6 * width, 1e-3 * width, width}) {
      const Motion2 m = motion.at(t + ahead);
      if (!found.empty() || (std::isfinite(m.value) && std::isfinite(m.rate) && std::isfinite(m.acceleration)))
        continue;
      found = fmt::format("The {} gives no finite number at t = {:.9g} s. ", name_of_drive(model, owner, k), t + ahead);
    }
  });
  return found;
}

}  // namespace skyhook::simulation
