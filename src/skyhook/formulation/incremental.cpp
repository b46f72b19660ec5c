#include "skyhook/formulation/incremental.h"

#include <algorithm>

#include "skyhook/formalism/acceleration_solver.h"
#include "skyhook/formalism/way.h"
#include "skyhook/formulation/ggl_work.h"
#include "skyhook/formulation/line_rates.h"
#include "skyhook/math/rotation_vector.h"

namespace skyhook::formulation {

using formalism::EquationsOfMotion;

struct Incremental::Work : WorkspaceOf<Incremental::Work> {
  explicit Work(const EquationsOfMotion& eq) : equations(eq.workspace()), solver(eq.acceleration_solver()) {
    const Pattern &tangent = eq.tangent_pattern(), &rows = eq.constraint_pattern(), &own_rows = eq.own_rows_pattern();
    for (auto* block : {&stiffness, &damping, &mass}) block->resize(tangent.nonzeros());
    for (auto* block : {&jacobian, &turned, &g_rate, &friction}) block->resize(rows.nonzeros());
    loop.resize(eq.loop_pattern().nonzeros()), own.resize(eq.own_pattern().nonzeros());
    own_stiffness.resize(own_rows.nonzeros()), own_damping.resize(own_rows.nonzeros());
    q0.resize(eq.nq()), q.resize(eq.nq()), qdot.resize(eq.nq()), step.resize(eq.nv());
    no_eta.resize(eq.ng()), g_rate_value.resize(eq.ng()), multipliers.resize(eq.ng());
  }
  EquationsOfMotion::Workspace equations;
  formalism::AccelerationSolver solver;
  double stretch = 1;
  std::vector<double> q0, q, qdot, step, no_eta, g_rate_value, multipliers;
  std::vector<double> stiffness, damping, mass, loop, jacobian, turned, g_rate, friction, own, own_stiffness,
      own_damping;

  // Where the columns of a block begin.
  double* const* pointers(std::vector<double*>& columns, const Pattern& pattern, std::vector<double>& values) const {
    columns.resize(static_cast<std::size_t>(pattern.cols));
    for (int j = 0; j < pattern.cols; ++j) columns[j] = values.data() + pattern.start[j];
    return columns.data();
  }
  std::vector<double*> at[10];
};

Incremental::Incremental(EquationsOfMotion equations, Form form)
    : equations_(std::move(equations)),
      is_stabilised_(form == Form::stabilised),
      nd_(equations_.moving()),
      nv_(equations_.nv()),
      ng_(equations_.ng()),
      nz_(equations_.nz()) {
  build_structure();
  build_pattern();
  build_maps();
}

void Incremental::build_structure() {
  const auto& eq = equations_;
  structure_.inputs = eq.inputs();
  const auto add = [&](int index, const std::string& name, const std::string& row, double nominal = 1.0,
                       bool tested = false) {
    structure_.y.push_back({.index = index, .nominal = nominal, .in_error_test = tested, .name = name});
    structure_.rows.push_back(row);
  };
  sizes_ = {eq.nq(), nd_, nv_, {}, std::vector<int>(static_cast<std::size_t>(eq.nq()), 0)};
  for (int i = 0; i < nd_; ++i) {
    const int iq = eq.position_of(i);
    sizes_.position_of.push_back(iq);
    if (iq >= 0) sizes_.increment_of[iq] = i;
    const std::string& name = iq >= 0 ? eq.position_names()[iq] : eq.velocity_names()[i];
    add(0, name, "kinematics of " + name, iq >= 0 ? eq.position_nominal(iq) : 1.0, true);
    structure_.y.back().counts_way = iq >= 0 && formalism::counts_way(eq, iq);
  }
  for (const auto& [iq, iv] : eq.rotations())
    for (int a = 0; a < 4; ++a) sizes_.increment_of[iq + a] = iv;
  // Where only positions are constrained, velocities follow from their differences, as in Descriptor.
  for (int i = 0; i < nv_; ++i)
    add(!is_stabilised_ && i < nd_ && ng_ > 0 ? 2 : 0, eq.velocity_names()[i], "dynamics of " + eq.velocity_names()[i],
        eq.nominal(i), true);
  count_lines_by_increments(eq, nd_, structure_);
  for (const int k : eq.active())
    add(is_stabilised_ ? 2 : 3, "force of " + eq.rows()[k].name(),
        (is_stabilised_ ? "velocity constraint of " : "constraint of ") + eq.rows()[k].name());
  for (std::size_t k = 0; is_stabilised_ && k < eq.active().size(); ++k)
    add(2, "correction of " + eq.rows()[eq.active()[k]].name(), "constraint of " + eq.rows()[eq.active()[k]].name());
  for (int k = 0; k < nz_; ++k) add(1, eq.unknown_name(k), "condition of " + eq.unknown_name(k), eq.unknown_nominal(k));
}

namespace {

template <class Act>
void for_entries(const Pattern& pattern, Act&& act) {
  for (int j = 0; j < pattern.cols; ++j)
    for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) act(k, pattern.row[k], j);
}

}  // namespace

