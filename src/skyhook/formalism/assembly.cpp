#include "skyhook/formalism/assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "skyhook/base/in_parentheses.h"
#include "skyhook/formalism/characteristic_length.h"
#include "skyhook/formalism/closures.h"
#include "skyhook/formalism/least_displacement.h"
#include "skyhook/formalism/modal_coordinates.h"
#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/math/rotation.h"

namespace skyhook::formalism {
namespace {

using recursive::Equations;

constexpr double position_tolerance = 1e-12;  // of rows scaled by the characteristic length

// One attempt to close the loops with some values held. Those of the tree are columns left out, all others are further rows.
class Attempt {
 public:
  Attempt(const Equations& eq, const GivenValues& held, const std::vector<int>& modes)
      : eq_(eq),
        asked_(eq, held, Conditions::Of::positions),
        rows_(eq, measured(held), Conditions::Of::positions),
        lin_(eq, Trace::nearest, &rows_),
        columns_(modes) {
    for (int k = 0; k < asked_.count(); ++k) {
      if (asked_.tree_coordinate(k) >= 0) columns_.push_back(asked_.tree_coordinate(k));
    }
  }

  // In small steps from the design position, so that the branch of the mechanism is the one that the user has drawn; else at once,
  // or from around it.
  bool close(const State& guess, State& s, Consistency& out) {
    if (close_from(guess, s, out)) return true;
    led_ = false;
    const Consistency from_guess = out;
    const State nearest = s;
    if (close_from_around(eq_, lin_, columns_, with_given(guess), s, out)) return true;
    s = nearest, out = from_guess;
    lin_.evaluate(s);
    return false;
  }

  // To rounding, from where the values are all but met.
  bool close_near(State& s, Consistency& out) {
    led_ = false;
    return close_at(1.0, s, out);
  }

  bool moves_loops() const { return asked_.largest_change() > 0 || opens_ || !led_; }
  bool has_led() const { return led_; }
  Linearised& lin() { return lin_; }
  const std::vector<int>& columns() const { return columns_; }

 private:
  bool close_from(const State& guess, State& s, Consistency& out) {
    constexpr double far = 0.01, widest = 0.25;  // rad or ℓ
    const double gap = lin_.evaluate(with_given(guess)) ? largest(lin_.g) : 0.0;
    opens_ = gap > far;  // by a drive, too, or by another length than drawn
    const int steps = static_cast<int>(std::ceil(std::min(asked_.largest_change(), 20.0) / widest));
    if (steps > 1) {
      s = guess;
      Vector before;
      led_ = true;
      for (int k = 0; k <= steps; ++k) {
        const State from = s;
        if (!close_at(static_cast<double>(k) / steps, s, out)) break;
        const Vector move = difference(eq_, s.q, from.q);
        if (k > 1) led_ = led_ && !leaps(before, move);
        before = move;
        if (k == steps) return true;
      }
    }
    led_ = steps <= 1 && gap <= widest;
    s = guess;
    return close_at(1.0, s, out);
  }

  // From step to step a continuous motion goes on much as before; where two branches cross the search may take the other one.
  static bool leaps(const Vector& before, const Vector& move) {
    constexpr double sharp = 0.1;  // rad or m
    for (std::size_t i = 0; i < move.size(); ++i) {
      if (std::abs(move[i] - before[i]) > sharp) return true;
    }
    return false;
  }

  State with_given(const State& guess) const {
    State s = guess;
    asked_.put_tree_values(s.q);
    return s;
  }

  GivenValues measured(const GivenValues& held) const {
    GivenValues out;
    for (int k = 0; k < asked_.count(); ++k) {
      if (asked_.tree_coordinate(k) < 0) out.push_back(held[k]);
    }
    return out;
  }

  bool close_at(double share, State& s, Consistency& out) {
    asked_.set_share(share), rows_.set_share(share);
    asked_.put_tree_values(s.q);
    return close_loops(eq_, lin_, s, columns_, out);
  }

