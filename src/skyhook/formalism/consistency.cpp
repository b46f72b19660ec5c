#include "skyhook/formalism/consistency.h"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <random>

#include "skyhook/formalism/recursive/block_store.h"
#include "skyhook/math/rotation.h"

namespace skyhook::formalism {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using recursive::Equations;

constexpr double rank_threshold = 1e-8;       // relative pivot below which a constraint row counts as dependent
constexpr double position_tolerance = 1e-12;  // of rows scaled by the characteristic length

MatrixXd dense(const Csc& a) {
  MatrixXd m = MatrixXd::Zero(a.pattern->rows, a.pattern->cols);
  for (int j = 0; j < a.pattern->cols; ++j) {
    for (int k = a.pattern->start[j]; k < a.pattern->start[j + 1]; ++k) m(a.pattern->row[k], j) = a.value[k];
  }
  return m;
}

// Constraint rows, matrix and mass metric at a state, rows of lengths divided by the characteristic length.
class Linearised {
 public:
  explicit Linearised(const Equations& eq)
      : eq_(eq), store_(eq), ws_(eq.workspace()), tau_(eq.nv()), qdot_(eq.nq()), zero_v_(eq.nv(), 0.0), zero_g_(eq.ng(), 0.0) {
    g.resize(eq.ng()), rate.resize(eq.ng());
    const double length = characteristic_length(eq.model());
    for (const auto& row : eq.rows()) scale_.push_back(row.is_moment ? 1.0 : 1.0 / length);
  }

  bool evaluate(const State& s) {
    const recursive::Input in{s.t, s.q, s.v, zero_v_, zero_g_, zero_g_};
    if (eq_.residual(in, {tau_, qdot_, g, rate}, ws_) != Eval::ok) return false;
    if (eq_.derivatives(in, store_.blocks(), ws_) != Eval::ok) return false;
    G = dense(store_.jacobian());
    for (int r = 0; r < G.rows(); ++r) {
      const double k = scale_[eq_.active()[r]];
      G.row(r) *= k, g[r] *= k, rate[r] *= k;
    }
    MatrixXd M = dense(store_.mass());
    // The metric only measures "nearest": coordinates without inertia get a trace of it.
    const double floor = 1e-9 * std::max(M.diagonal().cwiseAbs().maxCoeff(), 1e-300);
    for (int i = 0; i < M.rows(); ++i) M(i, i) += floor;
    metric.compute(M);
    return G.allFinite() && metric.info() == Eigen::Success;
  }

  MatrixXd scaled() const { return metric.matrixL().solve(G.transpose()).transpose(); }  // G L^-T with M = L L^T
  VectorXd residual() const { return Eigen::Map<const VectorXd>(g.data(), static_cast<int>(g.size())); }
  VectorXd velocity_residual() const { return Eigen::Map<const VectorXd>(rate.data(), static_cast<int>(rate.size())); }

  MatrixXd G;
  Eigen::LLT<MatrixXd> metric;
  std::vector<double> g, rate;
  const std::string& blame() const { return ws_.blame; }