// The own pattern has rows tau, G^T eta, g_rate, h (ggl_unknowns.cpp); act(entry, row of ours, column) for those that stand here.
template <class Act>
void Incremental::for_own_rows(Act&& act) const {
  for_entries(equations_.own_pattern(), [&](int k, int row, int j) {
    if (row < nv_) return act(k, v() + row, z() + j);
    if (row >= 2 * nv_ + ng_) return act(k, z() + row - 2 * nv_ - ng_, z() + j);
    if (!is_stabilised_) return;
    if (row >= 2 * nv_) return act(k, lambda() + row - 2 * nv_, z() + j);
    if (row - nv_ < nd_) act(k, row - nv_, z() + j);
  });
}

//                    d                   v           lambda           eta
//   kinematics       d(G^T eta)/dq       -1                           G^T
//   dynamics         d tau/dq            d tau/dv    G^T - df/dlambda
//   velocity rows    d(G v + gI)/dq      G
//   position rows    G
void Incremental::build_pattern() {
  const int n = structure_.size();
  PatternBuilder builder(n, n);
  for (int i = 0; i < nd_; ++i) builder.add(i, i), builder.add(i, v() + i);
  for_entries(equations_.tangent_pattern(), [&](int, int i, int j) {
    if (j < nd_) builder.add(v() + i, j);
    builder.add(v() + i, v() + j);
  });
  for_entries(equations_.constraint_pattern(), [&](int, int i, int j) {
    builder.add(eta() + i, j), builder.add(v() + j, lambda() + i);
    if (!is_stabilised_) return;
    builder.add(lambda() + i, j), builder.add(lambda() + i, v() + j), builder.add(j, eta() + i);
  });
  if (is_stabilised_) for_entries(equations_.loop_pattern(), [&](int, int i, int j) { builder.add(i, j); });
  for_entries(equations_.own_rows_pattern(), [&](int, int i, int j) {
    if (nz_ == 0) return;
    if (j < nd_) builder.add(z() + i, j);
    builder.add(z() + i, v() + j);
  });
  if (nz_ > 0) for_own_rows([&](int, int i, int j) { builder.add(i, j); });
  structure_.pattern = std::make_shared<const Pattern>(builder.build());
}

void Incremental::build_maps() {
  const Pattern& p = *structure_.pattern;
  for (int i = 0; i < nd_; ++i) identity_.push_back(p.find(i, i)), minus_identity_.push_back(p.find(i, v() + i));
  for_entries(equations_.tangent_pattern(), [&](int k, int i, int j) {
    if (j < nd_) stiffness_.push_back({k, p.find(v() + i, j)});
    damping_.push_back({k, p.find(v() + i, v() + j)});
  });
  for_entries(equations_.constraint_pattern(), [&](int k, int i, int j) {
    position_rows_.push_back({k, p.find(eta() + i, j)}), transposed_.push_back({k, p.find(v() + j, lambda() + i)});
    if (!is_stabilised_) return;
    velocity_rates_.push_back({k, p.find(lambda() + i, j)}),
        velocity_rows_.push_back({k, p.find(lambda() + i, v() + j)});
    of_eta_.push_back({k, p.find(j, eta() + i)});
  });
  for (const auto& [row, j] : equations_.loads())
    friction_.push_back({equations_.constraint_pattern().find(row, j), p.find(v() + j, lambda() + row)});
  if (is_stabilised_)
    for_entries(equations_.loop_pattern(), [&](int k, int i, int j) { loop_.push_back({k, p.find(i, j)}); });
  if (nz_ == 0) return;
  for_entries(equations_.own_rows_pattern(), [&](int k, int i, int j) {
    if (j < nd_) own_stiffness_.push_back({k, p.find(z() + i, j)});
    own_damping_.push_back({k, p.find(z() + i, v() + j)});
  });
  for_own_rows([&](int k, int i, int j) { own_.push_back({k, p.find(i, j)}); });
}

