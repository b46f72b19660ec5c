#include "skyhook/element/track/line.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "skyhook/element/finding.h"
#include "skyhook/element/profile_kind.h"
#include "skyhook/element/track_course.h"
#include "skyhook/element/track_irregularity.h"
#include "skyhook/element/track_measured.h"
#include "skyhook/model/track_line.h"

namespace skyhook::element {
namespace {

using model::Along, model::TrackPiece;

void check(const RailLine& l, double base, const model::FieldSource& source) {
  if (!(base > l.gauge))
    fail(source, "base",
         fmt::format("the gauge of {:.4g} m is not smaller than the distance of the rails' middles, {:.4g} m.", l.gauge,
                     base),
         "Rails have heads of some 70 mm: the base is wider than the gauge by that.");
  for (const auto& [sign, name] : {std::pair{l.along, "along"}, std::pair{l.across, "across"}}) {
    if (std::abs(sign) != 1.0) fail(source, name, std::string(name) + " is neither 1 nor -1.", "Write 1 or -1.");
  }
  if (l.curvature && (!l.layout.empty() || !l.gradients.empty()))
    fail(source, "curvature", "it is laid twice, by `curvature` and by `layout` or `gradients`.",
         "Remove one of them.");
  if (!l.curvature && (l.cant || l.gradient))
    fail(source, l.cant ? "cant" : "gradient", "it is given without `curvature`.", "Give the curvature as well.");
  if (l.layout.empty() && !l.gradients.empty())
    fail(source, "gradients", "gradients are given without `layout`.",
         "Give it: layout: [{type: straight, length: 10 km}].");
}

const PiecewiseCubic* rows_of(const std::optional<model::Curve>& curve, const char* field,
                              const model::FieldSource& source) {
  if (!curve) return nullptr;
  const MonotoneCubic* rows = curve->table();
  if (!rows)
    fail(source, field, std::string(field) + " is a formula.", "Give a table over the way, with rows or a file.");
  if (rows->first() > 0)
    fail(source, field, fmt::format("{} begins at {:.6g} m.", field, rows->first()), "Let the way begin at 0.");
  return rows;
}

// As segments are checked; monotone curves are highest at their rows.
void check_cant(const std::vector<TrackPiece>& pieces, double base, bool about_inner,
                const model::FieldSource& source) {
  double s = 0;
  for (const TrackPiece& p : pieces) {
    const double before = -base * p.tilt.at(0), behind = -base * p.tilt.at(p.length);
    for (const auto& [x, cant] : {std::pair{0.0, before}, std::pair{p.length, behind}}) {
      if (!tips_over(cant, base)) continue;
      fail(source, "cant",
           fmt::format("at {:.6g} m the cant is {:.4g} m on a base of {:.4g} m: a vehicle tips over that stands on it.",
                       s + x, cant, base),
           "Is the unit of its column right? Lines have 0.18 m at most.");
    }
    if (before * behind < 0 && about_inner)
      fail(source, "cant",
           fmt::format("between {:.6g} m and {:.6g} m the cant turns from one side to the other, so that the inner "
                       "rail becomes the outer one.",
                       s, s + p.length),
           "Give a row with a cant of 0 where it does, or the track `pivot: centre`.");
    s += p.length;
  }
}

void check_gradient(const PiecewiseCubic* rows, double end, const model::FieldSource& source) {
  constexpr double steepest = 0.5;  // as that of `gradients`
  for (int k = 1; rows && k < rows->pieces(); ++k) {
    const double s = std::min(rows->begin_of(k), end), gradient = (*rows)(s);
    if (!(std::abs(gradient) <= steepest))
      fail(source, "gradient", fmt::format("at {:.6g} m it is {:.4g}, more than {}.", s, gradient, steepest),
           "Is the unit of its column right? 0.01 goes up by 1 m on 100 m.");
  }
}

void check_end(const PiecewiseCubic* rows, const std::optional<model::Curve>& curve, const char* field, double end,
               const model::FieldSource& source) {
  if (rows && rows->last() < end && curve->beyond() != model::Beyond::hold &&
      curve->beyond() != model::Beyond::straight)
    fail(source, field, fmt::format("{} ends at {:.6g} m, and the curvature at {:.6g} m.", field, rows->last(), end),
         "Give rows to there, or say how it goes on, with `beyond: hold` or `beyond: straight`.");
}

std::vector<TrackPiece> measured(const RailLine& l, double base, const model::FieldSource& source) {
  const MeasuredCourse given{rows_of(l.curvature, "curvature", source), rows_of(l.cant, "cant", source),
                             rows_of(l.gradient, "gradient", source)};
  if (!(given.curvature->last() > 0)) fail(source, "curvature", "the line has no length.", "Add rows beyond 0.");
  const double end = given.curvature->last();
  check_end(given.cant, l.cant, "cant", end, source), check_end(given.gradient, l.gradient, "gradient", end, source);
  check_gradient(given.gradient, end, source);
  std::vector<TrackPiece> pieces = measured_pieces(given, base, l.pivot == "inner" ? 0.5 * base : 0.0);
  check_cant(pieces, base, l.pivot == "inner", source);
  return pieces;
}

std::vector<TrackPiece> laid(const RailLine& l, double base, const model::FieldSource& source, model::Model& model) {
  const Course course =
      course_of(l.layout, l.gradients, {.base = base, .rounding = l.rounding, .about_inner = l.pivot == "inner"});
  for (const Course::Jump& jump : course.jumps)
    model.warnings.push_back(
        {"no_transition", jump.where,
         fmt::format("track \"{}\": the curvature jumps at {:.6g} m from {:.4g}/m to {:.4g}/m, without a transition.",
                     source.name(), jump.s, jump.before, jump.behind),
         "Put {type: transition, length: ...} between them; turnouts have none, and say so: {type: turnout, ...}."});
  return course.pieces;
}

[[noreturn]] void fail_of_rails(const model::FieldSource& source, const char* field, const std::string& what,
                                const std::string& advice) {
  throw ModelError(source.where(field), "track \"" + source.name() + "\": " + what, advice);
}

// `length`: 0 is without end.
std::vector<model::RailChange> changes_of(const RailLine& l, double length, const model::FieldSource& source) {
  if (l.rails.size() != l.rails_from.size())
    fail_of_rails(source, l.rails.empty() ? "rails_from" : "rails",
                  fmt::format("{} profiles follow, and {} places are given.", l.rails.size(), l.rails_from.size()),
                  "Give a place for each: rails: [worn, uic60], rails_from: [200 m, 350 m].");
  if (l.rails.empty() && l.rails_over != RailLine{}.rails_over)
    fail_of_rails(source, "rails_over", "`rails_over` is given without `rails`.",
                  "Give them as well: rails: [worn], rails_from: [200 m]; or leave it out.");
  std::vector<model::RailChange> out;
  for (std::size_t k = 0; k < l.rails.size(); ++k) {
    if (k > 0 && !(l.rails_from[k] >= l.rails_from[k - 1] + l.rails_over))
      fail_of_rails(source, "rails_from",
                    fmt::format("the rail changes at {:.6g} m before the change at {:.6g} m has ended.",
                                l.rails_from[k], l.rails_from[k - 1]),
                    "Put them apart by more than `rails_over`, in order.");
    if (length > 0 && !(l.rails_from[k] < length))
      fail_of_rails(source, "rails_from",
                    fmt::format("the rail changes to \"{}\" at {:.6g} m, and the line ends at {:.6g} m.", l.rails[k],
                                l.rails_from[k], length),
                    "Put the change before the end, or make the line longer.");
    out.push_back({l.rails[k], l.rails_from[k], l.rails_over});
  }
  return out;
}

void check_profiles(const RailLine& l, const model::FieldSource& source, const model::Model& model) {
  rail::profile_named(l.rail, model, source, "rail");
  for (const std::string& name : l.rails) rail::profile_named(name, model, source, "rails");
}

void exchange_sides(std::vector<TrackPiece>& pieces) {
  for (TrackPiece& p : pieces) {
    for (Along* f : {&p.curvature, &p.tilt}) {
      for (double& c : f->c) c = -c;
      f->sine = -f->sine, f->cosine = -f->cosine;
    }
  }
}

}  // namespace

void RailLine::add_to(model::FieldSource& source, model::Model& model) const {
  const double width = base.value_or(gauge + 0.065);
  check(*this, width, source), check_profiles(*this, source, model);
  std::vector<TrackPiece> pieces = curvature ? measured(*this, width, source) : laid(*this, width, source, model);
  if (along * across < 0) exchange_sides(pieces);
  model::Track track;
  track.name = source.name(), track.where = source.where("");
  track.from = from, track.from.name = track.name;
  track.gauge = gauge, track.base = width, track.rail = rail;
  track.inclination = ratio_of(inclination, source.where("inclination"), "inclination");
  auto line = std::make_shared<model::TrackLine>(
      std::move(pieces), model::TrackBegin{.heading = along < 0 ? std::numbers::pi : 0.0},
      irregularities ? make_irregularity(*irregularities, along * across) : nullptr);
  line->change_rails(changes_of(*this, line->length(), source));
  track.line = std::move(line);
  model.tracks.push_back(std::move(track));
}

}  // namespace skyhook::element
