#include "skyhook/element/force/spring_damper.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "skyhook/element/finding.h"

namespace skyhook::element {

namespace {

struct SpringLaw {
  double stiffness, damping, free, preload;
  std::optional<model::Curve> spring, damper;
  bool is_angle = false;
  static constexpr double pull = 1.0;  // positive in tension
  static constexpr bool reads_time = false;

  template <class T>
  T force(const T& x, const T& v, double /*t*/) const {
    return T(preload) + elastic_force(T(x - T(free))) + viscous_force(v);
  }
  template <class T>
  T elastic_force(const T& d) const {
    return spring ? spring->at(d) : T(stiffness) * d;
  }
  template <class T>
  T viscous_force(const T& v) const {
    return damper ? damper->at(v) : T(damping) * v;
  }
  void look(const model::Stroke<double>& s, model::TableLooks& looks) const {
    if (spring)
      add_look(*spring, is_angle ? "moment" : "force", "deflection", is_angle ? "rad" : "m", s.x - free, looks);
    if (damper)
      add_look(*damper, is_angle ? "damper_moment" : "damper_force", "rate", is_angle ? "rad/s" : "m/s", s.v, looks);
  }
  double energy(double x) const {
    const double d = x - free;
    return preload * d + (spring ? spring->integral(d) : 0.5 * stiffness * d * d);
  }
};

// A table whose pieces are held, or none: one piece without ends.
struct Pieces {
  const MonotoneCubic* table;
  int count() const { return table ? table->pieces() : 1; }
  int at(double x) const { return table ? table->piece_at(x) : 0; }
  double behind_begin(int piece, double x) const { return table ? x - table->begin_of(piece) : infinity; }
  double before_end(int piece, double x) const { return table ? table->end_of(piece) - x : infinity; }
  static constexpr double infinity = std::numeric_limits<double>::infinity();
};

// The same with modes: 1 + piece of the spring's table + (number of those) * piece of the damper's table.
struct CornerLaw : SpringLaw {
  explicit CornerLaw(SpringLaw law) : SpringLaw(std::move(law)) {}
  Pieces of_spring() const { return {spring ? spring->table() : nullptr}; }
  Pieces of_damper() const { return {damper ? damper->table() : nullptr}; }
  int spring_piece(int mode) const { return (mode - 1) % of_spring().count(); }
  int damper_piece(int mode) const { return (mode - 1) / of_spring().count(); }
  int mode_of(int spring_piece, int damper_piece) const {
    return 1 + spring_piece + of_spring().count() * damper_piece;
  }

  template <class T>
  T force(const T& x, const T& v, double t, const model::Setting& set) const {
    if (set.mode == 0) return SpringLaw::force(x, v, t);
    const Pieces s = of_spring(), c = of_damper();
    const T d = x - T(free);
    const T elastic = s.table ? s.table->evaluate_piece(spring_piece(set.mode), d) : elastic_force(d);
    return T(preload) + elastic + (c.table ? c.table->evaluate_piece(damper_piece(set.mode), v) : viscous_force(v));
  }

  // How far the motion is inside of its two pieces: begin and end of the spring's, begin and end of the damper's.
  std::array<double, 4> margins(const model::Stroke<double>& s) const {
    const int i = spring_piece(s.set.mode), j = damper_piece(s.set.mode);
    const double d = s.x - free;
    return {of_spring().behind_begin(i, d), of_spring().before_end(i, d), of_damper().behind_begin(j, s.v),
            of_damper().before_end(j, s.v)};
  }
  int first_mode(const model::Stroke<double>& s) const {
    return mode_of(of_spring().at(s.x - free), of_damper().at(s.v));
  }
  double watch(const model::Stroke<double>& s) const { return std::ranges::min(margins(s)); }
  // Both tables may have a row there, as where a run starts at rest: each goes on by the side that was left. Where rounding hides
  // which that is, the nearest counts.
  int next_mode(const model::Stroke<double>& s) const {
    auto m = margins(s);
    if (std::ranges::min(m) >= 0) *std::ranges::min_element(m) = -1;
    const auto step = [&](std::size_t begin) { return m[begin] < 0 ? -1 : m[begin + 1] < 0 ? 1 : 0; };
    return mode_of(spring_piece(s.set.mode) + step(0), damper_piece(s.set.mode) + step(2));
  }
  std::string event(int from, int to) const {
    return spring_piece(from) != spring_piece(to) ? "corner of the spring's table" : "corner of the damper's table";
  }
};

void refuse_twice(bool rate, bool curve, const char* rate_field, const char* curve_field,
                  const model::FieldSource& source) {
  if (!rate || !curve) return;
  fail(source, curve_field, std::string("both ") + rate_field + " and " + curve_field + " are given.",
       "Remove one: the curve replaces the rate.");
}

SpringLaw linear_law(const SpringDamper& s, const Place& place, const model::FieldSource& source) {
  refuse(s.angular_stiffness != 0, "angular_stiffness", place, source);
  refuse(s.angular_damping != 0, "angular_damping", place, source);
  refuse(s.angular_preload != 0, "angular_preload", place, source);
  refuse(s.free_angle.has_value(), "free_angle", place, source);
  refuse(s.moment.has_value(), "moment", place, source);
  refuse(s.damper_moment.has_value(), "damper_moment", place, source);
  refuse_twice(s.stiffness != 0, s.force.has_value(), "stiffness", "force", source);
  refuse_twice(s.damping != 0, s.damper_force.has_value(), "damping", "damper_force", source);
  return {s.stiffness, s.damping, s.free_length.value_or(place.design), s.preload, s.force, s.damper_force};
}

SpringLaw angular_law(const SpringDamper& s, const Place& place, const model::FieldSource& source) {
  refuse(s.stiffness != 0, "stiffness", place, source);
  refuse(s.damping != 0, "damping", place, source);
  refuse(s.preload != 0, "preload", place, source);
  refuse(s.free_length.has_value(), "free_length", place, source);
  refuse(s.force.has_value(), "force", place, source);
  refuse(s.damper_force.has_value(), "damper_force", place, source);
  refuse_twice(s.angular_stiffness != 0, s.moment.has_value(), "angular_stiffness", "moment", source);
  refuse_twice(s.angular_damping != 0, s.damper_moment.has_value(), "angular_damping", "damper_moment", source);
  return {s.angular_stiffness,
          s.angular_damping,
          s.free_angle.value_or(place.design),
          s.angular_preload,
          s.moment,
          s.damper_moment,
          true};
}

}  // namespace

void SpringDamper::add_to(model::FieldSource& source, model::Model& model) const {
  const Place place = place_of(*this, source, model);
  SpringLaw law = place.is_angle ? angular_law(*this, place, source) : linear_law(*this, place, source);
  if (!corners) return add_force(std::move(law), place, source, model);
  CornerLaw with_corners(std::move(law));
  if (with_corners.of_spring().count() * with_corners.of_damper().count() == 1) {
    fail(source, "corners", "it has no table, so no corners.",
         "Remove corners, or give a force or damper_force as a table.");
  }
  add_force(std::move(with_corners), place, source, model);
}

}  // namespace skyhook::element
