#include "skyhook/formalism/fit_velocities.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "skyhook/formalism/characteristic_length.h"
#include "skyhook/formalism/constrained_steps.h"
#include "skyhook/formalism/linearised.h"
#include "skyhook/formalism/modal_coordinates.h"
#include "skyhook/formalism/other_drives.h"
#include "skyhook/formalism/recursive/equations.h"

namespace skyhook::formalism {
namespace {

using recursive::Equations;

Vector remainder(const DenseMatrix& a, const Vector& x, const Vector& b) {  // b - A x
  Vector out = a * x;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = b[i] - out[i];
  return out;
}

void add(Vector& x, const Vector& y) {
  for (std::size_t i = 0; i < y.size(); ++i) x[i] += y[i];
}

// Velocities that are not to be changed: those of some tangent coordinates, and values that the user insists on.
struct SpeedsHeld {
  std::vector<int> coordinates;
  Conditions must;
};

// Of the constraints, and of what is held.
DenseMatrix rows_of(Linearised& lin, const SpeedsHeld& held) {
  const DenseMatrix must = held.must.rows(lin.nodes());
  const int first = lin.G.rows + must.rows;
  DenseMatrix rows(first + static_cast<int>(held.coordinates.size()), lin.G.cols);
  for (int j = 0; j < rows.cols; ++j) {
    for (int i = 0; i < lin.G.rows; ++i) rows(i, j) = lin.G(i, j);
    for (int i = 0; i < must.rows; ++i) rows(lin.G.rows + i, j) = must(i, j);
  }
  int row = first;
  for (const int j : held.coordinates) rows(row++, j) = 1.0;
  return rows;
}

// How the kinetic energy of the motion relative to the reference grows with each speed.
Vector slope_of(const Equations& eq, Linearised& lin, const State& s, const Vector& start,
                const Velocities& reference) {
  Vector slope(eq.nv(), 0.0);
  Vector change(s.v.begin(), s.v.end());
  for (std::size_t i = 0; i < change.size(); ++i) change[i] -= start[i];
  momentum_difference(eq, reference, change, lin.nodes(), slope);
  for (int i = 0; i < eq.tree().nv; ++i) slope[i] += lin.traces()[i] * s.v[i];  // without mass: at rest
  for (const recursive::OwnNode& own : eq.tree().own)                           // no bodies
    slope[own.iv] += own.what.mass * (s.v[own.iv] - start[own.iv]);
  for (const recursive::CoupledNodes& c : eq.tree().coupled) {
    for (int i = 0; i < c.count; ++i) {
      for (int j = 0; j < c.count; ++j)
        slope[c.first_v + i] += c.off_diagonal(i, j) * (s.v[c.first_v + j] - start[c.first_v + j]);
    }
  }
  return slope;
}

// One factorisation for all that is asked at one place, whatever the speeds and the values given.
class StepsAtPlace {
 public:
  ConstrainedSteps& of(const Linearised& lin, const State& s, const std::vector<int>& held, const GivenValues& given,
                       int firm) {
    Place here{s.t, s.q, held, {}, firm};
    for (const GivenValue& value : given) here.given.emplace_back(value.joint, value.scalar);
    if (!steps_ || here != place_) steps_.emplace(lin, held, firm), place_ = std::move(here);
    return *steps_;
  }

