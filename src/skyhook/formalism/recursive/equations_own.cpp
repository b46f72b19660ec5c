// Coordinates of contributions that are their own and have inertia: what depends on them, and what they depend on. The tree has their
// masses (OwnNode); here are the forces on them.
#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/formalism/recursive/local_twist.h"

namespace skyhook::formalism::recursive {
namespace {

using Row = LocalConditions::Row;

// Of -(loads) + G^T lambda, or of G^T eta, in the directions of x: how they change along one of them, or the other way round.
struct Changes {
  Row of_column{}, of_row{};
};
Changes changes_of(const LocalConditions& c, const std::vector<int>& rows, CSpan multipliers, int direction) {
  Changes out;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (rows[r] < 0) continue;
    for (int i = 0; i < c.directions; ++i) {
      out.of_column[i] += multipliers[rows[r]] * c.G_change[r][i][direction];
      out.of_row[i] += multipliers[rows[r]] * c.G_change[r][direction][i];
    }
  }
  return out;
}

double along(const Row& w, const LocalTwist& by) {
  return dot(Vec3d{w[0], w[1], w[2]}, by.shift) + dot(Vec3d{w[3], w[4], w[5]}, by.turn);
}

}  // namespace

void Equations::find_own_slots(ContributionItem& item) const {
  const auto slot = [](const Pattern& pattern, int i, int j) { return pattern.find(i, j) - pattern.start[j]; };
  for (int k = item.first_own; k < item.first_own + item.owns; ++k) {
    for (const int j : item.coordinates()) {
      item.own_columns.push_back(slot(tangent_pattern_, j, k));
      item.own_rows.push_back(slot(tangent_pattern_, k, j));
    }
    for (const int j : item.moving()) {
      if (item.active_rows == 0) break;
      item.own_loop_columns.push_back(slot(loop_pattern_, j, k));
      item.own_loop_rows.push_back(slot(loop_pattern_, k, j));
    }
  }
}

// The block has the twists of the path; loads and conditions are those of this contribution.
void Equations::own_blocks(const ContributionItem& item, const Input& in, const PairMotion& m, const Blocks& out,
                           Workspace& ws) const {
  const LocalLoads& loads = ws.loads;
  const bool has_loads = item.acts();
  const int n = item.pair.n(), moving = n + item.owns, all = moving + item.states;
  const auto slope = [&](int row, int column) { return has_loads ? loads.slope(row, column) : 0.0; };
  const auto force = [&](int direction) { return direction < 6 ? direction : loads.of_force(direction - 6); };
  for (int k = 0; k < item.owns; ++k) {
    const int p = item.first_own + k, row = loads.of_force(k);
    const int *const down = item.own_columns.data() + k * all, *const across = item.own_rows.data() + k * all;
    Changes with_lambda = changes_of(ws.conditions, item.rows, in.lambda, 6 + k);
    Row by_rate_of_p{};
    for (int i = 0; i < 6 + item.owns; ++i) {
      with_lambda.of_column[i] -= slope(force(i), loads.by_own(k));
      by_rate_of_p[i] = -slope(force(i), loads.by_own_rate(k));
    }
    model::Local of_p(0.0);  // the force on p, with the sign of tau
    for (int i = 0; i < 12; ++i) of_p.d[i] = (i < 6 ? with_lambda.of_row[i] : 0.0) - slope(row, i);
    for (int j = 0; j < n; ++j) {
      const LocalTwist by = local_twist(ws.block, m, j);
      out.stiffness[p][down[j]] += along(with_lambda.of_column, by);
      out.damping[p][down[j]] += along(by_rate_of_p, by);
      out.stiffness[item.pair.dofs[j]][across[j]] += by_position(of_p, by);
      out.damping[item.pair.dofs[j]][across[j]] += by_rate(of_p, by);
    }
    for (int j = 0; j < item.owns; ++j) {
      out.stiffness[p][down[n + j]] += with_lambda.of_column[6 + j];
      out.damping[p][down[n + j]] += by_rate_of_p[6 + j];
    }
    for (int c = 0; c < item.states; ++c) {
      out.stiffness[p][down[moving + c]] -= slope(loads.of_rate(c), loads.by_own(k));
      out.damping[p][down[moving + c]] -= slope(loads.of_rate(c), loads.by_own_rate(k));
      out.damping[item.first + c][across[moving + c]] -= slope(row, loads.by_state(c));
    }
    if (item.active_rows == 0) continue;
    const Changes with_eta = changes_of(ws.conditions, item.rows, in.eta, 6 + k);
    const int *const loop_down = item.own_loop_columns.data() + k * moving, *const loop_across =
                                                                                item.own_loop_rows.data() + k * moving;
    for (int j = 0; j < n; ++j) {
      const LocalTwist by = local_twist(ws.block, m, j);
      out.eta_part[p][loop_down[j]] += along(with_eta.of_column, by);
      out.eta_part[item.pair.dofs[j]][loop_across[j]] += along(with_eta.of_row, by);
    }
    for (int j = 0; j < item.owns; ++j) out.eta_part[p][loop_down[n + j]] += with_eta.of_column[6 + j];
  }
}

}  // namespace skyhook::formalism::recursive