std::unique_ptr<Workspace> Incremental::workspace() const { return std::make_unique<Work>(equations_); }

void Incremental::begin_step(CSpan q, double stretch, Workspace& workspace) const {
  auto& work = static_cast<Work&>(workspace);
  std::ranges::copy(q, work.q0.begin());
  work.stretch = stretch;
}

Eval Incremental::accelerations(double t, CSpan q, CSpan velocities, Span a, Workspace& workspace) const {
  auto& work = static_cast<Work&>(workspace);
  const Eval e = work.solver.solve(t, q, velocities, a, work.multipliers, work.equations);
  if (e != Eval::ok) work.blame = work.equations.blame();
  return e;
}

void Incremental::fill_unknowns(double t, Span y, Workspace& workspace) const {
  if (nz_ == 0) return;
  const auto nq = static_cast<std::size_t>(sizes_.nq), nv = static_cast<std::size_t>(nv_),
             nz = static_cast<std::size_t>(nz_);
  equations_.find_unknowns(t, y.first(nq), y.subspan(nq, nv), y.last(nz), static_cast<Work&>(workspace).equations);
}

void Incremental::place(const Point& x, Work& work) const {
  std::ranges::copy(work.q0, work.q.begin());
  std::ranges::copy(x.y.first(static_cast<std::size_t>(nd_)), work.step.begin());
  equations_.plus(work.q, work.step);
}

formalism::Input Incremental::input(const Point& x, Work& work) const {
  const auto ng = static_cast<std::size_t>(ng_);
  const CSpan of_eta = is_stabilised_ ? x.y.subspan(eta(), ng) : CSpan(work.no_eta);
  return {x.t,
          work.q,
          x.y.subspan(v(), nv_),
          x.yp.subspan(v(), nv_),
          x.y.subspan(lambda(), ng),
          of_eta,
          formalism::Drives::move,
          x.u,
          x.y.subspan(z(), nz_)};
}

Eval Incremental::residual(const Point& x, Span F, Workspace& workspace) const {
  auto& work = static_cast<Work&>(workspace);
  place(x, work);
  const formalism::Output out{.tau = F.subspan(v(), nv_),
                              .qdot = work.qdot,
                              .g = F.subspan(eta(), ng_),
                              .g_rate = is_stabilised_ ? F.subspan(lambda(), ng_) : Span(work.g_rate_value),
                              .h = F.subspan(z(), nz_)};
  if (const Eval e = equations_.residual(input(x, work), out, work.equations); e != Eval::ok) {
    work.blame = work.equations.blame();
    return e;
  }
  for (int i = 0; i < nd_; ++i)
    if (const int iq = sizes_.position_of[i]; iq >= 0) F[i] = work.stretch * x.yp[i] - work.qdot[iq];
  for (const auto& [iq, iv] : equations_.rotations()) {
    const QuaternionMap map(work.q.data() + iq);
    for (int k = 0; k < 3; ++k) {
      double rate = 0;
      for (int a = 0; a < 4; ++a) rate += map.left_inverse[a][k] * work.qdot[iq + a];
      F[iv + k] = work.stretch * x.yp[iv + k] - rate;
    }
  }
  return Eval::ok;
}

