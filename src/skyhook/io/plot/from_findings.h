// Figures of what an analysis has found: a root locus in the complex plane, gain and phase over frequency, values side by side.
#pragma once
#include "skyhook/analysis/findings.h"
#include "skyhook/io/plot/draw.h"
#include "skyhook/io/plot/figure.h"
#include "skyhook/io/result/reader.h"

namespace skyhook::io::plot {

// `other`: of another variant, dashed; `suffix` stands behind its names.
Figure figure_of(const analysis::Findings& findings, const std::string& title,
                 const analysis::Findings* other = nullptr, const std::string& suffix = "");
// With room for all panels.
Paper paper_for(const Figure& figure);

// What a result has of them: abscissa, channels and events.
analysis::Findings read_findings(const ResultFile& result);

}  // namespace skyhook::io::plot
