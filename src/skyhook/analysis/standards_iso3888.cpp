// ISO 3888-1 and -2, lane changes: sections, widths and offsets from general knowledge of them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "skyhook/analysis/standards.h"

namespace skyhook::analysis {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// A part of the course between cones.
struct Lane {
  int section;
  double begin, end, right, left;  // m, from the start of the course and the right border of the first lane
};

// Right borders of the first and the last lane are in line. The side lane of part 1 lies 3.5 m to the left of that, that of part 2 begins 1 m to
// the left of the left border of the first.
std::vector<Lane> lanes_of(const std::string& course, double width) {
  const double first = 1.1 * width + 0.25;
  if (course == "1") {
    const double side = 1.2 * width + 0.25, last = 1.3 * width + 0.25;
    return {{1, 0, 15, 0, first}, {3, 45, 70, 3.5, 3.5 + side}, {5, 95, 110, 0, last}, {6, 110, 125, 0, last}};
  }
  const double side = width + 1, last = std::max(3.0, 1.3 * width + 0.25);
  return {{1, 0, 12, 0, first}, {3, 25.5, 36.5, first + 1, first + 1 + side}, {5, 49, 61, 0, last}};
}

struct Cone {
  int section;
  const char* side;
  double x, y;
  double clearance = infinity, time = 0;  // least distance of the outline; negative inside
};

// At both ends of each border and evenly between, at most 3 m apart. They stand beside the lane: a border is the inner edge of their feet.
std::vector<Cone> cones_of(const std::vector<Lane>& lanes, double start, double right) {
  std::vector<Cone> out;
  for (const Lane& lane : lanes) {
    const int gaps = static_cast<int>(std::ceil((lane.end - lane.begin) / 3));
    const bool goes_on = !out.empty() && out.back().x == start + lane.begin;  // from a lane that has its cones there
    for (int k = goes_on ? 1 : 0; k <= gaps; ++k) {
      const double x = start + lane.begin + (lane.end - lane.begin) * k / gaps;
      out.push_back({lane.section, "right", x, right + lane.right}),
          out.push_back({lane.section, "left", x, right + lane.left});
    }
  }
  return out;
}

struct Outline {
  double front, rear, half_width;
  // Of a cone in axes of the car that shall stay on this side of it, 1: left, -1: right. Negative beside the car: inside of the outline, or
  // on the wrong side of it.
  double clearance(double along, double across, double side) const {
    const double dx = std::max(along - front, -rear - along), dy = side * across - half_width;
    return dx <= 0 ? dy : std::hypot(dx, std::max(dy, 0.0));
  }
};

struct Path {
  Signal x, y, yaw;
};

// The path in steps of at most 5 cm.
void drive(const Path& path, const Outline& car, std::vector<Cone>& cones) {
  for (std::size_t k = 1; k < path.x.x.size(); ++k) {
    const double t0 = path.x.x[k - 1], t1 = path.x.x[k];
    const double way = std::hypot(path.x.y[k] - path.x.y[k - 1], path.y.y[k] - path.y.y[k - 1]);
    const int steps = std::max(1, static_cast<int>(std::ceil(way / 0.05)));
    for (int i = 0; i < steps; ++i) {
      const double t = t0 + (t1 - t0) * i / steps, x = path.x.at(t), y = path.y.at(t), yaw = path.yaw.at(t);
      for (Cone& cone : cones) {
        const double dx = cone.x - x, dy = cone.y - y;
        if (std::abs(dx) > 20) continue;
        const double d = car.clearance(dx * std::cos(yaw) + dy * std::sin(yaw), dy * std::cos(yaw) - dx * std::sin(yaw),
                                       cone.side == std::string_view("left") ? 1 : -1);
        if (d < cone.clearance) cone.clearance = d, cone.time = t;
      }
    }
  }
}

double speed_at(const Path& path, const std::optional<Signal>& speed, double t) {
  if (speed) return speed->at(t);
  return std::hypot(derivative(path.x).at(t), derivative(path.y).at(t));
}

void add_curves(const Path& path, const std::vector<Lane>& lanes, double start, double right, Evaluation& out) {
  Signal y, left, lower;
  y.name = "path", left.name = "path.left_border", lower.name = "path.right_border";
  for (Signal* s : {&y, &left, &lower}) s->unit = "m", s->abscissa = {"x", "m"};
  for (std::size_t k = 0; k < path.x.x.size(); ++k) {
    const double x = path.x.y[k];
    if (!y.x.empty() && x <= y.x.back()) continue;
    const auto lane =
        std::ranges::find_if(lanes, [&](const Lane& l) { return x >= start + l.begin && x <= start + l.end; });
    const bool is_in = lane != lanes.end();
    for (Signal* s : {&y, &left, &lower}) s->x.push_back(x);
    y.y.push_back(path.y.y[k]);
    left.y.push_back(is_in ? right + lane->left : std::nan("")),
        lower.y.push_back(is_in ? right + lane->right : std::nan(""));
  }
  out.curves = {y, left, lower};
}

struct Passage {
  double entry = 0, exit = 0, clearance = infinity;
  int hits = 0;
};

Passage evaluate_run(const EvaluationInputs& inputs, std::size_t run, Evaluation& out) {
  const double width = inputs.quantity_or_refuse("width"), length = inputs.quantity_or_refuse("length");
  const double front = inputs.quantity("front").value_or(length / 2), start = *inputs.quantity("start");
  const std::vector<Lane> lanes = lanes_of(inputs.text("course"), width);
  const double right = *inputs.quantity("centre") - lanes[0].left / 2;
  const Path path{inputs.required("x", run), inputs.required("y", run), inputs.required("yaw", run)};
  const auto speed = inputs.channel("speed", run);
  const double end = start + lanes.back().end;
  const auto t_in = first_at(path.x, start - front, path.x.x.front()),
             t_out = first_at(path.x, end + length - front, path.x.x.front());
  if (!t_in || path.x.y.front() > start - front)
    inputs.fail(fmt::format("{} does not enter the course: its front end goes from x = {:.4g} m to {:.4g} m, the first "
                            "cones stand at {:g} m.",
                            inputs.run(run).name, path.x.y.front() + front, largest(path.x) + front, start),
                "Give the x of the first cones with --start, or let the run begin earlier.");
  std::vector<Cone> cones = cones_of(lanes, start, right);
  drive(path, {front, length - front, width / 2}, cones);
  Passage p;
  p.entry = speed_at(path, speed, *t_in), p.exit = t_out ? speed_at(path, speed, *t_out) : std::nan("");
  const std::string prefix = inputs.runs() > 1 ? inputs.run(run).name + "." : "";
  if (!t_out) out.notes.push_back(inputs.run(run).name + " does not leave the course: it counts as not kept");
  for (const Lane& lane : lanes) {
    double least = infinity;
    for (const Cone& c : cones) {
      if (c.section != lane.section) continue;
      least = std::min(least, c.clearance);
      if (c.clearance >= 0) continue;
      ++p.hits;
      out.notes.push_back(fmt::format("{}section {}: {} cone at x = {:.4g} m {} at {:.4g} s, by {:.2g} m", prefix,
                                      c.section, c.side, c.x, -c.clearance > width ? "passed on the wrong side" : "hit",
                                      c.time, -c.clearance));
    }
    p.clearance = std::min(p.clearance, least);
    if (inputs.runs() == 1)
      out.numbers.push_back(
          {fmt::format("section_{}.clearance", lane.section), "m", least, "least distance of the outline from a cone"});
  }
  out.numbers.push_back({prefix + "entry_speed", "m/s", p.entry, "as the front end passes the first cones"});
  out.numbers.push_back({prefix + "exit_speed", "m/s", p.exit, "as the rear end passes the last cones"});
  out.numbers.push_back({prefix + "cones_hit", "-", static_cast<double>(p.hits), fmt::format("of {}", cones.size())});
  out.numbers.push_back({prefix + "clearance", "m", p.clearance, "least of all"});
  if (!t_out) p.hits = std::max(p.hits, 1);
  if (run == 0) add_curves(path, lanes, start, right, out);
  return p;
}

}  // namespace

void evaluate_iso3888(const EvaluationInputs& inputs, Evaluation& out) {
  const std::string course = inputs.text("course");
  if (course != "1" && course != "2")
    inputs.fail("course is \"" + course + "\".", "Give 1 (double lane change) or 2 (obstacle avoidance).");
  double kept = 0, failed = infinity;
  for (std::size_t run = 0; run < inputs.runs(); ++run) {
    const Passage p = evaluate_run(inputs, run, out);
    if (p.hits == 0)
      kept = std::max(kept, p.entry);
    else
      failed = std::min(failed, p.entry);
  }
  if (inputs.runs() > 1) {
    if (kept > 0) out.numbers.push_back({"largest_entry_speed", "m/s", kept, "of the runs that kept all cones"});
    if (failed < infinity) out.numbers.push_back({"smallest_entry_speed_with_hits", "m/s", failed, "of the others"});
  }
  out.notes.push_back(failed == infinity ? "all cones kept" : kept > 0 ? "some runs hit cones" : "cones hit");
}

}  // namespace skyhook::analysis