 private:
  struct Place {
    double t = 0;
    std::vector<double> q;
    std::vector<int> held;
    std::vector<std::pair<int, int>> given;
    int firm = 0;
    bool operator==(const Place&) const = default;
  };
  std::optional<ConstrainedSteps> steps_;
  Place place_;
};

// For many coordinates what change_of_speeds() tells.
Vector change_of_many_speeds(const Equations& eq, const Linearised& constraints, const State& s, const Vector& slope,
                             const SpeedsHeld& held, const Conditions& asked, StepsAtPlace& steps) {
  if (held.must.count() + asked.count() == 0)
    return steps.of(constraints, s, held.coordinates, {}, 0)
        .nearest(scaled_by(-1.0, slope), scaled_by(-1.0, constraints.rate));
  GivenValues values = held.must.values();
  values.insert(values.end(), asked.values().begin(), asked.values().end());
  const Conditions given(eq, std::move(values), Conditions::Of::rates);
  Linearised lin(eq, Trace::nearest, &given, Storage::sparse);
  if (!lin.evaluate(s)) return Vector(eq.nv(), std::nan(""));
  Vector missing = scaled_by(-1.0, lin.rate);
  for (const double d : given.differences(s.q, s.v, lin.nodes())) missing.push_back(-d);
  return steps.of(lin, s, held.coordinates, given.values(), held.must.count()).nearest(scaled_by(-1.0, slope), missing);
}

// The change of v: nearest to the reference on the constraints; then by as little as meets what is asked, in least squares.
Vector change_of_speeds(const Equations& eq, Linearised& lin, const State& s, const Vector& start,
                        const Velocities& reference, const SpeedsHeld& held, const Conditions& asked,
                        StepsAtPlace& steps) {
  if (eq.tree().nv == 0) return Vector(eq.nv(), 0.0);
  DenseMatrix slope(eq.nv(), 1);
  slope.value = slope_of(eq, lin, s, start, reference);
  if (lin.is_sparse()) return change_of_many_speeds(eq, lin, s, slope.value, held, asked, steps);
  const Cholesky metric(lin.M);
  if (!metric.ok()) return Vector(eq.nv(), std::nan(""));
  const auto over_metric = [&](const DenseMatrix& rows) { return transpose(metric.solve_lower(transpose(rows))); };
  Vector x = scaled_by(-1.0, metric.solve_lower(slope).value);

  Vector missing = scaled_by(-1.0, lin.rate);
  for (const double d : held.must.differences(s.q, s.v, lin.nodes())) missing.push_back(-d);
  missing.resize(missing.size() + held.coordinates.size(), 0.0);
  DenseMatrix A = over_metric(rows_of(lin, held));
  equilibrate(A, missing);
  if (A.rows > 0) add(x, LeastNorm(A, rank_threshold).solve(remainder(A, x, missing)));

  if (asked.count() > 0) {
    const DenseMatrix N = null_space(A, rank_threshold);
    DenseMatrix B = over_metric(asked.rows(lin.nodes()));
    const Vector off = remainder(B, x, scaled_by(-1.0, asked.differences(s.q, s.v, lin.nodes())));
    DenseMatrix along(B.rows, N.cols);
    for (int j = 0; j < N.cols; ++j) {
      const Vector column(N.value.begin() + static_cast<std::ptrdiff_t>(j) * N.rows,
                          N.value.begin() + static_cast<std::ptrdiff_t>(j + 1) * N.rows);
      const Vector b = B * column;
      std::copy(b.begin(), b.end(), along.value.begin() + static_cast<std::ptrdiff_t>(j) * B.rows);
    }
    if (N.cols > 0) add(x, N * LeastNorm(along, rank_threshold).solve(off));
  }
  return metric.solve_upper(x);
}

Consistency fit(const Equations& eq, State& state, const SpeedsHeld& held, const Conditions& asked,
                const Velocities& reference, StepsAtPlace& steps) {
  Consistency out;
  Linearised lin(eq, Trace::nearest);
  const std::vector<double> start = state.v;
  for (out.iterations = 1; out.iterations <= 2; ++out.iterations) {  // linear: the second pass only removes rounding
    out.ok = lin.evaluate(state);
    if (!out.ok) break;
    const Vector change = change_of_speeds(eq, lin, state, start, reference, held, asked, steps);
    for (int i = 0; i < eq.tree().nv; ++i) state.v[i] += change[i];
  }
  held.must.put_exact_rates(state.v), asked.put_exact_rates(state.v);
  Vector off;
  for (const int i : held.coordinates) off.push_back(state.v[i] - start[i]), state.v[i] = start[i];
  out.ok = out.ok && lin.evaluate(state);
  for (const double d : held.must.differences(state.q, state.v, lin.nodes())) off.push_back(d);
  off.insert(off.begin(), lin.rate.begin(), lin.rate.end());
  out.residual = largest(off);
  const double size = 1 + largest({state.v.begin(), state.v.begin() + eq.tree().nv});
  out.ok = out.ok && out.residual < 1e-8 * size;
  report_moves(eq.tree().v_names, Vector(start.size(), 0.0), start, state.v, out);
  if (!out.ok) {
    out.problem = fmt::format(
        "No velocities satisfy all constraints: {} a second. Check drives and held coordinates: they may contradict "
        "each other.",
        widest_gap(eq, off));
    out.open_row = widest_row(eq, off);
    if (!lin.blame().empty()) out.problem += " " + lin.blame() + ".";
  }
  return out;
}

Consistency fit(const Equations& eq, State& state, const GivenValues& given, const Velocities& reference,
                StepsAtPlace& steps) {
  const Conditions must(eq, held_values(given), Conditions::Of::rates);
  const Conditions asked(eq, released_values(given), Conditions::Of::rates);
  // bodies begin as bent as they are given, unless nothing else closes the loops
  const std::vector<int> modes = modal_coordinates(eq);
  const State start = state;
  Consistency out = fit(eq, state, {modes, must}, asked, reference, steps);
  if (!out.ok && !modes.empty()) out = fit(eq, state = start, {{}, must}, asked, reference, steps);
  if (out.ok) report_changes(eq, asked, state, true, "", out);
  return out;
}

// How much faster than the given rates other coordinates must move for them, at a position. Rates in rad/s and ℓ/s.
class Leverage {
 public:
  Leverage(const Equations& eq, const State& s, StepsAtPlace& steps)
      : eq_(eq), s_(s), lin_(eq, Trace::nearest), at_rest_(eq.model().bodies.size()), steps_(steps) {
    const double length = characteristic_length(eq.model());
    per_unit_.resize(static_cast<std::size_t>(eq.nv()), 1.0);
    for (const auto& node : eq.tree().nodes) {
      for (int k = 0; k < node.nv(); ++k) {
        if (node.is_length(k)) per_unit_[static_cast<std::size_t>(node.iv + k)] = 1 / length;
      }
    }
  }

