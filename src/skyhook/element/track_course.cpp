#include "skyhook/element/track_course.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "skyhook/element/track_gradients.h"

namespace skyhook::element {
namespace {

using model::Along, model::TrackPiece, model::TrackSegment;

// One behind the other; of a transition the values follow from its neighbours.
struct Part {
  const TrackSegment* of;
  double length = 0;
  bool is_transition = false, is_turnout = false;
  double curvature = 0, cant = 0, widening = 0;  // cant: positive where the left rail is the higher one
};

[[noreturn]] void refuse(const TrackSegment& s, const std::string& what, const std::string& advice) {
  throw ModelError(s.where, "the " + s.type + " " + what, advice);
}

double needed(const TrackSegment& s, const std::optional<double>& value, const char* name) {
  if (!value)
    refuse(s, fmt::format("needs \"{}\".", name), fmt::format("Add it: {{type: {}, {}: ...}}.", s.type, name));
  return *value;
}

void check_unused(const TrackSegment& s) {
  const bool arc = s.type == "curve", turnout = s.type == "turnout" || s.type == "line_change";
  const auto no = [&](bool given, const char* name) {
    if (given) refuse(s, fmt::format("has no \"{}\".", name), "Remove it.");
  };
  no(s.length && turnout, "length");
  no(s.radius && !arc && !turnout, "radius");
  no(!s.turn.empty() && !arc && !turnout, "turn");
  no(s.cant && !arc, "cant");
  no(s.widening && !arc, "widening");
  no(!s.shape.empty() && s.type != "transition", "shape");
  no(!s.angle.empty() && !turnout, "angle");
  no(s.distance && s.type != "line_change", "distance");
}

double side_of(const TrackSegment& s) {
  if (s.turn.empty()) refuse(s, "does not say where it goes.", "Add `turn: left` or `turn: right`.");
  return s.turn == "left" ? 1 : -1;
}

double angle_of(const TrackSegment& s) {
  if (s.angle.empty()) refuse(s, "needs \"angle\".", "Add it: angle: \"1:12\".");
  return std::atan(ratio_of(s.angle, s.where, "angle"));
}

// Arc, straight and arc back: distance = 2 R (1 - cos a) + straight sin a.
void add_line_change(const TrackSegment& s, std::vector<Part>& parts) {
  const double radius = needed(s, s.radius, "radius"), distance = needed(s, s.distance, "distance"), a = angle_of(s);
  const double half = std::sin(0.5 * a), between = (distance - 4 * radius * half * half) / std::sin(a);
  if (between < 0)
    refuse(s,
           fmt::format("leads to a track {:.3g} m beside, farther than its distance of {:.3g} m.",
                       4 * radius * half * half, distance),
           "Give a smaller angle or radius, or a greater distance.");
  const double k = side_of(s) / radius;
  parts.push_back({&s, radius * a, false, true, k});
  if (between > 0) parts.push_back({&s, between, false, true});
  parts.push_back({&s, radius * a, false, true, -k});
}

void add_parts(const TrackSegment& s, std::vector<Part>& parts) {
  check_unused(s);
  if (s.type == "line_change") return add_line_change(s, parts);
  if (s.type == "turnout") {
    const double radius = needed(s, s.radius, "radius");
    parts.push_back({&s, radius * angle_of(s), false, true, side_of(s) / radius});
    return;
  }
  Part p{&s, needed(s, s.length, "length"), s.type == "transition"};
  if (s.type == "curve") {
    const double side = side_of(s);
    p.curvature = side / needed(s, s.radius, "radius");
    p.cant = -side * s.cant.value_or(0), p.widening = s.widening.value_or(0);
  }
  parts.push_back(p);
}

// a + (b - a) f
Along blend(double a, double b, Along f) {
  for (double& c : f.c) c *= b - a;
  f.c[0] += a, f.sine *= b - a, f.cosine *= b - a;
  return f;
}

Along rising(const std::string& shape, double length) {
  Along f;
  if (shape == "bloss")
    f.c[2] = 3 / (length * length), f.c[3] = -2 / (length * length * length);
  else if (shape == "sine")
    f.c[1] = 1 / length, f.sine = -0.5 / std::numbers::pi, f.number = 2 * std::numbers::pi / length;
  else
    f.c[1] = 1 / length;
  return f;
}

struct Stretch {
  double begin, length;
  Along rise;
};
// A straight ramp from 0 to 1 whose corners are rounded: its slope m rises and falls as 3 u^2 - 2 u^3 over r, so that m (length - r) = 1.
std::vector<Stretch> rounded_ramp(double length, double rounding) {
  const double r = std::min(rounding, 0.5 * length), m = 1 / (length - r);
  Along up, on, down;
  up.c[3] = m / (r * r), up.c[4] = -0.5 * m / (r * r * r);
  on.c[0] = 0.5 * m * r, on.c[1] = m;
  down.c[0] = 1 - 0.5 * m * r, down.c[1] = m, down.c[3] = -m / (r * r), down.c[4] = 0.5 * m / (r * r * r);
  std::vector<Stretch> out{{0, r, up}};
  if (length > 2 * r) out.push_back({r, length - 2 * r, on});
  out.push_back({length - r, r, down});
  return out;
}

std::vector<Stretch> cant_ramp(const Part& p, double rounding) {
  if (p.of->shape.empty() || p.of->shape == "clothoid") return rounded_ramp(p.length, rounding);
  return {{0, p.length, rising(p.of->shape, p.length)}};
}

TrackPiece constant_piece(const Part& p, double base) {
  TrackPiece piece{.length = p.length};
  piece.curvature.c[0] = p.curvature, piece.tilt.c[0] = p.cant / base, piece.widening.c[0] = p.widening;
  return piece;
}

void add_transition(const Part& from, const Part& p, const Part& to, const CourseOptions& o,
                    std::vector<TrackPiece>& out) {
  if (from.cant * to.cant < 0 && o.about_inner)
    refuse(*p.of, "turns the cant from one side to the other, so that the inner rail becomes the outer one.",
           "Put a straight between two transitions, or give the track `pivot: centre`.");
  const Along bend = blend(from.curvature, to.curvature, rising(p.of->shape, p.length));
  for (const Stretch& s : cant_ramp(p, o.rounding))
    out.push_back({s.length,
                   bend.from(s.begin),
                   {},
                   blend(from.cant / o.base, to.cant / o.base, s.rise),
                   blend(from.widening, to.widening, s.rise)});
}

void check_step(const Part& from, const Part& to, double s, Course& course) {
  if (from.cant != to.cant)
    refuse(*to.of, fmt::format("has another cant than what is before it, {:.4g} m after {:.4g} m.", to.cant, from.cant),
           "Put a transition between them.");
  if (from.widening != to.widening)
    refuse(*to.of, "has another gauge than what is before it.", "Put a transition between them.");
  if (from.curvature != to.curvature && !from.is_turnout && !to.is_turnout)
    course.jumps.push_back({to.of->where, s, from.curvature, to.curvature});
}

void check_cant(const Part& p, double base) {
  if (tips_over(p.cant, base))
    refuse(*p.of,
           fmt::format("has a cant of {:.4g} m on a base of {:.4g} m: a vehicle tips over that stands on it.",
                       std::abs(p.cant), base),
           "Give a smaller one; lines have 0.18 m at most.");
}

}  // namespace

bool tips_over(double cant, double base) { return !(std::abs(cant) < 0.5 * base); }

double ratio_of(const std::string& text, const Location& where, const char* what) {
  const auto number = [](std::string_view t) -> std::optional<double> {
    double x = 0;
    const auto end = std::from_chars(t.data(), t.data() + t.size(), x);
    return end.ec == std::errc{} && end.ptr == t.data() + t.size() ? std::optional(x) : std::nullopt;
  };
  const std::size_t colon = text.find(':');
  const auto first = number(std::string_view(text).substr(0, colon));
  const auto second = colon == std::string::npos ? 1.0 : number(std::string_view(text).substr(colon + 1));
  if (!first || !second || *second == 0)
    throw ModelError(where, fmt::format("{} is \"{}\", which is no ratio.", what, text),
                     "Write \"1:40\", or a number, 0.025.");
  return *first / *second;
}

Course course_of(const std::vector<TrackSegment>& segments, const std::vector<model::GradientChange>& gradients,
                 const CourseOptions& options) {
  std::vector<Part> parts;
  for (const TrackSegment& s : segments) add_parts(s, parts);
  Course course;
  const Part straight{parts.empty() ? nullptr : parts.back().of};
  double s = 0;
  for (std::size_t k = 0; k < parts.size(); s += parts[k++].length) {
    const Part &p = parts[k], &before = k > 0 ? parts[k - 1] : straight;
    if (p.is_transition && before.is_transition)
      refuse(*p.of, "follows a transition: what is between them is not known.", "Put a straight or curve there.");
    check_cant(p, options.base);
    if (p.is_transition)
      add_transition(before, p, k + 1 < parts.size() ? parts[k + 1] : straight, options, course.pieces);
    else
      course.pieces.push_back(constant_piece(p, options.base));
    if (k > 0 && !p.is_transition && !before.is_transition) check_step(before, p, s, course);
  }
  climb(course.pieces, gradients, options.about_inner ? 0.5 * options.base : 0.0);
  return course;
}

}  // namespace skyhook::element
