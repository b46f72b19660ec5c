// Own coordinates of contributions whose inertia couples them, beside the recursions, which know each by itself.
#include "skyhook/formalism/recursive/passes.h"

namespace skyhook::formalism::recursive {

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