  double of(const GivenValues& given) { return lin_.evaluate(s_) ? here(s_, given) : 0.0; }

  // A gear has its ratio everywhere; that of a dead centre falls at once where the mechanism moves away from it.
  bool is_dead_centre(const GivenValues& given) {
    constexpr double away = 0.05;  // rad or ℓ
    const double leverage = of(given);
    const Vector way = brought(s_, given);
    const double size = largest(per_unit(way));
    for (const double share : {away / size, -away / size}) {
      State near = s_;
      eq_.plus(near.q, scaled_by(share, way));
      Consistency ignored;
      if (close_loops(eq_, lin_, near, {}, ignored) && 3 * here(near, given) < leverage) return true;
    }
    return false;
  }

  int fastest(const GivenValues& given) {
    lin_.evaluate(s_);
    const Vector v = per_unit(brought(s_, given));
    const auto less = [](double a, double b) { return std::abs(a) < std::abs(b); };
    return static_cast<int>(std::max_element(v.begin(), v.end(), less) - v.begin());
  }

 private:
  // What the given rates bring by themselves: the speeds with them, less those with zeros in their place.
  Vector brought(const State& s, GivenValues given) {
    const Vector with = speeds(s, given);
    for (GivenValue& value : given) value.value = 0;
    Vector out = speeds(s, given);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = with[i] - out[i];
    return out;
  }

  Vector speeds(const State& s, const GivenValues& given) {
    const Conditions must(eq_, held_values(given), Conditions::Of::rates);
    const Conditions asked(eq_, released_values(given), Conditions::Of::rates);
    return change_of_speeds(eq_, lin_, s, Vector(s.v.size(), 0.0), at_rest_, {{}, must}, asked, steps_);
  }

  double here(const State& s, const GivenValues& given) {
    const Conditions all(eq_, given, Conditions::Of::rates);
    double asked = 0;
    for (int k = 0; k < all.count(); ++k)
      asked = std::max(asked, std::abs(given[static_cast<std::size_t>(k)].value) /
                                  (all.is_length(k) ? characteristic_length(eq_.model()) : 1.0));
    return asked > 0 ? largest(per_unit(brought(s, given))) / asked : 0.0;
  }

  Vector per_unit(Vector v) const {
    for (std::size_t i = 0; i < v.size(); ++i) v[i] *= per_unit_[i];
    return v;
  }

