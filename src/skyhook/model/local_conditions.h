// The rows g(x, s) = 0 of a contribution and its contact variables s, h(x, s) = 0, at a relative pose x of two frames
// ([Arnold 2004] (24)-(28)):
//
//   G = g_x - g_s h_s^-1 h_x = g_x - mu h_x,   h_s^T mu = g_s^T
//
// in the six directions of x (displacement, rotation of B, in A's axes), and behind them those of its own coordinates p, which are
// part of x here. A row of G is the force and moment of a unit multiplier on B, and its forces on p.
// The law gives g and h alone; G and its derivatives follow from nested dual numbers.
#pragma once
#include <algorithm>
#include <array>
#include <span>

#include "skyhook/model/contribution.h"
#include "skyhook/model/gradient_law.h"

namespace skyhook::model {

struct LocalConditions {
  using Row = std::array<double, most_directions>;
  int rows = 0, variables = 0, directions = 6;  // 6 and one for each of p
  std::array<double, most_contact_variables> s{};
  std::array<double, most_rows> g{};
  std::array<Row, most_rows> G{};
  std::array<double, most_contact_variables> h{};           // zero but where s is given
  std::array<Row, most_contact_variables> h_x{}, s_of_x{};  // ds/dx = -h_s^-1 h_x
  std::array<std::array<double, most_contact_variables>, most_contact_variables> h_s{};
  std::array<std::array<double, most_contact_variables>, most_rows> mu{};
  // Of G along x and along s, each by itself: G_partial[r][i][j] = dG_ri/dx_j, then dG_ri/ds_k for j = directions + k.
  std::array<std::array<Row, most_directions>, most_rows> G_partial{};
  // Along x, s following.
  std::array<std::array<Row, most_directions>, most_rows> G_change{};

  // g - mu h: the row as it is on h = 0 to first order. Its derivative to x is G, that to s vanishes.
  double reduced(int r) const {
    double sum = g[r];
    for (int k = 0; k < variables; ++k) sum -= mu[r][k] * h[k];
    return sum;
  }

  // From now on along x, s standing still.
  void hold() {
    for (int r = 0; r < rows; ++r) {
      for (int i = 0; i < directions; ++i) std::copy_n(G_partial[r][i].begin(), directions, G_change[r][i].begin());
    }
  }
  Vec3d force(int r) const { return {G[r][0], G[r][1], G[r][2]}; }
  Vec3d moment(int r) const { return {G[r][3], G[r][4], G[r][5]}; }
};

// These contact variables, whether they satisfy h or not.
void take_contact(const ContributionLaw& law, std::span<const double> s, LocalConditions& out);
// From `begin`, or where that leads nowhere from the law's own search. False: no contact variables were found, or they do not move
// with x in a definite way.
bool find_contact(const ContributionLaw& law, const Pose<double>& x, std::span<const double> begin,
                  LocalConditions& out);

// At out.s, which find_contact() has found or take_contact() was given: g, G, ds/dx, h and its derivatives; and how G changes too.
// False: singular.
bool evaluate_rows(const ContributionLaw& law, const Pose<double>& x, LocalConditions& out);
bool evaluate_row_changes(const ContributionLaw& law, const Pose<double>& x, LocalConditions& out);
// The same of laws that know them.
void evaluate_rows(const GradientLaw& law, const Pose<double>& x, LocalConditions& out);
void evaluate_row_changes(const GradientLaw& law, const Pose<double>& x, LocalConditions& out);

}  // namespace skyhook::model
