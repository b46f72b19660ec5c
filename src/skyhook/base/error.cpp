#include "skyhook/base/error.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "skyhook/base/utf8.h"

namespace skyhook {
namespace {

std::string joined(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& f : findings) text += (text.empty() ? "" : "\n") + to_string(f);
  return text;
}

// Edit distance with transposition of neighbours counted once (optimal string alignment); `limit` where it is that or more.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  while (!a.empty() && !b.empty() && a.front() == b.front()) a.remove_prefix(1), b.remove_prefix(1);
  while (!a.empty() && !b.empty() && a.back() == b.back()) a.remove_suffix(1), b.remove_suffix(1);
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) >= limit) return limit;
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  std::size_t least_before = 0;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t least = row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
      least = std::min(least, row[j]);
    }
    if (std::min(least, least_before) >= limit) return limit;  // what follows comes from these two rows
    least_before = least;
    std::swap(before, last);
    std::swap(last, row);
  }
  return std::min(last[b.size()], limit);
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool share_a_letter(const std::string& a, const std::string& b) {
  return std::any_of(a.begin(), a.end(), [&](char x) {
    return std::any_of(b.begin(), b.end(), [x](char y) { return lower(x) == lower(y); });
  });
}

// Two slips, or a third of a long name. A short name would be near to everything so: one slip, and something in common.
std::size_t most_slips(const std::string& name) {
  return name.size() <= 3 ? 1 : std::max<std::size_t>(2, name.size() / 3);
}

std::optional<std::string> nearest_to(const std::string& wrong, const std::vector<std::string>& known) {
  std::optional<std::string> nearest;
  std::size_t best = most_slips(wrong) + 1;
  for (const std::string& name : known) {
    const std::size_t d = edit_distance(wrong, name, best);
    if (d < best && share_a_letter(wrong, name)) best = d, nearest = name;
  }
  return nearest;
}

// Of "wheel.angle_x" the owner and the quantity.
std::pair<std::string, std::string> halves_of(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return {name, ""};
  return {name.substr(0, dot), name.substr(dot + 1)};
}

// Whoever gets one half of a name right means something of this half: with "wheel.steering" one of `wheel`, with "whel.z" some
// other `z`.
std::size_t remoteness(const std::string& wrong, const std::string& name, std::size_t limit) {
  const auto [owner, quantity] = halves_of(wrong);
  const auto [other_owner, other_quantity] = halves_of(name);
  const bool has_halves = !quantity.empty() && !other_quantity.empty();
  if (has_halves && (owner == other_owner || quantity == other_quantity)) return edit_distance(wrong, name, limit);
  return 2 * edit_distance(wrong, name, limit / 2 + 1);
}

// Of names that are equally near, those that stand first.
std::vector<std::string> nearest_first(const std::string& wrong, const std::vector<std::string>& known,
                                       std::size_t count) {
  std::vector<std::pair<std::size_t, std::size_t>> best;  // remoteness, index
  for (std::size_t i = 0; i < known.size(); ++i) {
    const bool is_full = best.size() == count;
    const std::size_t limit = is_full ? best.back().first : std::string::npos;
    const std::pair here(remoteness(wrong, known[i], limit), i);
    if (is_full && here.first >= limit) continue;
    if (is_full) best.pop_back();
    best.insert(std::ranges::upper_bound(best, here), here);
  }
  std::vector<std::string> sorted;
  for (const auto& [far, i] : best) sorted.push_back(known[i]);
  return sorted;
}

}  // namespace

// Names in it may hold anything: each sentence keeps to its line.
std::string to_string(const Finding& f) {
  std::string text = printable(f.where.file);
  if (f.where.line > 0) text += ":" + std::to_string(f.where.line);
  if (f.where.line > 0 && f.where.column > 0) text += ":" + std::to_string(f.where.column);
  if (!text.empty()) text += ": ";
  text += printable(f.what);
  if (!f.advice.empty()) text += "\n  " + printable(f.advice);
  return text;
}

ModelError::ModelError(std::vector<Finding> findings)
    : std::runtime_error(joined(findings)), findings_(std::move(findings)) {}

ModelError::ModelError(Location where, std::string what, std::string advice)
    : ModelError(std::vector<Finding>{{std::move(where), std::move(what), std::move(advice)}}) {}

void Findings::add(Location where, std::string what, std::string advice) {
  list_.push_back({std::move(where), std::move(what), std::move(advice)});
}

void Findings::add(const ModelError& error) {
  list_.insert(list_.end(), error.findings().begin(), error.findings().end());
}

void Findings::throw_if_any() const {
  if (!list_.empty()) throw ModelError(list_);
}

std::string suggest(const std::string& wrong, const std::vector<std::string>& known, const std::string& noun) {
  constexpr std::size_t most_listed = 12;
  std::string text;
  if (const auto nearest = nearest_to(wrong, known)) text = "Did you mean \"" + *nearest + "\"? ";
  if (known.empty()) return text + noun + " here: none.";
  const bool is_all = known.size() <= most_listed;
  const std::vector<std::string> listed = is_all ? known : nearest_first(wrong, known, most_listed);
  text += noun + (is_all ? " here: " : ", nearest first: ");
  for (std::size_t i = 0; i < listed.size(); ++i) text += (i ? ", " : "") + listed[i];
  return text + (is_all ? "." : ", ... (" + std::to_string(known.size()) + " in all).");
}

}  // namespace skyhook
