#include "analysis_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "commands.h"
#include "refuse.h"
#include "skyhook/io/plot/draw.h"
#include "skyhook/io/plot/from_findings.h"
#include "skyhook/io/report/report.h"
#include "skyhook/io/result/writer.h"
#include "write_text.h"

namespace skyhook::app {
namespace {

bool is_picture(const std::string& name) { return name.ends_with(".svg") || name.ends_with(".png"); }

std::string endings_text(const std::vector<std::string>& own) {
  std::string text = ".h5 (a result), .svg or .png (a picture)";
  for (const std::string& ending : own) text += (&ending == &own.back() ? " or " : ", ") + ending;
  return text;
}

void take_out(const AnalysisCommand& o, const std::vector<std::string>& own, AnalysisFiles& files) {
  if (!o.out) return;
  const std::string& out = *o.out;
  if (out.empty()) refuse("--out is empty, but must name a file.", "For example --out found.h5.");
  const auto is_own = [&](const std::string& ending) { return out.ends_with(ending); };
  if (std::ranges::any_of(own, is_own))
    files.own = out;
  else if (out.ends_with(".h5"))
    files.result = out;
  else if (is_picture(out))
    files.picture = out;
  else
    refuse("--out " + out + " does not say what it shall be.", "Give it the ending " + endings_text(own) + ".");
}

}  // namespace

AnalysisFiles analysis_files(const AnalysisCommand& o, const std::vector<std::string>& inputs,
                             const std::vector<std::string>& own, Result result) {
  AnalysisFiles files;
  take_out(o, own, files);
  require_file_name("--plot", o.plot.value_or(""));
  require_file_name("--report", o.report.value_or(""));
  if (o.plot && !files.picture.empty()) refuse("--out and --plot both name a picture.", "Give one of them.");
  if (o.plot && !is_picture(*o.plot))
    refuse("--plot " + *o.plot + " does not say what it shall be.", "Give it the ending .svg or .png.");
  if (o.plot) files.picture = *o.plot;
  const std::string usual = std::filesystem::path(o.model).stem().string() + ".h5";
  if (files.result.empty() && (o.report || result == Result::always)) files.result = usual;
  if (o.report) {
    io::require_viewer();
    files.report = o.report->empty() ? report_name(files.result) : *o.report;
    io::check_report_place(files.report);
  }
  keep_inputs({files.result, files.picture, files.report, files.own}, inputs);
  if (!files.picture.empty()) check_writable(files.picture);
  return files;
}

void write_analysis(const AnalysisFiles& files, const AnalysisCommand& o, const analysis::Findings& findings,
                    const simulation::RunInfo& model) {
  std::string told;
  if (!files.result.empty()) {
    io::ResultWriter writer(files.result);
    analysis::record(findings, model, writer);
    told += "result in " + files.result + "\n";
  }
  if (!files.picture.empty()) {
    const io::plot::Figure figure = io::plot::figure_of(
        findings, model.experiment.empty() ? model.model_name : model.model_name + ", " + model.experiment);
    io::plot::write_figure(figure, io::plot::paper_for(figure), files.picture);
  }
  if (!files.report.empty()) told += write_report({.files = {files.result}, .compare = {}, .out = files.report}) + "\n";
  if (!o.json && !told.empty()) fmt::print("{}{}", o.quiet ? "" : "\n", told);
}

}  // namespace skyhook::app
