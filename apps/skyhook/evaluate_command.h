// skyhook evaluate RESULT... --standard NAME
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "model_commands.h"

namespace skyhook::app {

struct EvaluateCommand : AnalysisCommand {
  std::vector<std::string> results;
  std::string standard;
  std::vector<std::pair<std::string, std::string>> given;  // roles and settings of the standard
  std::string csv;                                         // table to write; "-" is standard output
};
int evaluate(const EvaluateCommand& options);

// Options that a standard has, by its roles and settings: name as in the model file, help; each once.
std::vector<std::pair<std::string, std::string>> evaluation_options();
// What each standard needs, and the functions of formulas, behind the options of --help.
std::string evaluation_help();

}  // namespace skyhook::app