  const Equations& eq_;
  const State& s_;
  Linearised lin_;
  Velocities at_rest_;
  Vector per_unit_;
  StepsAtPlace& steps_;
};

constexpr double suspicious = 100;  // other rates as many times as large as those given

// One of the given rates, with those that must hold at rest.
GivenValues alone(const GivenValue& value, const GivenValues& given) {
  GivenValues out = held_values(given);
  for (GivenValue& v : out) v.value = 0;
  std::erase_if(out, [&](const GivenValue& v) { return v.joint == value.joint && v.scalar == value.scalar; });
  out.push_back(value);
  return out;
}

NearDeadCentre describe(const Equations& eq, const State& s, Leverage& leverage, const GivenValues& given) {
  const auto less = [&](const GivenValue& a, const GivenValue& b) {
    return leverage.of(alone(a, given)) < leverage.of(alone(b, given));
  };
  const GivenValue& value = *std::max_element(given.begin(), given.end(), less);
  const model::Joint& joint = eq.model().joints[value.joint];
  const int fastest = leverage.fastest(given);
  return {.given = {coordinate_name(joint, value.scalar, true), value.value, value.value,
                    coordinate_unit(joint, value.scalar, true), value.where, ""},
          .leverage = leverage.of(given),
          .fastest = eq.tree().v_names[static_cast<std::size_t>(fastest)],
          .rate = s.v[static_cast<std::size_t>(fastest)]};
}

// Rates that the position does not allow but for rounding: it is a dead centre.
GivenValues lost_at_dead_centre(Leverage& leverage, const GivenValues& given) {
  constexpr double beyond = 1e4;
  GivenValues out;
  for (const GivenValue& value : given) {
    const GivenValues one = alone(value, given);
    if (!value.must && leverage.of(one) > beyond && leverage.is_dead_centre(one)) out.push_back(value);
  }
  return out;
}

}  // namespace

Consistency fit_velocities(const Equations& eq, State& state, const std::vector<int>& held) {
  if (eq.ng() == 0) return {.ok = true};
  const Velocities reference = velocities_at(eq, nodes_of(eq, state));
  const Conditions none(eq, {}, Conditions::Of::rates);
  std::vector<int> coordinates;  // inner states stay anyway
  std::copy_if(held.begin(), held.end(), std::back_inserter(coordinates), [&](int i) { return i < eq.tree().nv; });
  StepsAtPlace steps;
  return fit(eq, state, {coordinates, none}, none, reference, steps);
}

Consistency velocities_behind_jump(const Equations& eq, State& state, const State& before) {
  return velocities_behind_other_drives(eq, state, eq, before);
}

Consistency velocities_behind_other_drives(const Equations& eq, State& state, const Equations& eq_before,
                                           const State& before) {
  if (eq.tree().nv == 0) return {.ok = true};
  const Conditions none(eq, {}, Conditions::Of::rates);
  StepsAtPlace steps;
  return fit(eq, state, {{}, none}, none, velocities_at(eq_before, nodes_of(eq_before, before)), steps);
}

Consistency fit_velocities(const Equations& eq, State& state, const GivenValues& given, const Velocities& reference) {
  if (eq.ng() == 0 && eq.topology().cuts.empty()) return {.ok = true};
  const State start = state;
  StepsAtPlace steps;
  Consistency out = fit(eq, state, given, reference, steps);
  Leverage leverage(eq, start, steps);
  if (!out.ok || !(leverage.of(given) > suspicious)) return out;
  const GivenValues lost = lost_at_dead_centre(leverage, given);
  GivenValues kept = given;
  for (const GivenValue& value : lost)
    std::erase_if(kept, [&](const GivenValue& v) { return v.joint == value.joint && v.scalar == value.scalar; });
  if (!lost.empty()) {
    state = start;
    out = fit(eq, state, kept, reference, steps);
    if (!out.ok) return out;
    report_changes(eq, {eq, lost, Conditions::Of::rates}, state, true,
                   "but the start is a dead centre, where no motion changes that coordinate", out);
  }
  out.near_dead_centre = find_dead_centre(eq, state, kept);
  return out;
}

std::optional<NearDeadCentre> find_dead_centre(const Equations& eq, const State& state, const GivenValues& rates) {
  StepsAtPlace steps;
  Leverage leverage(eq, state, steps);
  if (!(leverage.of(rates) > suspicious) || !leverage.is_dead_centre(rates)) return {};
  return describe(eq, state, leverage, rates);
}

}  // namespace skyhook::formalism
