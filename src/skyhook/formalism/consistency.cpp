#include "skyhook/formalism/consistency.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/math/dense.h"
#include "skyhook/math/rotation.h"

namespace skyhook::formalism {
namespace {

using recursive::Equations;

constexpr double rank_threshold = 1e-8;       // relative pivot below which a constraint row counts as dependent
constexpr double position_tolerance = 1e-12;  // of rows scaled by the characteristic length

// Constraint rows, matrix and mass metric at a state, rows of lengths divided by the characteristic length.
class Linearised {
 public:
  explicit Linearised(const Equations& eq)
      : eq_(eq),
        mass_(std::make_shared<const Pattern>(eq.mass_pattern())),
        jacobian_(std::make_shared<const Pattern>(eq.constraint_pattern())),
        ws_(eq.workspace()),
        tau_(eq.nv()),
        qdot_(eq.nq()),
        zero_v_(eq.nv(), 0.0),
        zero_g_(eq.ng(), 0.0) {
    g.resize(eq.ng()), rate.resize(eq.ng());
    const double length = characteristic_length(eq.model());
    for (const auto& row : eq.rows()) scale_.push_back(row.is_moment ? 1.0 : 1.0 / length);
  }

  bool evaluate(const State& s) {
    const recursive::Input in{s.t, s.q, s.v, zero_v_, zero_g_, zero_g_};
    if (eq_.residual(in, {tau_, qdot_, g, rate}, ws_) != Eval::ok) return false;
    eq_.matrices(s.t, s.q, {mass_.value, jacobian_.value}, ws_);
    G = DenseMatrix(jacobian_);
    for (int r = 0; r < G.rows; ++r) {
      const double k = scale_[eq_.active()[r]];
      for (int j = 0; j < G.cols; ++j) G(r, j) *= k;
      g[r] *= k, rate[r] *= k;
    }
    M = DenseMatrix(mass_);
    // The metric only measures "nearest": coordinates without inertia get a trace of it.
    double most = 1e-300;
    for (int i = 0; i < M.rows; ++i) most = std::max(most, std::abs(M(i, i)));
    for (int i = 0; i < M.rows; ++i) M(i, i) += 1e-9 * most;
    return G.is_finite() && M.is_finite();
  }

  DenseMatrix scaled() const { return Cholesky(M).solve_lower(transpose(G)); }  // L^-1 G^T with M = L L^T

  DenseMatrix G, M;
  Vector g, rate;
  const std::string& blame() const { return ws_.blame; }

 private:
  const Equations& eq_;
  Csc mass_, jacobian_;
  Equations::Workspace ws_;
  std::vector<double> tau_, qdot_, zero_v_, zero_g_, scale_;
};

// Smallest step x in the mass metric with G x = b (least squares where that cannot be).
Vector smallest_step(const Linearised& lin, const Vector& b, const std::vector<int>& held) {
  std::vector<int> free, all_rows(lin.G.rows);
  for (int j = 0; j < lin.G.cols; ++j) {
    if (std::find(held.begin(), held.end(), j) == held.end()) free.push_back(j);
  }
  std::iota(all_rows.begin(), all_rows.end(), 0);
  Vector x(lin.G.cols, 0.0);
  if (free.empty()) return x;
  const Cholesky metric(lin.M.select(free, free));  // with held coordinates the metric is that of the others
  if (!metric.ok()) return Vector(lin.G.cols, std::nan(""));
  const DenseMatrix G = lin.G.select(all_rows, free);
  const LeastNorm solver(transpose(metric.solve_lower(transpose(G))), rank_threshold);
  const Vector step = metric.solve_upper(solver.solve(b));
  for (std::size_t k = 0; k < free.size(); ++k) x[free[k]] = step[k];
  return x;
}

Vector scaled_by(double s, Vector x) {
  for (double& e : x) e *= s;
  return x;
}
double size_in(const DenseMatrix& metric, const Vector& x) {
  const Vector y = metric * x;
  return std::sqrt(std::inner_product(x.begin(), x.end(), y.begin(), 0.0));
}

Vec3d rotation_vector(const Quaternion<double>& from, const Quaternion<double>& to) {  // from^-1 to
  const double w = from.w * to.w + from.x * to.x + from.y * to.y + from.z * to.z;
  const Vec3d e{from.w * to.x - from.x * to.w - from.y * to.z + from.z * to.y,
                from.w * to.y - from.y * to.w - from.z * to.x + from.x * to.z,
                from.w * to.z - from.z * to.w - from.x * to.y + from.y * to.x};
  const double s = norm(e), angle = 2 * std::atan2(s, std::abs(w));
  return (s > 1e-12 ? (w < 0 ? -angle : angle) / s : 2.0) * e;
}

// q ⊟ p in tangent coordinates
Vector minus(const Equations& eq, const std::vector<double>& q, const std::vector<double>& p) {
  Vector d(eq.nv(), 0.0);
  for (const auto& node : eq.tree().nodes) {
    const bool free = node.kind == recursive::Node::Kind::free, ball = node.kind == recursive::Node::Kind::ball || free;
    const int scalars = free ? 3 : ball ? 0 : node.nq();
    for (int k = 0; k < scalars; ++k) d[node.iv + k] = q[node.iq + k] - p[node.iq + k];
    if (!ball) continue;
    const int i = node.iq + scalars;
    const Vec3d turn = rotation_vector({p[i], p[i + 1], p[i + 2], p[i + 3]}, {q[i], q[i + 1], q[i + 2], q[i + 3]});
    for (int k = 0; k < 3; ++k) d[node.iv + scalars + k] = turn[k];
  }
  return d;
}

std::string worst_row(const Equations& eq, const std::vector<double>& g) {
  int worst = 0;
  for (std::size_t k = 0; k < g.size(); ++k) {
    if (std::abs(g[k]) > std::abs(g[worst])) worst = static_cast<int>(k);
  }
  return eq.rows()[eq.active()[worst]].name();
}

// `reference`: what the user calls zero.
void report_moves(const std::vector<std::string>& names, const Vector& reference, const Vector& before,
                  const Vector& after, Consistency& out) {
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (std::abs(after[i] - before[i]) > 1e-9)
      out.moved.push_back({names[i], before[i] + reference[i], after[i] + reference[i]});
  }
  std::stable_sort(out.moved.begin(), out.moved.end(),
                   [](const Moved& a, const Moved& b) { return std::abs(a.to - a.from) > std::abs(b.to - b.from); });
}

// A point on the manifold near `s` by minimal-norm Newton steps.
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

}  // namespace

