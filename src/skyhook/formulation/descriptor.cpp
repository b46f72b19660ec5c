#include "skyhook/formulation/descriptor.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "skyhook/base/boxed.h"

namespace skyhook::formulation {

using formalism::Drives;
using formalism::EquationsOfMotion;

// The GGL system with eta = 0 does the work.
struct Descriptor::Work : WorkspaceOf<Descriptor::Work> {
  Work(const EquationsOfMotion& eq, Metric metric) : projection(eq, metric) {}
  Projection projection;
  Boxed<Workspace> ggl;
  EquationsOfMotion::Workspace equations;
  std::vector<double> y, yp, F;
  Csc dF_dy, dF_dyp;
  std::vector<double> moved, rows, moved_rows, step;
};

namespace {

// The acceleration of a constraint needs those of z: they are found inside then.
Ggl::Unknowns unknowns_of(Level level) {
  return level == Level::index1 || level == Level::baumgarte ? Ggl::Unknowns::found : Ggl::Unknowns::kept;
}

}  // namespace

Descriptor::Descriptor(EquationsOfMotion equations, DescriptorOptions options)
    : ggl_(std::move(equations), unknowns_of(options.level)),
      options_(options),
      ng_(ggl_.equations().ng()),
      nn_(static_cast<int>(ggl_.equations().rotations().size())) {
  build_structure();
  build_pattern();
}

// Ours are (q, v, lambda, nu). The constraint rows of index 3 stand in the eta rows of GGL, the others in the lambda rows.
int Descriptor::theirs(int ours) const { return ours < nu() ? ours : ours - nu() + ggl_.nu(); }

void Descriptor::build_structure() {
  const Structure& full = ggl_.structure();
  structure_.inputs = full.inputs;
  for (int i = 0; i < nu() + full.size() - ggl_.nu(); ++i) {
    structure_.y.push_back(full.y[theirs(i)]);
    structure_.rows.push_back(full.rows[theirs(i)]);
  }
  const int index = options_.level == Level::index3 ? 3 : options_.level == Level::index2 ? 2 : 1;
  const char* noun = index == 3   ? "constraint of "
                     : index == 2 ? "velocity constraint of "
                                  : "acceleration constraint of ";
  // Where only positions are constrained, velocities are found from their differences: index 2 (Hairer, Wanner II,
  // VII.1).
  if (index == 3) {
    const int inner = v() + ggl_.equations().moving();  // these have rates of their own
    for (int i = v(); i < inner; ++i) structure_.y[i].index = 2;
  }
  const auto& eq = ggl_.equations();
  for (int k = 0; k < ng_; ++k) {
    structure_.y[lambda() + k].index = index;
    structure_.rows[lambda() + k] = noun + eq.rows()[eq.active()[k]].name();
  }
}

void Descriptor::build_pattern() {
  const Pattern& full = *ggl_.structure().pattern;
  const int n = structure_.size();
  const bool of_positions = options_.level == Level::index3;
  // Row of ours for a row of GGL, -1: dropped.
  const auto our_row = [&](int row) {
    if (row < lambda()) return row;
    if (row >= ggl_.nu()) return row - ggl_.nu() + nu();
    const bool is_position = row >= ggl_.eta();
    if (is_position != of_positions) return -1;
    return row - (is_position ? ggl_.eta() : ggl_.lambda()) + lambda();
  };
  PatternBuilder builder(n, n), constraint_builder(ng_, lambda());
  for (int j = 0; j < n; ++j) {
    const int column = theirs(j);
    for (int k = full.start[column]; k < full.start[column + 1]; ++k) {
      const int i = our_row(full.row[k]);
      if (i < 0) continue;
      builder.add(i, j);
      if (i >= lambda() && i < nu() && j < lambda()) constraint_builder.add(i - lambda(), j);
    }
  }
  structure_.pattern = std::make_shared<const Pattern>(builder.build());
  const Pattern& p = *structure_.pattern;
  for (int j = 0; j < n; ++j) {
    for (int k = p.start[j]; k < p.start[j + 1]; ++k) {
      const int i = p.row[k];
      if (has_accelerations() && i >= lambda() && i < nu()) {
        const bool of_v = j >= v();
        constraint_entries_.push_back(
            {k, full.find(ggl_.lambda() + i - lambda(), j), of_v ? -1 : full.find(ggl_.eta() + i - lambda(), j), of_v});
        continue;
      }
      const int row = i < lambda() ? i
                      : i >= nu()  ? theirs(i)
                                   : i - lambda() + (of_positions ? ggl_.eta() : ggl_.lambda());
      entries_.push_back({k, full.find(row, theirs(j))});
    }
  }
  if (has_accelerations()) groups_ = group_columns(constraint_builder.build());
}

std::unique_ptr<Workspace> Descriptor::workspace() const {
  auto work = std::make_unique<Work>(ggl_.equations(), options_.metric);
  work->ggl = ggl_.workspace();
  work->equations = ggl_.equations().workspace();
  const auto n = static_cast<std::size_t>(ggl_.structure().size());
  for (auto* x : {&work->y, &work->yp, &work->F}) x->assign(n, 0.0);
  work->dF_dy = Csc(ggl_.structure().pattern);
  work->dF_dyp = Csc(ggl_.structure().pattern);
  work->moved.resize(static_cast<std::size_t>(structure_.size()));
  work->step.resize(work->moved.size());
  work->rows.resize(static_cast<std::size_t>(ng_));
  work->moved_rows.resize(static_cast<std::size_t>(ng_));
  return work;
}

void Descriptor::widen(const Point& x, Work& work) const {
  for (int i = 0; i < structure_.size(); ++i) work.y[theirs(i)] = x.y[i], work.yp[theirs(i)] = x.yp[i];
}

// G v' + gII
Eval Descriptor::acceleration_rows(const Point& x, Span rows, Work& work) const {
  const auto nq = static_cast<std::size_t>(v()), nv = static_cast<std::size_t>(lambda() - v());
  const auto ng = static_cast<std::size_t>(ng_);
  const CSpan no_eta = CSpan(work.y).subspan(static_cast<std::size_t>(ggl_.eta()), ng);
  const Eval e =
      ggl_.equations().constraint_accelerations({x.t, x.y.first(nq), x.y.subspan(nq, nv), x.yp.subspan(nq, nv),
                                                 x.y.subspan(nq + nv, ng), no_eta, Drives::move, x.u},
                                                rows, work.equations);
  if (e != Eval::ok) work.blame = work.equations.blame();
  return e;
}

Eval Descriptor::residual(const Point& x, Span F, Workspace& workspace) const {
  auto& work = static_cast<Work&>(workspace);
  widen(x, work);
  if (const Eval e = ggl_.residual({x.t, work.y, work.yp, x.u}, work.F, *work.ggl); e != Eval::ok) {
    work.blame = work.ggl->blame;
    return e;
  }
  for (int i = 0; i < structure_.size(); ++i) F[i] = work.F[theirs(i)];
  const double* g = work.F.data() + ggl_.eta();
  const double* rate = work.F.data() + ggl_.lambda();
  const double a = options_.level == Level::baumgarte ? options_.alpha : 0.0;
  if (options_.level == Level::index3) std::copy_n(g, ng_, F.begin() + lambda());
  if (!has_accelerations()) return Eval::ok;
  if (const Eval e = acceleration_rows(x, F.subspan(lambda(), ng_), work); e != Eval::ok) return e;
  for (int k = 0; k < ng_; ++k) F[lambda() + k] += 2 * a * rate[k] + a * a * g[k];
  return Eval::ok;
}

// d(G a + gII)/d(q, v) at constant a, forward differences in steps of [Arnold 2006] (17).
Eval Descriptor::difference_rows(const Point& x, Csc& dF_dy, Work& work) const {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const Pattern& p = *structure_.pattern;
  if (const Eval e = acceleration_rows(x, work.rows, work); e != Eval::ok) return e;
  std::copy(x.y.begin(), x.y.end(), work.moved.begin());
  for (const std::vector<int>& group : groups_) {
    for (const int j : group) {
      const double known =
          structure_.y[j].counts_way ? std::min(std::abs(x.y[j]), structure_.y[j].nominal) : std::abs(x.y[j]);
      const double size = std::max(known, std::sqrt(std::sqrt(epsilon)) * structure_.y[j].nominal);
      work.moved[j] = x.y[j] + std::sqrt(epsilon) * size;
      work.step[j] = work.moved[j] - x.y[j];
    }
    if (const Eval e = acceleration_rows({x.t, work.moved, x.yp, x.u}, work.moved_rows, work); e != Eval::ok) return e;
    for (const int j : group) {
      work.moved[j] = x.y[j];
      for (int k = p.start[j]; k < p.start[j + 1]; ++k) {
        const int i = p.row[k] - lambda();
        if (i >= 0 && i < ng_) dF_dy.value[k] += (work.moved_rows[i] - work.rows[i]) / work.step[j];
      }
    }
  }
  return Eval::ok;
}

Eval Descriptor::derivatives(const Point& x, Csc& dF_dy, Csc& dF_dyp, Workspace& workspace) const {
  auto& work = static_cast<Work&>(workspace);
  widen(x, work);
  if (const Eval e = ggl_.derivatives({x.t, work.y, work.yp, x.u}, work.dF_dy, work.dF_dyp, *work.ggl); e != Eval::ok) {
    work.blame = work.ggl->blame;
    return e;
  }
  for (const Entry& e : entries_) {
    dF_dy.value[e.ours] = work.dF_dy.value[e.theirs];
    dF_dyp.value[e.ours] = work.dF_dyp.value[e.theirs];
  }
  const double a = options_.level == Level::baumgarte ? options_.alpha : 0.0;
  for (const ConstraintEntry& e : constraint_entries_) {
    const double rate = work.dF_dy.value[e.velocity];
    dF_dy.value[e.ours] = 2 * a * rate + (e.of_v ? 0.0 : a * a * work.dF_dy.value[e.position]);
    dF_dyp.value[e.ours] = e.of_v ? rate : 0.0;
  }
  return has_accelerations() ? difference_rows(x, dF_dy, work) : Eval::ok;
}

bool Descriptor::mass(const Point& x, Csc& dF_dyp, Workspace& workspace) const {
  if (has_accelerations()) return false;
  auto& work = static_cast<Work&>(workspace);
  widen(x, work);
  if (!ggl_.mass({x.t, work.y, work.yp, x.u}, work.dF_dyp, *work.ggl)) return false;
  for (const Entry& e : entries_) dF_dyp.value[e.ours] = work.dF_dyp.value[e.theirs];
  return true;
}

void Descriptor::fill_unknowns(double t, Span y, Workspace& workspace) const {
  const auto nz = static_cast<std::size_t>(ggl_.structure().size() - ggl_.z());
  if (nz == 0) return;
  const auto nq = static_cast<std::size_t>(v()), nv = static_cast<std::size_t>(lambda() - v());
  ggl_.equations().find_unknowns(t, y.first(nq), y.subspan(nq, nv), y.last(nz),
                                 static_cast<Work&>(workspace).equations);
}

Eval Descriptor::repair(double t, Span y, CSpan weight, Repair& repair, Workspace& workspace) const {
  auto& work = static_cast<Work&>(workspace);
  const auto nq = static_cast<std::size_t>(v()), nv = static_cast<std::size_t>(lambda() - v());
  const Span q = y.first(nq), velocity = y.subspan(nq, nv);
  work.projection.normalise_quaternions(q);
  if (ng_ == 0) return Eval::ok;
  work.projection.solver().factor(t, q, work.projection.workspace());
  Eval e = work.projection.positions(t, q, velocity, weight.first(nq), repair);
  if (e == Eval::ok) e = work.projection.velocities(t, q, velocity);
  if (e == Eval::ok) fill_unknowns(t, y, workspace);
  if (e != Eval::ok) work.blame = work.projection.workspace().blame();
  return e;
}

}  // namespace skyhook::formulation