namespace {

// Three columns of a ball, which know the same rows: each row times J(d), that is J(-d) times its transpose.
void turn(const Pattern& pattern, int iv, const Vec3d& d, std::vector<double>& value) {
  for (int k = 0; k < pattern.start[iv + 1] - pattern.start[iv]; ++k) {
    double &x = value[pattern.start[iv] + k], &y = value[pattern.start[iv + 1] + k],
           &z = value[pattern.start[iv + 2] + k];
    const Vec3d turned = angular_velocity(-d, Vec3d{x, y, z});
    x = turned.x, y = turned.y, z = turned.z;
  }
}

}  // namespace

void Incremental::turn_columns(const Point& x, Work& work) const {
  work.turned = work.jacobian;
  for (const auto& [iq, iv] : equations_.rotations()) {
    const Vec3d d{x.y[iv], x.y[iv + 1], x.y[iv + 2]};
    turn(equations_.tangent_pattern(), iv, d, work.stiffness);
    turn(equations_.constraint_pattern(), iv, d, work.turned);
    if (is_stabilised_) turn(equations_.constraint_pattern(), iv, d, work.g_rate);
    if (is_stabilised_) turn(equations_.loop_pattern(), iv, d, work.loop);
    if (nz_ > 0) turn(equations_.own_rows_pattern(), iv, d, work.own_stiffness);
  }
}

void Incremental::write(Csc& dF_dy, Csc& dF_dyp, const Work& work) const {
  std::ranges::fill(dF_dy.value, 0.0), std::ranges::fill(dF_dyp.value, 0.0);
  const auto copy = [](const std::vector<Copy>& list, const std::vector<double>& from, Csc& to) {
    for (const Copy& e : list) to.value[e.to] += from[e.from];
  };
  for (const int k : identity_) dF_dyp.value[k] = work.stretch;
  for (const int k : minus_identity_) dF_dy.value[k] = -1.0;
  copy(damping_, work.mass, dF_dyp);
  copy(stiffness_, work.stiffness, dF_dy), copy(damping_, work.damping, dF_dy), copy(loop_, work.loop, dF_dy);
  copy(position_rows_, work.turned, dF_dy), copy(transposed_, work.jacobian, dF_dy),
      copy(friction_, work.friction, dF_dy);
  copy(velocity_rates_, work.g_rate, dF_dy), copy(velocity_rows_, work.jacobian, dF_dy),
      copy(of_eta_, work.jacobian, dF_dy);
  copy(own_, work.own, dF_dy), copy(own_stiffness_, work.own_stiffness, dF_dy),
      copy(own_damping_, work.own_damping, dF_dy);
}

Eval Incremental::derivatives(const Point& x, Csc& dF_dy, Csc& dF_dyp, Workspace& workspace) const {
  auto& work = static_cast<Work&>(workspace);
  place(x, work);
  const Pattern &tangent = equations_.tangent_pattern(), &rows = equations_.constraint_pattern(),
                &own_rows = equations_.own_rows_pattern();
  const formalism::Blocks blocks{
      .stiffness = work.pointers(work.at[0], tangent, work.stiffness),
      .damping = work.pointers(work.at[1], tangent, work.damping),
      .mass = work.pointers(work.at[2], tangent, work.mass),
      .eta_part = work.pointers(work.at[3], equations_.loop_pattern(), work.loop),
      .jacobian = work.pointers(work.at[4], rows, work.jacobian),
      .g_rate_part = work.pointers(work.at[5], rows, work.g_rate),
      .friction = friction_.empty() ? nullptr : work.pointers(work.at[6], rows, work.friction),
      .own = work.pointers(work.at[7], equations_.own_pattern(), work.own),
      .own_stiffness = work.pointers(work.at[8], own_rows, work.own_stiffness),
      .own_damping = work.pointers(work.at[9], own_rows, work.own_damping)};
  if (const Eval e = equations_.derivatives(input(x, work), blocks, work.equations); e != Eval::ok) {
    work.blame = work.equations.blame();
    return e;
  }
  turn_columns(x, work);
  write(dF_dy, dF_dyp, work);
  return Eval::ok;
}

}  // namespace skyhook::formulation
