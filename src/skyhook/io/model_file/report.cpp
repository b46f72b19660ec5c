#include "skyhook/io/model_file/report.h"

#include <algorithm>
#include <tuple>

namespace skyhook::io::model_file {

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

void Report::throw_if_any() const {
  if (list_.empty()) return;
  std::vector<Finding> sorted = list_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Finding& a, const Finding& b) {
    return std::tie(a.where.line, a.where.column) < std::tie(b.where.line, b.where.column);
  });
  if (sorted.size() > most_shown) {
    const std::size_t more = sorted.size() - most_shown;
    sorted.resize(most_shown);
    const char* at_least = list_.size() > most_kept ? "at least " : "";
    sorted.push_back({{}, "and " + (at_least + std::to_string(more)) + " more findings.", ""});
  }
  throw ModelError(std::move(sorted));
}

}  // namespace skyhook::io::model_file