  const Equations& eq_;
  Conditions asked_, rows_;
  Linearised lin_;
  std::vector<int> columns_;
  bool opens_ = false;  // the loops as guessed
  bool led_ = false;    // without a leap
};

std::string names_of(const Equations& eq, const GivenValues& values) {
  std::string out;
  for (const GivenValue& v : values)
    out += (out.empty() ? "" : ", ") + coordinate_name(eq.model().joints[v.joint], v.scalar, false);
  return out;
}

std::string names_of(const Equations& eq, const std::vector<int>& held) {
  std::string out;
  for (const auto& node : eq.tree().nodes) {
    if (node.nq() == 1 && std::ranges::count(held, node.iv) > 0)
      out += (out.empty() ? "" : ", ") + eq.tree().q_names[static_cast<std::size_t>(node.iq)];
  }
  return out;
}

void explain(const Equations& eq, Linearised& lin, const std::string& held, Consistency& out) {
  out.problem = "The loops cannot be closed: " + widest_gap(eq, lin.g) +
                ". Check lengths and points of this loop, or " +
                (held.empty() ? "give initial values nearer to an assembled position."
                              : "hold fewer coordinates than " + held + ".");
  if (!lin.blame().empty()) out.problem += " " + lin.blame() + ".";
  out.open_row = widest_row(eq, lin.g);
}

// The state with the given values of joints in loops left out: where the user has drawn the mechanism.
State as_drawn(const Equations& eq, const State& guess) {
  State s = guess;
  const std::vector<bool> in_loop = joints_in_loops(eq.model());
  for (std::size_t j = 0; j < eq.model().joints.size(); ++j) {
    for (const auto& at : eq.tree().coordinates[j]) {
      if (!in_loop[j] || at.is_driven()) continue;
      const int size = at.in_ball ? 4 : 1;
      std::copy_n(eq.tree().q_design.begin() + at.iq, size, s.q.begin() + at.iq);
    }
  }
  return s;
}

// Where all given values hold.
void choose(const Equations& eq, const Displacement& displacement, const State& guess, Attempt& all, State& s,
            Consistency& out) {
  out.ok = true;
  out.short_of_least = minimise(eq, displacement, all.lin(), s, all.columns());
  if (all.moves_loops())
    out.other_closure = take_least(eq, displacement, all.lin(), all.columns(), guess, all.has_led(), s);
}

// Where they contradict each other or the constraints: the released ones change as little as can be.
void choose_nearest(const Equations& eq, const Displacement& displacement, const State& guess, Attempt& some, State& s,
                    Consistency& out) {
  double least = std::numeric_limits<double>::infinity();
  for (const State& start : {guess, as_drawn(eq, guess)}) {  // minima are local
    State closed = start;
    if (!some.close(start, closed, out)) continue;
    const double short_of_least = minimise(eq, displacement, some.lin(), closed, some.columns());
    some.lin().evaluate(closed);
    const double value = displacement.value(closed, some.lin());
    if (value < least) least = value, s = closed, out.ok = true, out.short_of_least = short_of_least;
  }
  if (out.ok) out.other_closure = take_least(eq, displacement, some.lin(), some.columns(), guess, false, s);
}

}  // namespace

void report_moves(const std::vector<std::string>& names, const Vector& reference, const Vector& before,
                  const Vector& after, Consistency& out) {
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (std::abs(after[i] - before[i]) > 1e-9)
      out.moved.push_back({names[i], before[i] + reference[i], after[i] + reference[i]});
  }
  std::stable_sort(out.moved.begin(), out.moved.end(),
                   [](const Moved& a, const Moved& b) { return std::abs(a.to - a.from) > std::abs(b.to - b.from); });
}

void report_own_changes(const Equations& eq, const State& s, Consistency& positions, Consistency& velocities) {
  constexpr double noticed = 1e-6;
  const recursive::Tree& tree = eq.tree();
  const auto look = [&](const std::optional<double>& given, double used, const recursive::OwnNode& own,
                        const std::string& name, const std::string& unit, Consistency& out) {
    if (given && std::abs(used - *given) > noticed * (1 + std::abs(*given)))
      out.changed.push_back({name, *given, used, unit, own.where, "but the constraints do not allow that"});
  };
  for (const recursive::OwnNode& own : tree.own) {
    look(own.what.start, s.q[own.iq], own, tree.q_names[own.iq], own.what.unit, positions);
    look(own.what.rate, s.v[own.iv], own, tree.v_names[own.iv], own.what.unit + "/s", velocities);
  }
}

void report_changes(const Equations& eq, const Conditions& asked, const State& s, bool rates, const std::string& why,
                    Consistency& out) {
  constexpr double noticed = 1e-6;  // six digits: as many as a message shows, and as people write
  const auto nodes = nodes_of(eq, s);
  const Vector off = asked.differences(s.q, s.v, nodes), used = asked.used(s.q, s.v, nodes);
  for (int k = 0; k < asked.count(); ++k) {
    const GivenValue& given = asked.values()[k];
    const double by = asked.is_whole_ball(k) ? used[k] - given.value : off[k];
    const double size = 1 + std::abs(given.value);
    if (std::abs(by) <= noticed * size || asked.is_met(k, off, noticed * size)) continue;
    const model::Joint& joint = eq.model().joints[given.joint];
    out.changed.push_back({coordinate_name(joint, given.scalar, rates), given.value, used[k],
                           coordinate_unit(joint, given.scalar, rates), given.where, why});
  }
}

