// Warnings of many runs: few lines for people, all of them for programs.
#pragma once
#include <string>
#include <vector>

#include "skyhook/base/table.h"
#include "skyhook/base/warning.h"

namespace skyhook::app {

struct RunWarnings {
  std::string run;  // "k=20 N/m"
  std::vector<Warning> warnings;
};

// To standard error, a line a kind: in how many of the runs (`noun`: "points") it is found, and its first text.
void print_warnings_of_runs(const std::vector<RunWarnings>& runs, const std::string& noun);

// The texts, and for JSON the list.
Cell cell_of(const std::vector<Warning>& warnings);

// To standard error, where values of a result are shown: that its run warned, and how to see it.
void tell_of_warnings(const std::string& file, const std::vector<Warning>& warnings);

}  // namespace skyhook::app
