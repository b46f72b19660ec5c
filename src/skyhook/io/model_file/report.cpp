#include "skyhook/io/model_file/report.h"

#include <algorithm>
#include <tuple>

namespace skyhook::io::model_file {
namespace {

constexpr std::size_t most_shown = 20, most_kept = 200;

}

void Report::add(Location where, std::string what, std::string advice) {
  list_.push_back({std::move(where), std::move(what), std::move(advice)});
  if (list_.size() > most_kept) throw Full{};
}

void Report::add(const ModelError& error) {
  for (const Finding& f : error.findings()) add(f.where, f.what, f.advice);
}

void Report::add(const ModelError& error, const std::string& what, const std::string& more_advice) {
  for (const Finding& f : error.findings()) {
    add(f.where, what + ": " + f.what,
        f.advice.empty() || more_advice.empty() ? f.advice + more_advice : f.advice + " " + more_advice);
  }
}

// What stands in none of the files, such as the command line, comes first.
int Report::order_of(const std::string& file) const {
  const auto found = std::find(files_.begin(), files_.end(), file);
  return found == files_.end() || file == command_line ? -1 : static_cast<int>(found - files_.begin());
}

void Report::throw_if_any() const {
  if (list_.empty()) return;
  std::vector<Finding> sorted = list_;
  const auto key = [&](const Finding& f) { return std::tuple(order_of(f.where.file), f.where.line, f.where.column); };
  std::stable_sort(sorted.begin(), sorted.end(), [&](const Finding& a, const Finding& b) { return key(a) < key(b); });
  if (sorted.size() > most_shown) {
    const std::size_t more = sorted.size() - most_shown;
    sorted.resize(most_shown);
    const char* at_least = list_.size() > most_kept ? "at least " : "";
    sorted.push_back({{}, "and " + (at_least + std::to_string(more)) + " more findings.", ""});
  }
  throw ModelError(std::move(sorted));
}

}  // namespace skyhook::io::model_file