void report_changes(const Equations& eq, const GivenValues& asked, const State& s, bool rates, const std::string& why,
                    Consistency& out) {
  report_changes(eq, Conditions(eq, asked, rates ? Conditions::Of::rates : Conditions::Of::positions), s, rates, why,
                 out);
}

namespace {

int widest(const Vector& g) {
  int worst = 0;
  for (std::size_t k = 0; k < g.size(); ++k) {
    if (std::isnan(g[k])) return static_cast<int>(k);
    if (std::abs(g[k]) > std::abs(g[worst])) worst = static_cast<int>(k);
  }
  return worst;
}

}  // namespace

int widest_row(const Equations& eq, const Vector& g) {
  const int worst = widest(g);
  return worst < eq.ng() ? eq.active()[worst] : -1;
}

namespace {

// The row of a rod is (r^2 / L - L) / 2; all others are the gap itself.
double gap_in_metres(const model::Model& m, const std::string& element, double residual) {
  const auto rod = std::ranges::find(m.contributions, element, &model::Contribution::name);
  if (rod == m.contributions.end() || !rod->is_rod()) return std::abs(residual);
  const double length = rod->row->length;
  return std::abs(std::sqrt(std::max(0.0, length * (length + 2 * residual))) - length);
}

// Its element, and where that is written.
std::string told(const model::Model& m, const RowInfo& row) {
  const auto joint = std::ranges::find(m.joints, row.element, &model::Joint::name);
  const auto other = std::ranges::find(m.contributions, row.element, &model::Contribution::name);
  const Location where = joint != m.joints.end()          ? joint->where
                         : other != m.contributions.end() ? other->where
                                                          : Location{};
  return row.name() + in_parentheses(where);
}

}  // namespace

std::string widest_gap(const Equations& eq, const Vector& g) {
  const int worst = widest(g);
  if (worst >= eq.ng()) return "the values that are held contradict each other";
  const auto& row = eq.rows()[eq.active()[worst]];
  const double gap = std::abs(g[worst]);
  const std::string name = told(eq.model(), row);
  if (!std::isfinite(gap)) return name + " cannot be evaluated";
  if (!row.is_moment) {
    const double metres = gap_in_metres(eq.model(), row.element, g[worst] * characteristic_length(eq.model()));
    return metres < 1 ? fmt::format("{} stays open by {:.3g} mm", name, 1e3 * metres)
                      : fmt::format("{} stays open by {:.3g} m", name, metres);
  }
  const double angle = row.joint >= 0 ? std::asin(std::min(gap, 1.0)) : gap;  // rows of joints are sines
  return fmt::format("{} stays open by {:.3g} deg", name, angle * 180 / std::numbers::pi);
}

bool close_loops(const Equations& eq, Linearised& lin, State& s, const std::vector<int>& held, Consistency& out) {
  constexpr int most = 60;
  constexpr double largest_turn = 0.5;  // rad or characteristic lengths in one step
  if (!lin.evaluate(s)) return false;
  double size = largest(lin.g);
  for (out.iterations = 0; out.iterations < most && size > position_tolerance; ++out.iterations) {
    const Vector step = smallest_step(lin, scaled_by(-1.0, lin.g), held);
    const double longest = largest(step);
    if (!std::isfinite(longest)) return false;
    double damping = std::min(1.0, largest_turn / std::max(longest, 1e-300));
    const State before = s;
    bool better = false;
    for (int halving = 0; halving < 10 && !better; ++halving, damping /= 2) {
      s = before;
      eq.plus(s.q, scaled_by(damping, step));
      better = lin.evaluate(s) && largest(lin.g) < size;
    }
    if (!better) {
      s = before;
      lin.evaluate(s);
      break;
    }
    size = largest(lin.g);
  }
  out.residual = size;
  return size <= 1e3 * position_tolerance;
}

