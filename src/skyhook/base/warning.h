// What a user should know although the program goes on: something was changed, dropped, extrapolated or is doubted.
// Each kind has a name, by which a model (`ignore_warnings`) or the command line (`--ignore`) switches it off.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "skyhook/base/error.h"

namespace skyhook {

struct Warning {
  std::string name;  // of its kind, see warning_kinds()
  Location where;    // the line that it is about; without a file: the run as a whole
  std::string what;
  std::string advice = {};
};

struct WarningKind {
  const char* name;
  const char* help;
};

// All that there are, by name.
std::span<const WarningKind> warning_kinds();
// Throws ModelError at `where` if there is no such kind.
void require_warning_kind(const std::string& name, const Location& where);

// "file:line:column: what advice"; `named`: with the name of its kind, in brackets.
enum class Named { no, yes };
std::string to_string(const Warning& warning, Named named = Named::yes);
// [{"name": ..., "text": ..., "file": ..., "line": ...}, ...]; file and line are null where there is no place.
std::string to_json(const std::vector<Warning>& warnings);

// Without those that are switched off.
std::vector<Warning> without(std::vector<Warning> warnings, const std::vector<std::string>& ignored);

}  // namespace skyhook
