#include "skyhook/analysis/curve_stops.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "skyhook/math/rotation.h"
#include "skyhook/model/tabulated.h"

namespace skyhook::analysis {
namespace {

// Between the members of a bogie and its body, as they stand in a curve.
class Beside {
 public:
  Beside(const Bogie& bogie, double bend) : bogie_(bogie) {
    const Mat3d& axes = bogie.track->from.axes;
    turn_ = axis_rotation(axes.column(2), bogie.turn(bend)), shift_ = bogie.shift(bend) * axes.column(1);
  }

  bool connects(int a, int b) const {
    const auto moves = [&](int body) { return bogie_.members.contains(body); };
    return (moves(a) && b == bogie_.above) || (moves(b) && a == bogie_.above);
  }
  model::Relative<double> between(const model::Marker& from, const model::Marker& to) const {
    const model::Marker a = moved(from), b = moved(to);
    return {0.0, transpose_times(a.axes, b.at - a.at), transpose(a.axes) * b.axes, {}, {}};
  }

 private:
  model::Marker moved(model::Marker m) const {
    if (!bogie_.members.contains(m.body)) return m;
    m.at = bogie_.middle + shift_ + turn_ * (m.at - bogie_.middle), m.axes = turn_ * m.axes;
    return m;
  }

  const Bogie& bogie_;
  Mat3d turn_;
  Vec3d shift_;
};

// The coordinate of a joint of hinges and sliders.
std::optional<double> coordinate(const model::Joint& joint, int dof, const Beside& place) {
  const auto& dofs = joint.shape.dofs;
  if (!std::ranges::all_of(dofs, &model::Dof::has_axis)) return {};
  const auto k = static_cast<std::size_t>(dof);
  const model::AxisCoordinate axis{dofs[k].axis, dofs[k].is_angle()};
  const auto now = place.between({.body = joint.from, .at = joint.at_from}, {.body = joint.to, .at = joint.at_to});
  const double moved = axis.principal(now) - (axis.turns ? 0.0 : dot(axis.axis, joint.at_to - joint.at_from));
  return joint.reference[k] + moved;
}

std::string table_left(const model::TableLooks& looks) {
  for (const model::TableLook& look : looks) {
    const bool is_meant = look.beyond == model::Beyond::straight || look.beyond == model::Beyond::hold;
    if (!is_meant && (look.x < look.first || look.x > look.last)) return fmt::format("leaves its table {}", look.field);
  }
  return {};
}

std::string touched(int mode, const auto& law) {
  constexpr int free = 1;
  return mode == free ? std::string() : law.event(free, mode);
}

// Which end it is at: "touches the low stop". Empty: none.
std::string end_reached(const model::Model& m, const model::Contribution& what, const Beside& place) {
  model::TableLooks looks;
  const bool is_stop = what.type == "bump_stop";
  if (what.joint < 0) {
    const auto now = place.between(what.from, what.to);
    const auto* stop = is_stop ? dynamic_cast<const model::Switching*>(what.wrench.get()) : nullptr;
    if (stop) return touched(stop->first_mode(now), *stop);
    if (const auto* table = dynamic_cast<const model::Tabulated*>(what.wrench.get())) table->look(now, looks);
  } else if (const auto x = coordinate(m.joints[static_cast<std::size_t>(what.joint)], what.dof, place)) {
    const model::Stroke<double> now{*x, 0};
    const auto* stop = is_stop ? dynamic_cast<const model::SwitchingCoordinate*>(what.coordinate.get()) : nullptr;
    if (stop) return touched(stop->first_mode(now), *stop);
    if (const auto* table = dynamic_cast<const model::TabulatedCoordinate*>(what.coordinate.get()))
      table->look(now, looks);
  }
  return table_left(looks);
}

bool may_end(const model::Model& m, const model::Contribution& what, const Beside& straight) {
  const bool between = what.joint < 0 ? straight.connects(what.from.body, what.to.body)
                                      : straight.connects(m.joints[static_cast<std::size_t>(what.joint)].from,
                                                          m.joints[static_cast<std::size_t>(what.joint)].to);
  return between && end_reached(m, what, straight).empty();
}

struct End {
  const model::Contribution* what;
  double bend;  // 1/m, from which on it is reached
  std::string how;
};

// Of curves up to that bend.
std::optional<End> end_within(const model::Model& m, const Bogie& bogie, const model::Contribution& what, double bend) {
  constexpr int parts = 64, halvings = 40;
  const auto at = [&](double part) { return end_reached(m, what, Beside(bogie, part * bend)); };
  for (int k = 1; k <= parts; ++k) {
    double free = (k - 1.0) / parts, reached = static_cast<double>(k) / parts;
    if (at(reached).empty()) continue;
    for (int i = 0; i < halvings; ++i) {
      const double middle = 0.5 * (free + reached);
      (at(middle).empty() ? free : reached) = middle;
    }
    return End{&what, reached * bend, at(reached)};
  }
  return {};
}

std::string place_text(const Bogie& bogie, double bend) {
  const double shift = 1e3 * bogie.shift(bend);
  const std::string turned = fmt::format("turned by {:.3g} deg", std::abs(bogie.turn(bend)) * 180 / std::numbers::pi);
  return std::abs(shift) < 1e-6 ? turned : fmt::format("{} and {:.3g} mm aside", turned, std::abs(shift));
}

}  // namespace

std::optional<Warning> stop_in_curve(const model::Model& m, const Bogie& bogie) {
  const Beside straight(bogie, 0);
  for (const Bend& curve : sharpest_bends(*bogie.track->line)) {
    std::vector<End> ends;
    for (const model::Contribution& what : m.contributions) {
      if (curve.bend == 0 || !may_end(m, what, straight)) continue;
      if (auto end = end_within(m, bogie, what, curve.bend)) ends.push_back(std::move(*end));
    }
    if (ends.empty()) continue;
    const End& first = *std::ranges::min_element(ends, {}, [](const End& end) { return std::abs(end.bend); });
    const auto name = [&](int body) { return m.bodies[static_cast<std::size_t>(body)].name; };
    const std::string more = ends.size() > 1 ? fmt::format("; {} more are reached", ends.size() - 1) : "";
    const double radius = 1 / std::abs(first.bend);
    return Warning{
        "tight_curve", bogie.track->where,
        fmt::format(
            "track \"{}\" bends with a radius of {:.4g} m from {:.6g} m on, and \"{}\" has not the room to stand in "
            "it: to \"{}\" it must be {}, but {} \"{}\" {} where it is {}, as in a radius of {:.4g} m{}.",
            bogie.track->name, 1 / std::abs(curve.bend), curve.s, name(bogie.frame), name(bogie.above),
            place_text(bogie, curve.bend), first.what->type, first.what->name, first.how, place_text(bogie, first.bend),
            radius, more),
        fmt::format("Give the curve a radius of {:.4g} m or more, or \"{}\" more room.", radius, first.what->name)};
  }
  return {};
}

}  // namespace skyhook::analysis