 private:
  const Equations& eq_;
  recursive::BlockStore store_;
  Equations::Workspace ws_;
  std::vector<double> tau_, qdot_, zero_v_, zero_g_, scale_;
};

// Smallest step x in the mass metric with G x = b (least squares where that cannot be).
VectorXd smallest_step(const Linearised& lin, const VectorXd& b, const std::vector<int>& held) {
  std::vector<int> free;
  for (int j = 0; j < lin.G.cols(); ++j) {
    if (std::find(held.begin(), held.end(), j) == held.end()) free.push_back(j);
  }
  VectorXd x = VectorXd::Zero(lin.G.cols());
  if (free.empty()) return x;
  const MatrixXd M = lin.metric.reconstructedMatrix();  // with held coordinates the metric is that of the others
  const Eigen::LLT<MatrixXd> metric(M(free, free));
  const MatrixXd G = lin.G(Eigen::all, free);
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> cod;
  cod.setThreshold(rank_threshold);
  cod.compute(metric.matrixL().solve(G.transpose()).transpose());
  const VectorXd z = cod.solve(b), step = metric.matrixL().transpose().solve(z);
  for (std::size_t k = 0; k < free.size(); ++k) x[free[k]] = step[static_cast<int>(k)];
  return x;
}

Vec3d rotation_vector(const Quaternion<double>& from, const Quaternion<double>& to) {  // from^-1 to
  const double w = from.w * to.w + from.x * to.x + from.y * to.y + from.z * to.z;
  const Vec3d e{from.w * to.x - from.x * to.w - from.y * to.z + from.z * to.y, from.w * to.y - from.y * to.w - from.z * to.x + from.x * to.z,
                from.w * to.z - from.z * to.w - from.x * to.y + from.y * to.x};
  const double s = norm(e), angle = 2 * std::atan2(s, std::abs(w));
  return (s > 1e-12 ? (w < 0 ? -angle : angle) / s : 2.0) * e;
}

// q ⊟ p in tangent coordinates
VectorXd minus(const Equations& eq, const std::vector<double>& q, const std::vector<double>& p) {
  VectorXd d = VectorXd::Zero(eq.nv());
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

void report_moves(const std::vector<std::string>& names, const std::vector<double>& before, const std::vector<double>& after, Consistency& out) {
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (std::abs(after[i] - before[i]) > 1e-9) out.moved.push_back({names[i], before[i], after[i]});
  }
  std::stable_sort(out.moved.begin(), out.moved.end(), [](const Moved& a, const Moved& b) { return std::abs(a.to - a.from) > std::abs(b.to - b.from); });
}

// A point on the manifold near `s` by minimal-norm Newton steps.
bool close_loops(const Equations& eq, Linearised& lin, State& s, const std::vector<int>& held, Consistency& out) {
  constexpr int most = 60;
  constexpr double largest_turn = 0.5;  // rad or characteristic lengths in one step
  if (!lin.evaluate(s)) return false;
  double size = lin.residual().lpNorm<Eigen::Infinity>();
  for (out.iterations = 0; out.iterations < most && size > position_tolerance; ++out.iterations) {
    VectorXd step = smallest_step(lin, -lin.residual(), held);
    if (!step.allFinite()) return false;
    const double longest = step.lpNorm<Eigen::Infinity>();
    double damping = std::min(1.0, largest_turn / std::max(longest, 1e-300));
    const State before = s;
    bool better = false;
    for (int halving = 0; halving < 10 && !better; ++halving, damping /= 2) {
      s = before;
      const VectorXd d = damping * step;
      eq.plus(s.q, {d.data(), static_cast<std::size_t>(d.size())});
      better = lin.evaluate(s) && lin.residual().lpNorm<Eigen::Infinity>() < size;
    }
    if (!better) {
      s = before;
      lin.evaluate(s);
      break;
    }
    size = lin.residual().lpNorm<Eigen::Infinity>();
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
  State s{t, eq.tree().q_design, std::vector<double>(eq.nv(), 0.0)};
  for (std::size_t j = 0; j < eq.model().joints.size(); ++j) {
    const model::Joint& joint = eq.model().joints[j];
    const auto& coordinates = eq.tree().coordinates[j];
    const int link = eq.topology().link_of_joint[j];
    const bool reversed = link >= 0 && eq.topology().links[link].reversed;
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
      const auto& at = coordinates[k];
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
  if (eq.ng() == 0) {
    out.ok = true;
    return out;
  }
  Linearised lin(eq);
  const std::vector<double> start = state.q;
  out.ok = close_loops(eq, lin, state, held, out);
  // Slide along the manifold to the point nearest to the start.
  for (int k = 0; out.ok && held.empty() && k < 20; ++k) {
    const VectorXd away = minus(eq, start, state.q);
    if (away.lpNorm<Eigen::Infinity>() < 1e-9) break;
    const VectorXd slide = away - smallest_step(lin, lin.G * away, {});
    if (slide.lpNorm<Eigen::Infinity>() < 1e-7 * (1 + away.lpNorm<Eigen::Infinity>())) break;
    State next = state;
    eq.plus(next.q, {slide.data(), static_cast<std::size_t>(slide.size())});
    Consistency ignored;
    const double before = away.norm();
    if (!close_loops(eq, lin, next, {}, ignored) || minus(eq, start, next.q).norm() > before * (1 + 1e-6)) {
      lin.evaluate(state);
      break;
    }
    state = next;
  }
  report_moves(eq.tree().q_names, start, state.q, out);
  if (!out.ok) {
    out.problem = fmt::format("The loops cannot be closed: {} stays open by {:.3g} (scaled).{}", worst_row(eq, lin.g), out.residual,
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
    const VectorXd step = smallest_step(lin, -lin.velocity_residual(), held);
    for (int i = 0; i < eq.nv(); ++i) state.v[i] += step[i];
  }
  out.ok = out.ok && lin.evaluate(state);
  out.residual = lin.velocity_residual().lpNorm<Eigen::Infinity>();
  const double size = 1 + Eigen::Map<const VectorXd>(state.v.data(), eq.nv()).lpNorm<Eigen::Infinity>();
  out.ok = out.ok && out.residual < 1e-8 * size;
  report_moves(eq.tree().v_names, start, state.v, out);
  if (!out.ok) {
    out.problem = fmt::format("No velocities satisfy all constraints: {} is violated by {:.3g} (scaled). Check drives and held coordinates: "
                              "they may contradict each other.", worst_row(eq, lin.rate), out.residual);
  }
  return out;
}

std::vector<int> find_coordinates(const Equations& eq, const std::vector<std::string>& names, const Location& where) {
  std::vector<int> found;
  std::vector<std::string> known;
  for (std::size_t j = 0; j < eq.model().joints.size(); ++j) {
    for (const auto& at : eq.tree().coordinates[j]) {
      if (!at.in_ball) known.push_back(eq.tree().q_names[at.iq]);
    }
  }
  for (const std::string& name : names) {
    bool hit = false;
    for (std::size_t j = 0; j < eq.model().joints.size(); ++j) {
      for (const auto& at : eq.tree().coordinates[j]) {
        if (at.in_ball || (eq.tree().q_names[at.iq] != name && eq.model().joints[j].name != name)) continue;
        found.push_back(at.iv);
        hit = true;
      }
    }
    if (!hit) throw ModelError(where, "\"" + name + "\" is not a coordinate of a joint in the tree.", suggest(name, known, "Coordinates"));
  }
  return found;
}

Rank find_rank(const Equations& eq, const State& state) {
  Rank out;
  if (eq.ng() == 0) return out;
  Linearised lin(eq);
  auto pivot = [&](const State& s) {
    lin.evaluate(s);
    Eigen::ColPivHouseholderQR<MatrixXd> qr;
    qr.setThreshold(rank_threshold);
    qr.compute(lin.scaled().transpose());
    return qr;
  };
  auto qr = pivot(state);
  out.here = out.rank = static_cast<int>(qr.rank());
  const MatrixXd B = lin.scaled();
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> cod;
  cod.setThreshold(rank_threshold);
  cod.compute(B);
  std::mt19937 engine(7);
  std::normal_distribution<> normal;
  const Eigen::LLT<MatrixXd> metric = lin.metric;
  for (int k = 0; k < 2; ++k) {  // two neighbours along the motion that is left tell redundancy from a singular position
    VectorXd z(eq.nv());
    for (double& x : z) x = normal(engine);
    z -= cod.solve(B * z);
    VectorXd step = metric.matrixL().transpose().solve(z);
    if (step.lpNorm<Eigen::Infinity>() < 1e-9) break;
    step *= 0.05 / step.lpNorm<Eigen::Infinity>();
    State near = state;
    eq.plus(near.q, {step.data(), static_cast<std::size_t>(step.size())});
    Consistency ignored;
    if (!close_loops(eq, lin, near, {}, ignored)) continue;
    auto there = pivot(near);
    if (there.rank() > out.rank) out.rank = static_cast<int>(there.rank()), qr = there;
  }
  const auto& order = qr.colsPermutation().indices();
  for (int k = 0; k < eq.ng(); ++k) (k < out.rank ? out.independent : out.redundant).push_back(eq.active()[order[k]]);
  std::sort(out.independent.begin(), out.independent.end());
  std::sort(out.redundant.begin(), out.redundant.end());
  if (out.rank > 0) out.condition = std::abs(qr.matrixR()(0, 0) / qr.matrixR()(out.rank - 1, out.rank - 1));
  return out;
}

}  // namespace skyhook::formalism