double characteristic_length(const model::Model& m) {
  std::vector<Vec3d> points;
  for (const auto& j : m.joints) points.push_back(j.at_from), points.push_back(j.at_to);
  for (const auto& b : m.bodies) points.push_back(b.com);
  if (points.empty()) return 1.0;
  Vec3d mean;
  for (const Vec3d& p : points) mean += (1.0 / static_cast<double>(points.size())) * p;
  double size = 0;
  for (const Vec3d& p : points) size += norm(p - mean) / static_cast<double>(points.size());
  return size > 1e-9 ? size : 1.0;
}

State initial_guess(const Equations& eq, double t) {
  State s{t, eq.tree().q_design, std::vector<double>(eq.tree().nv, 0.0)};
  for (const model::InnerState& state : eq.tree().states) s.v.push_back(state.start);
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

Given given_coordinates(const Equations& eq) {
  Given out;
  for (std::size_t j = 0; j < eq.model().joints.size(); ++j) {
    const model::Joint& joint = eq.model().joints[j];
    const auto& coordinates = eq.tree().coordinates[j];
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
      if (coordinates[k].is_driven()) continue;
      const int size = coordinates[k].in_ball ? 3 : 1;  // a ball is given as a whole
      for (int i = 0; i < size; ++i) {
        if (joint.position[k]) out.positions.push_back(coordinates[k].iv + i);
        if (joint.velocity[k]) out.velocities.push_back(coordinates[k].iv + i);
      }
      k += static_cast<std::size_t>(size - 1);
    }
  }
  return out;
}

Consistency assemble(const Equations& eq, State& state, const std::vector<int>& held) {
  Consistency out;
  if (eq.ng() == 0) {
    out.ok = true;
    return out;
  }
  Linearised lin(eq);
  const std::vector<double> start = state.q;
  out.ok = close_loops(eq, lin, state, held, out);
  // Slide along the manifold to the point nearest to the start.
  for (int k = 0; out.ok && held.empty() && k < 20; ++k) {
    const Vector away = minus(eq, start, state.q);
    if (largest(away) < 1e-9) break;
    Vector slide = smallest_step(lin, lin.G * away, {});
    for (std::size_t i = 0; i < slide.size(); ++i) slide[i] = away[i] - slide[i];
    if (largest(slide) < 1e-7 * (1 + largest(away))) break;
    State next = state;
    eq.plus(next.q, slide);
    Consistency ignored;
    const DenseMatrix metric = lin.M;
    if (!close_loops(eq, lin, next, {}, ignored) ||
        size_in(metric, minus(eq, start, next.q)) > size_in(metric, away) * (1 + 1e-6)) {
      lin.evaluate(state);
      break;
    }
    state = next;
  }
  report_moves(eq.tree().q_names, eq.tree().q_reference, start, state.q, out);
  if (!out.ok) {
    out.problem = fmt::format(
        "The loops cannot be closed: {} stays open by {:.3g} (scaled).{}", worst_row(eq, lin.g), out.residual,
        held.empty() ? " Check lengths and points of this loop, or give initial values nearer to an assembled position."
                     : " Check lengths and points of this loop, or hold fewer coordinates.");
    if (!lin.blame().empty()) out.problem += " " + lin.blame() + ".";
  }
  return out;
}

