// Algebraic unknowns and contact variables of contributions as unknowns of the whole ([Arnold 2004] (30c), (30d)):
// their equations, what depends on them, and what they depend on.
#include <algorithm>
#include <cmath>

#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/formalism/recursive/local_twist.h"

namespace skyhook::formalism::recursive {

const model::InnerState& Equations::unknown(int z, const ContributionItem*& owner) const {
  const auto has = [&](const ContributionItem& item) {
    return item.unknowns() > 0 && z < item.branch + item.unknowns();
  };
  owner = &*std::ranges::find_if(contributions_, has);
  const auto k = static_cast<std::size_t>(z - owner->branch);
  const auto& declared = owner->declared();
  return k < declared.algebraic.size() ? declared.algebraic[k]
                                       : declared.contact_variables[k - declared.algebraic.size()];
}

std::string Equations::unknown_name(int z) const {
  const ContributionItem* owner = nullptr;
  const model::InnerState& what = unknown(z, owner);
  return owner->what->name + "." + what.name;
}

double Equations::unknown_nominal(int z) const {
  const ContributionItem* owner = nullptr;
  return unknown(z, owner).nominal;
}

void Equations::build_own_patterns() {
  PatternBuilder own(2 * columns() + ng() + nz(), nz()), rows(nz(), columns());
  for (const ContributionItem& item : contributions_) {
    for (int z = item.branch; z < item.branch + item.unknowns(); ++z) {
      for (const int j : item.coordinates()) own.add(j, z), rows.add(z, j);
      for (const int j : item.moving()) own.add(columns() + j, z);
      for (const int row : item.rows) {
        if (row >= 0) own.add(2 * columns() + row, z);
      }
      for (int i = item.branch; i < item.branch + item.unknowns(); ++i) own.add(2 * columns() + ng() + i, z);
    }
  }
  own_pattern_ = own.build(), own_rows_pattern_ = rows.build();
}

void Equations::find_unknown_slots(ContributionItem& item) const {
  const auto slot = [](const Pattern& pattern, int i, int j) { return pattern.find(i, j) - pattern.start[j]; };
  for (int z = item.branch; z < item.branch + item.unknowns(); ++z) {
    for (const int j : item.coordinates()) item.unknown_columns.push_back(slot(own_pattern_, j, z));
    for (const int j : item.moving()) item.unknown_columns.push_back(slot(own_pattern_, columns() + j, z));
    for (const int row : item.rows)
      item.unknown_columns.push_back(row < 0 ? -1 : slot(own_pattern_, 2 * columns() + row, z));
    for (int i = item.branch; i < item.branch + item.unknowns(); ++i)
      item.unknown_columns.push_back(slot(own_pattern_, 2 * columns() + ng() + i, z));
    for (const int j : item.coordinates()) item.unknown_rows.push_back(slot(own_rows_pattern_, z, j));
  }
}

Eval Equations::contribution_unknowns(const Input& in, Span h, Workspace& ws) const {
  PairMotion m;
  for (const ContributionItem& item : contributions_) {
    if (item.unknowns() == 0) continue;
    if (const Eval e = look_at(item, in.t, in.z, false, ws.nodes, m, ws); e != Eval::ok) return e;
    const auto algebraic = static_cast<int>(item.declared().algebraic.size());
    if (algebraic > 0) {
      if (const Eval e = look_at_loads(item, in.v, in.z, in.lambda, m, ws); e != Eval::ok) return e;
      std::ranges::copy(ws.loads.b(), h.begin() + item.branch);
    }
    for (int k = 0; k < ws.conditions.variables; ++k) h[item.branch + algebraic + k] = ws.conditions.h[k];
  }
  return Eval::ok;
}

// The block has the twists of the path; the loads and conditions are those of this contribution, z standing by themselves.
void Equations::unknown_columns(const ContributionItem& item, const Input& in, const PairMotion& m, const Blocks& out,
                                Workspace& ws) const {
  const LocalConditions& c = ws.conditions;
  const LocalLoads& loads = ws.loads;
  const bool has_loads = item.acts();
  const int n = item.pair.n(), algebraic = static_cast<int>(item.declared().algebraic.size());
  LocalConditions::Row speed{m.rel.v.x, m.rel.v.y, m.rel.v.z, m.rel.w.x, m.rel.w.y, m.rel.w.z};
  for (int i = 6; i < c.directions; ++i) speed[i] = ws.own_rate[i - 6];
  const int* slot = item.unknown_columns.data();
  for (int u = 0; u < item.unknowns(); ++u) {
    double* const column = out.own[item.branch + u];
    const int k = u - algebraic;  // contact variable, or below zero
    const int from = loads.by_unknown(u), to = c.directions + k;
    LocalConditions::Row with_lambda{}, with_eta{};
    for (int i = 0; i < 6 + item.owns; ++i) {
      if (has_loads) with_lambda[i] = -loads.partial(i < 6 ? i : loads.of_force(i - 6), from);
      for (int r = 0; r < item.row_count() && k >= 0; ++r) {
        if (item.rows[r] < 0) continue;
        with_lambda[i] += in.lambda[item.rows[r]] * c.G_partial[r][i][to];
        with_eta[i] += in.eta[item.rows[r]] * c.G_partial[r][i][to];
      }
    }
    const auto along = [&](const LocalConditions::Row& w, const LocalTwist& by) {
      return dot(Vec3d{w[0], w[1], w[2]}, by.shift) + dot(Vec3d{w[3], w[4], w[5]}, by.turn);
    };
    for (int j = 0; j < n; ++j) column[*slot++] = along(with_lambda, local_twist(ws.block, m, j));
    for (int j = 0; j < item.owns; ++j) column[*slot++] = with_lambda[6 + j];
    for (int j = 0; j < item.states; ++j) column[*slot++] = -loads.partial(loads.of_rate(j), from);
    for (int j = 0; j < n; ++j) column[*slot++] = along(with_eta, local_twist(ws.block, m, j));
    for (int j = 0; j < item.owns; ++j) column[*slot++] = with_eta[6 + j];
    for (int r = 0; r < item.row_count(); ++r, ++slot) {
      if (item.rows[r] < 0) continue;
      double rate = 0;
      for (int i = 0; i < c.directions && k >= 0; ++i) rate += c.G_partial[r][i][to] * speed[i];
      column[*slot] = rate;
    }
    for (int i = 0; i < item.unknowns(); ++i)
      column[*slot++] = i < algebraic ? loads.partial(loads.of_b(i), from) : k < 0 ? 0.0 : c.h_s[i - algebraic][k];
  }
}

void Equations::unknown_rows(const ContributionItem& item, const PairMotion& m, const Blocks& out,
                             Workspace& ws) const {
  const int n = item.pair.n(), algebraic = static_cast<int>(item.declared().algebraic.size());
  const LocalLoads& loads = ws.loads;
  const int* slot = item.unknown_rows.data();
  for (int u = 0; u < item.unknowns(); ++u) {
    const bool is_algebraic = u < algebraic;
    model::Local row(0.0);
    for (int i = 0; i < (is_algebraic ? 12 : 6); ++i)
      row.d[i] = is_algebraic ? loads.partial(loads.of_b(u), i) : ws.conditions.h_x[u - algebraic][i];
    for (int j = 0; j < n; ++j, ++slot) {
      const LocalTwist by = local_twist(ws.block, m, j);
      out.own_stiffness[item.pair.dofs[j]][*slot] = by_position(row, by);
      out.own_damping[item.pair.dofs[j]][*slot] = by_rate(row, by);
    }
    for (int j = 0; j < item.owns; ++j, ++slot) {
      const int column = item.first_own + j;
      out.own_stiffness[column][*slot] =
          is_algebraic ? loads.partial(loads.of_b(u), loads.by_own(j)) : ws.conditions.h_x[u - algebraic][6 + j];
      out.own_damping[column][*slot] = is_algebraic ? loads.partial(loads.of_b(u), loads.by_own_rate(j)) : 0.0;
    }
    for (int j = 0; j < item.states; ++j)
      out.own_damping[item.first + j][*slot++] = is_algebraic ? loads.partial(loads.of_b(u), loads.by_state(j)) : 0.0;
  }
}

}  // namespace skyhook::formalism::recursive
