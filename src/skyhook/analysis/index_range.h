// Consecutive indices, to choose rows and columns of a matrix by.
#pragma once
#include <numeric>
#include <vector>

namespace skyhook::analysis {

// from, from + 1, ..., to - 1
inline std::vector<int> index_range(int from, int to) {
  std::vector<int> out(static_cast<std::size_t>(to - from));
  std::iota(out.begin(), out.end(), from);
  return out;
}

}  // namespace skyhook::analysis