State initial_guess(const Equations& eq, double t) {
  State s{t, eq.tree().q_design, std::vector<double>(eq.tree().nv, 0.0)};
  for (const model::InnerState& state : eq.tree().states) s.v.push_back(state.start);
  for (const recursive::OwnNode& own : eq.tree().own)
    s.q[own.iq] = own.what.start.value_or(0.0), s.v[own.iv] = own.what.rate.value_or(0.0);
  for (const recursive::ModalNode& modal : eq.tree().modal) {
    const model::Body& body = eq.model().bodies[static_cast<std::size_t>(modal.body)];
    std::ranges::copy(body.modal_position, s.q.begin() + modal.iq);
    std::ranges::copy(body.modal_velocity, s.v.begin() + modal.iv);
  }
  for (std::size_t j = 0; j < eq.model().joints.size(); ++j) {
    const model::Joint& joint = eq.model().joints[j];
    const auto& coordinates = eq.tree().coordinates[j];
    const int link = eq.topology().link_of_joint[j];
    const bool reversed = link >= 0 && eq.topology().links[link].reversed;
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
      const auto& at = coordinates[k];
      if (at.is_driven()) continue;
      if (!at.in_ball) {
        if (joint.position[k]) s.q[at.iq] = *joint.position[k] - joint.reference[k];
        if (joint.velocity[k]) s.v[at.iv] = *joint.velocity[k];
        continue;
      }
      auto value = [&](const auto& list, std::size_t i) { return list[k + i].value_or(0.0); };
      Mat3d turn = cardan_rotation({value(joint.position, 0), value(joint.position, 1), value(joint.position, 2)});
      Vec3d w{value(joint.velocity, 0), value(joint.velocity, 1), value(joint.velocity, 2)};
      if (reversed) w = -(turn * w), turn = transpose(turn);
      const auto p = quaternion_of(turn);
      s.q[at.iq] = p.w, s.q[at.iq + 1] = p.x, s.q[at.iq + 2] = p.y, s.q[at.iq + 3] = p.z;
      for (int i = 0; i < 3; ++i) s.v[at.iv + i] = w[i];
      k += 2;
    }
  }
  return s;
}

Consistency assemble(const Equations& eq, State& state, const std::vector<int>& held) {
  Consistency out;
  out.ok = true;
  if (eq.ng() == 0) return out;
  const State start = state;
  const Poses reference = poses_at(eq, nodes_of(eq, start));
  Linearised lin(eq, Trace::nearest);
  out.ok = close_loops(eq, lin, state, held, out);
  if (!out.ok)
    explain(eq, lin, names_of(eq, held), out);
  else if (out.iterations > 0)
    out.short_of_least = minimise(eq, Displacement(eq, reference, start, nullptr), lin, state, held);
  report_moves(eq.tree().q_names, eq.tree().q_reference, start.q, state.q, out);
  return out;
}

namespace {

// `modes`: modal coordinates that keep their values.
Consistency assemble(const Equations& eq, State& state, const GivenValues& given, const Poses& reference,
                     const std::vector<int>& modes) {
  Consistency out;
  const State guess = state;
  Attempt all(eq, given, modes);
  const Displacement from_design(eq, reference, guess, nullptr);
  if (all.close(guess, state, out)) {
    choose(eq, from_design, guess, all, state, out);
    report_moves(eq.tree().q_names, eq.tree().q_reference, guess.q, state.q, out);
    return out;
  }
  const GivenValues must = held_values(given);
  const Conditions released(eq, released_values(given), Conditions::Of::positions);
  Attempt some(eq, must, modes);
  const Displacement displacement(eq, reference, guess, released.count() > 0 ? &released : nullptr);
  choose_nearest(eq, displacement, guess, some, state, out);
  State met = state;
  Consistency closer = out;
  if (out.ok && all.close_near(met, closer))  // the search has found what Newton's method has not
    choose(eq, from_design, guess, all, state = met, out = closer);
  else if (out.ok)
    report_changes(eq, released, state, false, "", out);
  else
    explain(eq, some.lin(), names_of(eq, must), out);
  report_moves(eq.tree().q_names, eq.tree().q_reference, guess.q, state.q, out);
  return out;
}

}  // namespace

Consistency assemble(const Equations& eq, State& state, const GivenValues& given, const Poses& reference) {
  if (eq.ng() == 0 && eq.topology().cuts.empty()) return {.ok = true};  // the guess is what is given
  const std::vector<int> modes = modal_coordinates(eq);
  const State guess = state;
  Consistency out = assemble(eq, state, given, reference, modes);
  return out.ok || modes.empty() ? out : assemble(eq, state = guess, given, reference, {});
}

}  // namespace skyhook::formalism
