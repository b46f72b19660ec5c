// Evaluation of runs after standards: characteristic numbers and the curves behind them.
//
// A standard (standards.h) names the channels it needs, its roles, and its settings. Which channel plays a role is said by the user, as a channel or a
// formula of channels, or follows from usual names.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "skyhook/analysis/findings.h"
#include "skyhook/analysis/signal_formula.h"
#include "skyhook/base/table.h"

namespace skyhook::analysis {

struct EvaluationRequest {
  std::string standard;
  std::string name = {};                                        // its own; default: that of the standard
  std::vector<std::pair<std::string, std::string>> given = {};  // roles and settings, as written
  Location where = {"command line"};
};

struct EvaluatedRun {
  std::string name;
  SignalSource signals;
};

struct EvaluatedNumber {
  std::string name, unit;  // "vertical.rms", "m/s^2"
  double value = 0;
  std::string meaning;
};

// What holds on a part of the way, where a standard divides it.
struct EvaluatedSection {
  std::string zone;                                         // "straight", "curve 250-400 m"
  double from = 0, to = 0;                                  // m of the distance
  double radius = 0;                                        // m, to the left; 0: straight
  std::vector<std::pair<std::string, double>> values = {};  // the same names in all: "yq", "sum_y", ...
};

struct Evaluation {
  std::string standard, name;
  std::vector<std::pair<std::string, std::string>> channels = {};  // role, channel
  std::vector<EvaluatedNumber> numbers = {};
  std::vector<std::string> notes = {};  // verdicts and doubts
  std::vector<Signal> curves = {};      // over one abscissa
  std::vector<EvaluatedSection> sections = {};

  const EvaluatedNumber* find(const std::string& number) const;
};

// ModelError: an unknown standard, role or setting; a channel that is not there, with those that are; too many runs.
Evaluation evaluate(const EvaluationRequest& request, const std::vector<EvaluatedRun>& runs);
// The same of one that the file of a model has, before anything is run: names alone.
void check_request(const EvaluationRequest& request);

Table table_of(const Evaluation& evaluation);       // number, value, unit, meaning
Table section_table(const Evaluation& evaluation);  // without rows where there are no sections
// {"abscissa": "distance", "unit": "m", "x": [...], "lines": [{"name", "unit", "y": [...]}, ...]} of its curves; of more than 1500 points the largest of each
// stretch. Empty text: it has none.
std::string curves_json(const Evaluation& evaluation);
std::string json_of(const Evaluation& evaluation);   // an object
Findings findings_of(const Evaluation& evaluation);  // analysis "evaluate"

}  // namespace skyhook::analysis
