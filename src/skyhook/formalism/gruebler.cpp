#include "skyhook/formalism/gruebler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "skyhook/base/in_parentheses.h"
#include "skyhook/formalism/acceleration_solver.h"
#include "skyhook/formalism/components.h"
#include "skyhook/formalism/recursive/load_feedback.h"
#include "skyhook/math/dense.h"

namespace skyhook::formalism {
namespace {

using recursive::Equations;
using recursive::LoadFeedback;
using recursive::LoadFriction;

constexpr double rank_threshold = 1e-9, part_of_stress = 1e-6;

// Multipliers that do nothing together: a basis of the y with G^T y = 0, component by component.
std::vector<Vector> self_stresses(const Equations& all, const State& state) {
  Csc mass(std::make_shared<const Pattern>(all.mass_pattern()));
  Csc jacobian(std::make_shared<const Pattern>(all.constraint_pattern()));
  auto ws = all.workspace();
  all.matrices(state.t, state.q, {mass.value, jacobian.value}, ws);
  std::vector<std::vector<int>> columns(all.ng());
  for (int j = 0; j < all.nv(); ++j) {
    for (int k = jacobian.pattern->start[j]; k < jacobian.pattern->start[j + 1]; ++k)
      columns[jacobian.pattern->row[k]].push_back(j);
  }
  std::vector<Vector> out;
  for (const auto& [rows, parts] : row_components(all)) {
    std::map<int, int> place;  // of columns
    for (const int r : rows) {
      for (const int j : columns[r]) place.try_emplace(j, static_cast<int>(place.size()));
    }
    DenseMatrix transposed(static_cast<int>(place.size()), static_cast<int>(rows.size()));
    for (int i = 0; i < transposed.cols; ++i) {
      for (const int j : columns[rows[i]]) transposed(place.at(j), i) = jacobian.at(rows[i], j);
    }
    const DenseMatrix stresses = null_space(transposed, rank_threshold);
    for (int k = 0; k < stresses.cols; ++k) {
      Vector& stress = out.emplace_back(all.ng(), 0.0);
      for (int i = 0; i < stresses.rows; ++i) stress[rows[i]] = stresses(i, k);
    }
  }
  return out;
}

std::string not_unique(const Equations& all, const LoadFriction& friction, const Vector& stress) {
  std::string rows;
  for (const auto& row : all.pair_constraints()[friction.constraint].rows) {
    if (row.row < 0 || std::abs(stress[row.row]) < part_of_stress) continue;
    rows += (rows.empty() ? "" : ", ") + all.rows()[row.row_all].direction;
  }
  return fmt::format(
      "Friction \"{}\"{} depends on the load of joint \"{}\", but its load is not unique: other constraints hold what "
      "it "
      "holds as well ({}). Let joints of this loop go free in these directions (spherical or cylindrical instead of "
      "revolute ones){}.",
      friction.what->name, in_parentheses(friction.what->where), all.model().joints[friction.what->joint].name, rows,
      friction.law().if_ambiguous());
}

std::string not_unique(const recursive::ContributionItem& item) {
  return fmt::format(
      "The forces of {} \"{}\"{} depend on its normal force, but that is not unique: other constraints hold what it "
      "holds "
      "as well. Let one of them go.",
      item.what->type, item.what->name, in_parentheses(item.what->where));
}

std::string find_ambiguous_load(const Equations& all, const State& state) {
  for (const Vector& stress : self_stresses(all, state)) {
    for (const LoadFriction& friction : all.frictions()) {
      const auto& rows = all.pair_constraints()[friction.constraint].rows;
      const LoadFriction::Carried carried = LoadFriction::carried(rows, stress);
      if (friction.law().weight_of(carried.force, carried.moments) > part_of_stress)
        return not_unique(all, friction, stress);
    }
    for (const int k : all.readers()) {
      const recursive::ContributionItem& item = all.contributions()[static_cast<std::size_t>(k)];
      const auto carries = [&](int row) { return row >= 0 && std::abs(stress[row]) > part_of_stress; };
      if (std::ranges::any_of(item.rows, carries)) return not_unique(item);
    }
  }
  return {};
}

// Signs of the speeds of the joints: each is +1, -1 or 0, where the joint does not move.
using Directions = std::vector<int>;

int sign_of(double x, double least) { return x > least ? 1 : x < -least ? -1 : 0; }

// With which the joints go if forces along joint k alone set them in motion.
Directions driven_from_rest(const Equations& eq, const LoadFeedback& feedback, int k, const Equations::Workspace& ws) {
  const auto nv = static_cast<std::size_t>(eq.nv());
  const CSpan motion = feedback.response(k).first(nv);
  std::vector<double> row(nv), speeds;
  for (std::size_t i = 0; i < eq.frictions().size(); ++i) {
    std::ignore = eq.sliding(i, ws, row);
    double speed = 0;
    for (std::size_t j = 0; j < nv; ++j) speed += row[j] * motion[j];
    speeds.push_back(eq.frictions()[i].law().speed_ratio(speed));
  }
  Directions out;
  for (const double speed : speeds) out.push_back(sign_of(speed, 1e-9 * largest(speeds)));
  return out;
}

std::vector<Directions> possible_directions(const Equations& eq, const LoadFeedback& feedback,
                                            const Equations::Workspace& ws) {
  const std::vector<double> zero(static_cast<std::size_t>(eq.ng()), 0.0);
  Directions now;
  for (std::size_t k = 0; k < eq.frictions().size(); ++k) {
    const LoadFriction& friction = eq.frictions()[k];
    now.push_back(sign_of(friction.law().speed_ratio(eq.friction_force(k, ws.nodes, zero).speed), 1e-6));
  }
  const bool moves = std::ranges::any_of(now, [](int s) { return s != 0; });
  std::vector<Directions> out;
  if (moves) out.push_back(now);
  for (int k = 0; k < feedback.size(); ++k) {
    if (now[static_cast<std::size_t>(k)] != 0) continue;
    Directions to = driven_from_rest(eq, feedback, k, ws);
    for (const int side : {1, -1}) {
      Directions both = now;  // joints that move go on as they do
      for (std::size_t i = 0; i < both.size(); ++i) both[i] = now[i] != 0 ? now[i] : side * to[i];
      out.push_back(both);
    }
  }
  return out;
}

bool moves(const Equations& eq, const Directions& to, double part, CSpan x0, LoadFeedback& feedback) {
  for (std::size_t k = 0; k < to.size(); ++k) feedback.factor[k] = part * to[k] * eq.frictions()[k].law().full_factor();
  std::vector<double> x(x0.begin(), x0.end());
  return feedback.solve(x);
}

// The part of the coefficients with which the condition is lost first; above 1: none of them.
double part_that_jams(const Equations& eq, const Directions& to, CSpan x0, LoadFeedback& feedback) {
  constexpr int parts = 16;
  int first = 1;
  while (first <= parts && moves(eq, to, static_cast<double>(first) / parts, x0, feedback)) ++first;
  if (first > parts) return 2;
  double low = static_cast<double>(first - 1) / parts, high = static_cast<double>(first) / parts;
  for (int k = 0; k < 40; ++k) {
    const double middle = 0.5 * (low + high);
    (moves(eq, to, middle, x0, feedback) ? low : high) = middle;
  }
  std::ignore = moves(eq, to, low, x0, feedback);  // so that the culprit is that of the limit
  return low;
}

std::string find_jam(const Equations& eq, const State& state) {
  AccelerationSolver solver(eq);
  auto ws = eq.workspace();
  std::vector<double> a(static_cast<std::size_t>(eq.nv())), lambda(static_cast<std::size_t>(eq.ng()));
  std::ignore = solver.solve(state.t, state.q, state.v, a, lambda, ws);  // a jam is what is looked for
  const std::vector<double> x0(solver.without_friction().begin(), solver.without_friction().end());
  LoadFeedback& feedback = *solver.feedback();
  for (const Directions& to : possible_directions(eq, feedback, ws)) {
    const double part = part_that_jams(eq, to, x0, feedback);
    if (part > 1) continue;
    const int k = feedback.culprit();
    const model::Contribution& what = *eq.frictions()[static_cast<std::size_t>(k)].what;
    const double coefficient = what.friction->coefficient();
    return fmt::format(
        "Friction \"{}\" jams joint \"{}\" in its {} direction: from a coefficient of {:.4g} on (given: {:.4g}) it "
        "raises the load by as much as it takes to hold, and no accelerations follow from the forces (generalised "
        "Grübler condition). Lower the coefficient, or change the position, or let the joint carry less.",
        what.name, eq.model().joints[what.joint].name, to[static_cast<std::size_t>(k)] < 0 ? "negative" : "positive",
        part * coefficient, coefficient);
  }
  return {};
}

}  // namespace

std::string find_friction_problem(const Equations& all, const Equations& active, const State& state) {
  if (!all.has_feedback() || all.nv() == 0) return {};
  const std::string ambiguous = find_ambiguous_load(all, state);
  return !ambiguous.empty() || all.frictions().empty() ? ambiguous : find_jam(active, state);
}

}  // namespace skyhook::formalism
