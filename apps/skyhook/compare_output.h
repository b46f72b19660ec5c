// A comparison of solvers as tables and JSON.
#pragma once
#include "skyhook/analysis/verdict.h"
#include "skyhook/base/table.h"

namespace skyhook::app {

struct Compared {
  std::string model, experiment;
  double until = 0;
  analysis::Comparison comparison;
  analysis::Verdict verdict;
};

// People get short titles and reasons, programs everything under names that last.
enum class Columns { brief, all };

std::string title_of(const Compared& what);  // "four_bar, turn"
Table run_table(const analysis::Comparison& comparison, Columns columns);
Table verdict_table(const analysis::Verdict& verdict, Columns columns);

std::string to_text(const Compared& what);
std::string to_json(const Compared& what);

}  // namespace skyhook::app