Consistency fit_velocities(const Equations& eq, State& state, const std::vector<int>& held) {
  Consistency out;
  out.ok = true;
  if (eq.ng() == 0) return out;
  Linearised lin(eq);
  const std::vector<double> start = state.v;
  for (out.iterations = 1; out.iterations <= 2; ++out.iterations) {  // linear: the second pass only removes rounding
    out.ok = lin.evaluate(state);
    if (!out.ok) break;
    const Vector step = smallest_step(lin, scaled_by(-1.0, lin.rate), held);
    for (int i = 0; i < eq.nv(); ++i) state.v[i] += step[i];
  }
  out.ok = out.ok && lin.evaluate(state);
  out.residual = largest(lin.rate);
  const double size = 1 + largest({state.v.begin(), state.v.begin() + eq.tree().nv});
  out.ok = out.ok && out.residual < 1e-8 * size;
  report_moves(eq.tree().v_names, Vector(start.size(), 0.0), start, state.v, out);
  if (!out.ok) {
    out.problem = fmt::format(
        "No velocities satisfy all constraints: {} is violated by {:.3g} (scaled). Check drives and held coordinates: "
        "they may contradict each other.",
        worst_row(eq, lin.rate), out.residual);
  }
  return out;
}

std::vector<int> find_coordinates(const Equations& eq, const std::vector<std::string>& names, const Location& where) {
  std::vector<int> found;
  std::vector<std::string> known;
  for (std::size_t j = 0; j < eq.model().joints.size(); ++j) {
    for (const auto& at : eq.tree().coordinates[j]) {
      if (!at.in_ball && !at.is_driven()) known.push_back(eq.tree().q_names[at.iq]);
    }
  }
  for (const std::string& name : names) {
    bool hit = false;
    for (std::size_t j = 0; j < eq.model().joints.size(); ++j) {
      for (const auto& at : eq.tree().coordinates[j]) {
        if (at.in_ball || at.is_driven() || (eq.tree().q_names[at.iq] != name && eq.model().joints[j].name != name))
          continue;
        found.push_back(at.iv);
        hit = true;
      }
    }
    if (!hit)
      throw ModelError(where, "\"" + name + "\" is not a coordinate of a joint in the tree.",
                       suggest(name, known, "Coordinates"));
  }
  return found;
}

Rank find_rank(const Equations& eq, const State& state) {
  Rank out;
  if (eq.ng() == 0) return out;
  if (eq.nv() == 0) return out.redundant = eq.active(), out;  // nothing can move: no row is needed
  Linearised lin(eq);
  auto pivot = [&](const State& s) {
    lin.evaluate(s);
    return pivot_columns(lin.scaled(), rank_threshold);
  };
  PivotedColumns best = pivot(state);
  out.here = out.rank = best.rank;
  const DenseMatrix here = transpose(lin.scaled());
  const Cholesky metric(lin.M);
  const LeastNorm onto(here, rank_threshold);
  std::mt19937 engine(7);
  std::normal_distribution<> normal;
  for (int k = 0; k < 2;
       ++k) {  // two neighbours along the motion that is left tell redundancy from a singular position
    Vector z(eq.nv(), 0.0);
    for (int i = 0; i < eq.tree().nv; ++i) z[i] = normal(engine);
    const Vector constrained = onto.solve(here * z);
    for (std::size_t i = 0; i < z.size(); ++i) z[i] -= constrained[i];
    const Vector step = metric.solve_upper(z);
    if (largest(step) < 1e-9) break;
    State near = state;
    eq.plus(near.q, scaled_by(0.05 / largest(step), step));
    Consistency ignored;
    if (!close_loops(eq, lin, near, {}, ignored)) continue;
    const PivotedColumns there = pivot(near);
    if (there.rank > best.rank) best = there;
  }
  out.rank = best.rank;
  for (int k = 0; k < eq.ng(); ++k)
    (k < out.rank ? out.independent : out.redundant).push_back(eq.active()[best.order[k]]);
  std::sort(out.independent.begin(), out.independent.end());
  std::sort(out.redundant.begin(), out.redundant.end());
  out.condition = best.condition;
  return out;
}

Partition choose_dependent(const Equations& eq, const State& state) {
  Partition out;
  std::vector<int> order(eq.nv());
  std::iota(order.begin(), order.end(), 0);
  if (eq.ng() > 0) {
    Linearised lin(eq);
    if (lin.evaluate(state)) {
      for (int j = 0; j < lin.G.cols; ++j) {
        for (int i = 0; i < lin.G.rows; ++i) lin.G(i, j) /= std::sqrt(lin.M(j, j));
      }
      const PivotedColumns pivots = pivot_columns(lin.G, rank_threshold);
      order = pivots.order, out.rank = pivots.rank, out.condition = pivots.condition;
    }
  }
  out.dependent.assign(order.begin(), order.begin() + eq.ng());
  out.independent.assign(order.begin() + eq.ng(), order.end());
  std::sort(out.dependent.begin(), out.dependent.end());
  std::sort(out.independent.begin(), out.independent.end());
  return out;
}

}  // namespace skyhook::formalism
