// What an analysis writes beside its table: a result, a picture, a report.
#pragma once
#include <string>
#include <vector>

#include "model_commands.h"
#include "skyhook/analysis/findings.h"

namespace skyhook::app {

struct AnalysisFiles {
  std::string result, picture, report;  // empty: not asked for
  std::string own;                      // `out` with one of the endings that the command itself writes
};

// Who writes its result without being asked.
enum class Result { asked_for, always };

// By the endings of `out`; `own`: further ones that the command writes itself. All is checked before the work: files that cannot be written, that
// are read (`inputs`), or have no known ending. Throws ModelError.
AnalysisFiles analysis_files(const AnalysisCommand& options, const std::vector<std::string>& inputs,
                             const std::vector<std::string>& own = {}, Result result = Result::asked_for);

// Says where they are, unless `options` want JSON.
// `model`: see analysis::info_of().
void write_analysis(const AnalysisFiles& files, const AnalysisCommand& options, const analysis::Findings& findings,
                    const simulation::RunInfo& model);

}  // namespace skyhook::app
