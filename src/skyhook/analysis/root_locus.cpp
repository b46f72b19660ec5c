#include "skyhook/analysis/root_locus.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace skyhook::analysis {
namespace {

// 0: the same.
double distance(const Mode& a, const Mode& b) {
  const double size = std::abs(a.value) + std::abs(b.value);
  const double apart = size > 0 ? std::abs(a.value - b.value) / size : 0.0;
  return 1 - likeness(a.coordinates, b.coordinates) + apart;
}

// Modes of one point to those of the next: pairs, the nearest first.
std::vector<int> partners(const Modes& from, const Modes& to) {
  std::vector<std::tuple<double, int, int>> pairs;
  for (std::size_t i = 0; i < from.modes.size(); ++i) {
    for (std::size_t j = 0; j < to.modes.size(); ++j) {
      if (!from.modes[i].is_rigid && !to.modes[j].is_rigid)
        pairs.emplace_back(distance(from.modes[i], to.modes[j]), static_cast<int>(i), static_cast<int>(j));
    }
  }
  std::ranges::sort(pairs);
  std::vector<int> out(from.modes.size(), -1);
  std::vector<char> taken(to.modes.size(), 0);
  for (const auto& [how_far, i, j] : pairs) {
    if (out[i] >= 0 || taken[j]) continue;
    out[i] = j, taken[j] = 1;
  }
  return out;
}

const Mode* fastest_growing(const Modes& modes) {
  const Mode* most = nullptr;
  for (const Mode& mode : modes.modes) {
    if (!most || mode.value.real() > most->value.real()) most = &mode;
  }
  return most;
}

}  // namespace

std::vector<Branch> follow(const std::vector<Modes>& points) {
  std::vector<Branch> out;
  std::vector<int> branch_of;  // by mode of the last point
  for (std::size_t p = 0; p < points.size(); ++p) {
    const auto& modes = points[p].modes;
    std::vector<int> now(modes.size(), -1);
    if (p > 0) {
      const std::vector<int> next = partners(points[p - 1], points[p]);
      for (std::size_t i = 0; i < next.size(); ++i) {
        if (next[i] >= 0) now[next[i]] = branch_of[i];
      }
    }
    for (std::size_t j = 0; j < modes.size(); ++j) {
      if (modes[j].is_rigid) continue;
      if (now[j] < 0) {
        now[j] = static_cast<int>(out.size());
        out.push_back({modes[j].name, std::vector<int>(points.size(), -1)});
      }
      out[now[j]].mode[p] = static_cast<int>(j);
    }
    branch_of = now;
  }
  return out;
}

Crossing find_crossing(const std::function<Modes(double)>& at, double low, double high, int digits) {
  Crossing out;
  Modes below = at(low), above = at(high);
  const int few = growing(below);
  out.grows = growing(above) > few;
  const double enough = std::pow(10.0, -digits);
  while (out.problem.empty() && high - low > enough * std::max(std::abs(low), std::abs(high))) {
    const double middle = 0.5 * (low + high);
    if (!(middle > low && middle < high)) break;
    Modes found = at(middle);
    if (!found.problem.empty()) {
      out.problem = found.problem;
    } else if (growing(found) == few) {
      low = middle, below = std::move(found);
    } else {
      high = middle, above = std::move(found);
    }
  }
  out.value = 0.5 * (low + high), out.width = high - low;
  if (const Mode* mode = fastest_growing(out.grows ? above : below)) out.mode = *mode;
  return out;
}

}  // namespace skyhook::analysis
