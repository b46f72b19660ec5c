// Where a contribution acts. Its algebraic unknowns and contact variables are found here, at the
// motion of its frames, and do not appear outside: docs/theory/10.
#pragma once
#include <optional>
#include <vector>

#include "skyhook/formalism/contribution_state.h"
#include "skyhook/formalism/recursive/local_loads.h"
#include "skyhook/formalism/recursive/pair.h"
#include "skyhook/formalism/recursive/sliding_line.h"
#include "skyhook/formalism/recursive/way_along.h"
#include "skyhook/model/measuring_law.h"
#include "skyhook/model/model.h"

namespace skyhook::formalism::recursive {

struct ContributionItem {
  const model::Contribution* what;
  Pair pair;
  std::vector<int> rows_all, rows;  // its constraint rows: among all, and among the active ones or -1
  int active_rows = 0;
  const model::MeasuringLaw* measuring = nullptr;  // its law, where that is one
  const model::GradientLaw* gradients = nullptr;   // likewise
  const model::SlopedLoads* sloped = nullptr;
  int first = 0, states = 0;                        // inner states among the velocity coordinates
  std::vector<int> nodes;                           // of its own coordinates
  int first_own = 0, owns = 0;                      // these among the velocity coordinates
  int branch = 0;                                   // its algebraic unknowns and contact variables among Held::branch
  std::vector<int> slots, loop_slots;               // n x n, in the tangent and the loop pattern
  std::vector<int> row_slots;                       // rows x n, in the constraint pattern
  std::vector<int> state_columns, state_rows, own;  // states x n: (dof, state), (state, dof); states x states

  // Of its own coordinates among all that it couples, in the tangent pattern: as columns and as rows; in the loop pattern without the
  // states; and in the constraint pattern, rows x owns.
  std::vector<int> own_columns, own_rows, own_loop_columns, own_loop_rows, own_row_slots;

  // Of its unknowns as columns of Equations::own_pattern(), each: all that it couples, those but the states, its rows, its unknowns; as
  // rows of Equations::own_rows_pattern(), each: all that it couples.
  std::vector<int> unknown_columns, unknown_rows;

  WayAlong along;                   // it stands on a track
  std::optional<SlidingLine> line;  // it slides on one: its frame A is the ground then

  const model::ContributionLaw& law() const { return *what->law; }
  const model::Declared& declared() const { return what->law->declared(); }
  bool reads_multipliers() const { return declared().reads_multipliers; }
  // Where none of its rows holds there is nothing that loads could read.
  bool acts() const { return declared().has_loads && (active_rows > 0 || !reads_multipliers()); }
  bool has_conditions() const { return !declared().rows.empty() || !declared().contact_variables.empty(); }
  int row_count() const { return static_cast<int>(rows.size()); }
  int remembered() const { return static_cast<int>(declared().algebraic.size() + declared().contact_variables.size()); }
  int unknowns() const {
    return line ? 0 : remembered();
  }  // that formulations may have among theirs: places on lines are always found inside
  // Where the searches for w and s begin; empty: nobody remembers.
  std::span<const double> begin_of_w(const model::Held& held) const {
    if (held.branch.empty()) return {};
    return std::span(held.branch).subspan(static_cast<std::size_t>(branch), declared().algebraic.size());
  }
  std::span<const double> begin_of_s(const model::Held& held) const {
    if (held.branch.empty()) return {};
    return std::span(held.branch)
        .subspan(static_cast<std::size_t>(branch) + declared().algebraic.size(), declared().contact_variables.size());
  }
  std::span<const double> w_of(std::span<const double> z) const {
    return z.subspan(static_cast<std::size_t>(branch), declared().algebraic.size());
  }
  std::span<const double> s_of(std::span<const double> z) const {
    return z.subspan(static_cast<std::size_t>(branch) + declared().algebraic.size(),
                     declared().contact_variables.size());
  }
  // Those of its own rows, where it reads them; of a row that does not hold none.
  void take_multipliers(std::span<const double> lambda, std::span<double> out) const {
    for (int r = 0; r < row_count() && reads_multipliers(); ++r)
      out[r] = rows[r] < 0 || lambda.empty() ? 0.0 : lambda[rows[r]];
  }
  std::vector<int> moving() const {  // what has positions
    std::vector<int> all = pair.dofs;
    for (int k = 0; k < owns; ++k) all.push_back(first_own + k);
    return all;
  }
  std::vector<int> in_rows() const {  // what its rows read
    std::vector<int> all = moving();
    if (line) all.insert(all.end(), line->columns.begin(), line->columns.end());
    return all;
  }
  std::vector<int> coordinates() const {  // all that it couples
    std::vector<int> all = moving();
    for (int k = 0; k < states; ++k) all.push_back(first + k);
    return all;
  }
};

}  // namespace skyhook::formalism::recursive
