// Own coordinates of contributions whose inertia couples them, beside the recursions, which know each by itself.
#include <cmath>

#include "skyhook/formalism/recursive/passes.h"

namespace skyhook::formalism::recursive {

CoupledNodes coupled_nodes(const model::Contribution& what) {
  const std::vector<double>& M = what.law->declared().inertia;
  const std::size_t n = what.law->declared().coordinates.size();
  const auto refuse = [&](const std::string& why) {
    throw ModelError(what.where, what.type + " \"" + what.name + "\": the inertia of its own coordinates " + why,
                     "Let the law declare a symmetric, positive definite matrix for them, row by row.");
  };
  if (M.size() != n * n) refuse("has " + std::to_string(M.size()) + " entries, not " + std::to_string(n * n) + ".");
  CoupledNodes out{0, 0, static_cast<int>(n), M, std::vector<double>(n * n, 0.0)};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const double here = M[i * n + j], there = M[j * n + i];
      if (!(std::abs(here - there) <= 1e-12 * std::sqrt(std::abs(M[i * n + i] * M[j * n + j]))))
        refuse("is not symmetric.");
      out.M[i * n + j] = out.M[j * n + i] = 0.5 * (here + there);
      double sum = out.M[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= out.L[i * n + k] * out.L[j * n + k];
      if (i == j && !(sum > 1e-12 * M[i * n + i])) refuse("is not positive definite.");
      out.L[i * n + j] = i == j ? std::sqrt(sum) : sum / out.L[j * n + j];
    }
  }
  return out;
}

// What the accelerations of its neighbours take of an own coordinate.
void add_coupled_inertia(const Tree& tree, CSpan a, std::vector<NodeState>& states) {
  for (const CoupledNodes& c : tree.coupled) {
    for (int i = 0; i < c.count; ++i) {
      NodeState& x = states[c.first_node + i];
      for (int j = 0; j < c.count; ++j) x.f += c.off_diagonal(i, j) * a[c.first_v + j] * x.s;
    }
  }
}

// Of own coordinates each has found its acceleration with its own mass: u / M_ii. Here it is that of all together.
void couple_accelerations(const Tree& tree, const std::vector<Articulated>& work, std::vector<NodeState>& states,
                          Span qdd) {
  for (const CoupledNodes& c : tree.coupled) {
    const int n = c.count;
    const auto L = [&](int i, int j) { return c.L[static_cast<std::size_t>(i * n + j)]; };
    Span x = qdd.subspan(static_cast<std::size_t>(c.first_v), static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
      NodeState& node = states[c.first_node + i];
      node.a -= x[i] * node.s;
      x[i] = work[c.first_node + i].u;
      for (int j = 0; j < i; ++j) x[i] -= L(i, j) * x[j];
      x[i] /= L(i, i);
    }
    for (int i = n - 1; i >= 0; --i) {
      for (int j = i + 1; j < n; ++j) x[i] -= L(j, i) * x[j];
      x[i] /= L(i, i);
      states[c.first_node + i].a += x[i] * states[c.first_node + i].s;
    }
  }
}

}  // namespace skyhook::formalism::recursive
