#include "skyhook/formulation/ggl_explicit.h"

#include <algorithm>

#include "skyhook/base/boxed.h"

namespace skyhook::formulation {

using formalism::EquationsOfMotion;
using formalism::Output;

struct GglExplicit::Work : WorkspaceOf<GglExplicit::Work> {
  Boxed<Workspace> ggl;
  EquationsOfMotion::Workspace equations;
  std::vector<double> yp, F, mass;
  Csc dF_dy, dF_dyp;  // of Ggl
};

GglExplicit::GglExplicit(EquationsOfMotion equations)
    : ggl_(equations, Ggl::Unknowns::found), factor_(equations.mass_pattern()), structure_(ggl_.structure()) {
  structure_.dF_dyp_constant = true;
  build_pattern();
  find_entries();
}

// Where the residual form has an entry in a dynamics row, M^-1 spreads it over the part of the tree.
void GglExplicit::build_pattern() {
  const Pattern& full = *ggl_.structure().pattern;
  const int n = structure_.size(), v = ggl_.v(), lambda = ggl_.lambda();
  PatternBuilder builder(n, n);
  for (int j = 0; j < n; ++j) {
    int spread = -1;  // part that stands there; rows ascend, and parts with them
    for (int k = full.start[j]; k < full.start[j + 1]; ++k) {
      const int i = full.row[k];
      if (i < v || i >= lambda) {
        builder.add(i, j);
        continue;
      }
      const int part = factor_.part_of(i - v);
      if (part == spread) continue;
      spread = part;
      for (int r = factor_.parts()[part].first; r < factor_.parts()[part].last; ++r) builder.add(v + r, j);
    }
  }
  structure_.pattern = std::make_shared<const Pattern>(builder.build());
}

void GglExplicit::find_entries() {
  const Pattern &ours = *structure_.pattern, &full = *ggl_.structure().pattern;
  const int v = ggl_.v(), lambda = ggl_.lambda();
  for (int j = 0; j < structure_.size(); ++j) {
    for (int k = full.start[j]; k < full.start[j + 1]; ++k) entries_.push_back({ours.find(full.row[k], j), k});
    for (int k = ours.start[j]; k < ours.start[j + 1]; ++k) {
      const int i = ours.row[k] - v;
      if (i < 0 || ours.row[k] >= lambda) continue;
      if (const int part = factor_.part_of(i); i == factor_.parts()[part].first) segments_.push_back({k, part});
    }
    if (j < lambda) identity_.push_back(ours.find(j, j));
  }
  const Pattern& mass = ggl_.equations().mass_pattern();
  for (int j = 0; j < mass.cols; ++j) {
    for (int k = mass.start[j]; k < mass.start[j + 1]; ++k) mass_at_.push_back(full.find(v + mass.row[k], v + j));
  }
}

std::unique_ptr<Workspace> GglExplicit::workspace() const {
  auto work = std::make_unique<Work>();
  work->ggl = ggl_.workspace();
  work->equations = ggl_.equations().workspace();
  work->yp.resize(structure_.y.size());
  work->F.resize(structure_.y.size());
  work->mass.resize(mass_at_.size());
  work->dF_dy = work->dF_dyp = Csc(ggl_.structure().pattern);
  return work;
}

Eval GglExplicit::blame(Eval e, const std::string& why, Workspace& workspace) const {
  workspace.blame = why;
  return e;
}

Eval GglExplicit::residual(const Point& x, Span F, Workspace& workspace) const {
  auto& work = static_cast<Work&>(workspace);
  const int v = ggl_.v(), nv = ggl_.lambda() - v, ng = ggl_.eta() - ggl_.lambda();
  const Output out{F.subspan(v, nv), F.first(v), F.subspan(ggl_.eta(), ng), F.subspan(ggl_.lambda(), ng)};
  const Eval e = ggl_.equations().explicit_form(ggl_.input(x), out, work.equations);
  if (e != Eval::ok) return blame(e, work.equations.blame(), work);
  for (int i = v; i < v + nv; ++i) F[i] = x.yp[i] - F[i];
  ggl_.finish_kinematics(x, F);
  return Eval::ok;
}

Eval GglExplicit::derivatives(const Point& x, Csc& dF_dy, Csc& dF_dyp, Workspace& workspace) const {
  auto& work = static_cast<Work&>(workspace);
  if (const Eval e = residual(x, work.F, workspace); e != Eval::ok) return e;
  std::copy(x.yp.begin(), x.yp.end(), work.yp.begin());
  for (int i = ggl_.v(); i < ggl_.lambda(); ++i) work.yp[i] -= work.F[i];
  const Eval e = ggl_.derivatives({x.t, x.y, work.yp, x.u}, work.dF_dy, work.dF_dyp, *work.ggl);
  if (e != Eval::ok) return blame(e, work.ggl->blame, work);
  for (std::size_t k = 0; k < mass_at_.size(); ++k) work.mass[k] = work.dF_dyp.value[mass_at_[k]];
  if (!factor_.factor(work.mass)) return blame(Eval::recoverable, "the mass matrix is singular", work);

  std::fill(dF_dy.value.begin(), dF_dy.value.end(), 0.0);
  for (const Entry& entry : entries_) dF_dy.value[entry.ours] = work.dF_dy.value[entry.theirs];
  for (const Segment& s : segments_) factor_.solve(work.mass, factor_.parts()[s.part], dF_dy.value.data() + s.start);
  mass(x, dF_dyp, workspace);
  return Eval::ok;
}

bool GglExplicit::mass(const Point&, Csc& dF_dyp, Workspace&) const {
  std::fill(dF_dyp.value.begin(), dF_dyp.value.end(), 0.0);
  for (const int k : identity_) dF_dyp.value[k] = 1.0;
  return true;
}

}  // namespace skyhook::formulation
