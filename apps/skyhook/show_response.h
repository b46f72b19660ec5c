// A frequency response goes out: as table or JSON, drawn in the terminal, as CSV, as findings.
#pragma once
#include <string>
#include <vector>

#include "analysis_files.h"
#include "skyhook/analysis/frequency_response.h"
#include "skyhook/base/table.h"

namespace skyhook::app {

struct ResponseCurve {
  std::string name, unit;  // of output/input
  std::vector<analysis::ResponseBand> bands;
};

// "m/(N.m)"; "-" of equal units.
std::string ratio_unit(const std::string& output, const std::string& input);

// Gain, phase and, where it is estimated, coherence of each output over frequency; none of the outputs is recorded elsewhere. `stand`: where
// the bodies are.
analysis::Findings response_findings(const std::vector<ResponseCurve>& curves, bool with_coherence,
                                     std::shared_ptr<const analysis::Stand> stand = nullptr);

void show_response(const ResponseCommand& options, const std::string& title, const Table& table,
                   const analysis::Findings& findings);

}  // namespace skyhook::app
