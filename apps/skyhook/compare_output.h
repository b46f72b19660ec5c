// A comparison of solvers as tables and JSON.
#pragma once
#include "skyhook/analysis/verdict.h"
#include "skyhook/base/table.h"

namespace skyhook::app {

struct Compared {
  std::string model, experiment;
  double until = 0;
  std::vector<Warning> warnings = {};  // before any run
  bool forget = false;                 // analysis::CompareOptions
  analysis::Comparison comparison;
  analysis::Verdict verdict;
};

// People get short titles and reasons, programs everything under names that last.
enum class Columns { brief, all };

std::string title_of(const Compared& what);  // "four_bar, turn"
std::string reference_text(const analysis::Reference& reference);
std::string reference_json(const analysis::Reference& reference);

// The name for programs, the title for people.
void add_column(Table& table, Columns columns, const char* name, const char* title, const char* unit = "");
// What a run that never began has not used is not 0.
Cell counted(const analysis::ComparedRun& run, long number);
Cell measured(const analysis::ComparedRun& run, double number);
std::string note_of(const analysis::ComparedRun& run);

Table run_table(const analysis::Comparison& comparison, Columns columns);
Table verdict_table(const analysis::Verdict& verdict, Columns columns);

std::string to_text(const Compared& what);
std::string to_json(const Compared& what);

}  // namespace skyhook::app
