// The rows g(x, s) = 0 of a contribution and its contact variables s, h(x, s) = 0, at a relative pose x of two frames (S0 (24)-(28)):
//
//   G = g_x - g_s h_s^-1 h_x = g_x - mu h_x,   h_s^T mu = g_s^T
//
// in the six directions of x (displacement, rotation of B, in A's axes). A row of G is the force and moment of a unit multiplier on B.
// The law gives g and h alone; G and its derivatives follow from nested dual numbers.
#pragma once
#include <array>
#include <span>

#include "skyhook/model/contribution.h"

namespace skyhook::model {

struct LocalConditions {
  using Six = std::array<double, 6>;
  int rows = 0, variables = 0;
  std::array<double, most_contact_variables> s{};
  std::array<double, most_rows> g{};
  std::array<Six, most_rows> G{};
  std::array<Six, most_contact_variables> s_of_x{};  // ds/dx = -h_s^-1 h_x
  // Of G along x, s following: G_change[r][i][j] = dG_ri/dx_j.
  std::array<std::array<Six, 6>, most_rows> G_change{};

  Vec3d force(int r) const { return {G[r][0], G[r][1], G[r][2]}; }
  Vec3d moment(int r) const { return {G[r][3], G[r][4], G[r][5]}; }
};

// From `begin`, or where that leads nowhere from the law's own search. False: no contact variables were found, or they do not move
// with x in a definite way.
bool find_contact(const ContributionLaw& law, const Pose<double>& x, std::span<const double> begin,
                  LocalConditions& out);

// At out.s, which find_contact() has found: g, G and ds/dx; and G_change too. False: singular.
bool evaluate_rows(const ContributionLaw& law, const Pose<double>& x, LocalConditions& out);
bool evaluate_row_changes(const ContributionLaw& law, const Pose<double>& x, LocalConditions& out);

}  // namespace skyhook::model
