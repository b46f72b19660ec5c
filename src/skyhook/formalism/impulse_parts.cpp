#include "skyhook/formalism/impulse_parts.h"

#include <numeric>

#include "skyhook/formalism/recursive/equations.h"

namespace skyhook::formalism {
namespace {

using recursive::Equations;

// Trees by the node at their root, joined where something ties them.
class Parts {
 public:
  explicit Parts(const recursive::Tree& tree) : tree_(tree), up_(tree.nodes.size()) {
    std::iota(up_.begin(), up_.end(), 0);
  }
  int of(int coordinate) {
    int i = tree_.root[tree_.node_of_v[coordinate]];
    while (up_[i] != i) i = up_[i] = up_[up_[i]];
    return i;
  }
  void join(const std::vector<int>& coordinates) {
    for (const int j : coordinates) up_[of(j)] = of(coordinates[0]);
  }

 private:
  const recursive::Tree& tree_;
  std::vector<int> up_;
};

// By row: what stands in the tree, and what moves the coordinates that are measured.
std::vector<std::vector<int>> coordinates_of_sums(const Equations& eq) {
  std::vector<std::vector<int>> out(static_cast<std::size_t>(eq.ng()));
  for (const auto& c : eq.linear_constraints()) {
    for (const auto& term : c.terms) {
      if (c.row >= 0) out[c.row].push_back(term.iv);
    }
  }
  for (const auto& term : eq.measured_terms()) {
    if (term.row >= 0) out[term.row].insert(out[term.row].end(), term.pair.dofs.begin(), term.pair.dofs.end());
  }
  return out;
}

}  // namespace

std::vector<int> contacts_that_feel(const Equations& eq, const std::vector<int>& touching,
                                    const std::vector<char>& marked) {
  Parts parts(eq.tree());
  for (const auto& c : eq.pair_constraints()) {
    if (c.active_rows > 0) parts.join(c.pair.dofs);
  }
  for (const auto& coordinates : coordinates_of_sums(eq)) parts.join(coordinates);
  for (const auto& item : eq.contributions()) {
    if (item.active_rows > 0) parts.join(item.in_rows());
  }
  for (const auto& c : eq.tree().coupled) {
    for (int k = 1; k < c.count; ++k) parts.join({c.first_v, c.first_v + k});
  }
  const auto coordinates = [&](int contact) -> const std::vector<int>& { return eq.contact(contact).pair.dofs; };
  for (const int k : touching) parts.join(coordinates(k));
  std::vector<char> feels(eq.tree().nodes.size(), 0);
  for (const int k : touching) {
    if (marked[k] && !coordinates(k).empty()) feels[parts.of(coordinates(k)[0])] = 1;
  }
  std::vector<int> out;
  for (const int k : touching) {
    if (marked[k] || (!coordinates(k).empty() && feels[parts.of(coordinates(k)[0])])) out.push_back(k);
  }
  return out;
}

}  // namespace skyhook::formalism
