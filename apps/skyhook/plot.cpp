#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "commands.h"
#include "refuse.h"
#include "screen.h"
#include "skyhook/base/error.h"
#include "skyhook/io/plot/draw.h"
#include "skyhook/io/plot/from_findings.h"
#include "skyhook/io/plot/from_result.h"
#include "terminal.h"
#include "warnings_of_runs.h"
#include "write_text.h"

namespace skyhook::app {
namespace {

io::plot::ResultPlot plot_of(const PlotOptions& o) {
  if (o.panels && o.overlay) refuse("--panels and --overlay contradict each other.", "Give one of them.");
  using io::plot::Panels;
  return {o.channels, o.x,     o.overlay ? Panels::one : o.panels ? Panels::by_channel : Panels::by_unit,
          o.from,     o.to,    o.title,
          o.log_x,    o.log_y, o.degrees};
}

// What an analysis has found is drawn in its own way, unless channels are named; a kinematic analysis is curves like others.
io::plot::Figure figure_of(const PlotOptions& o, const io::ResultFile& run, const io::ResultFile* other) {
  const std::string& analysis = run.info().analysis;
  const bool is_plain = analysis == "simulate" || analysis == "kinematics" || !o.channels.empty() || !o.x.empty();
  if (is_plain || (other && other->info().analysis != analysis)) return io::plot::figure_of(run, plot_of(o), other);
  const auto& info = run.info();
  const std::string title = info.experiment.empty() ? info.model_name : info.model_name + ", " + info.experiment;
  const auto second = other ? io::plot::read_findings(*other) : analysis::Findings{};
  return io::plot::figure_of(io::plot::read_findings(run), o.title.empty() ? title : o.title, other ? &second : nullptr,
                             other ? " (" + other->path().filename().string() + ")" : "");
}

// "900x500". The default leaves room for all panels.
io::plot::Paper paper_of(const PlotOptions& o, const io::plot::Figure& figure) {
  io::plot::Paper paper{.dark = o.dark, .scale = o.scale};
  paper.height = std::max(500.0, 110.0 + 170.0 * static_cast<double>(figure.panels.size()));
  if (o.size.empty()) return paper;
  int end = 0;
  const int read = std::sscanf(o.size.c_str(), "%lfx%lf%n", &paper.width, &paper.height, &end);
  const auto fits = [](double length) { return length >= 100 && length <= 10000; };
  if (read != 2 || o.size[static_cast<std::size_t>(end)] != '\0' || !fits(paper.width) || !fits(paper.height))
    refuse("--size " + o.size + " is no size of a picture.", "For example --size 900x500; 100 to 10000 pixels each.");
  return paper;
}

io::plot::Screen screen_of(const PlotOptions& o, const io::plot::Figure& figure) {
  const auto wrong = [](int given) { return given != 0 && (given < 20 || given > 1000); };
  if (wrong(o.width)) refuse(fmt::format("--width is {}, but must be 20 to 1000.", o.width), "It counts characters.");
  if (o.height != 0 && (o.height < 8 || o.height > 1000))
    refuse(fmt::format("--height is {}, but must be 8 to 1000.", o.height), "It counts lines.");
  io::plot::Screen screen = screen_of_terminal(figure.panels.size());
  if (o.width != 0) screen.columns = o.width;
  if (o.height != 0) screen.rows = o.height;
  return screen;
}

// A logarithmic axis has no place for what is not above 0.
void tell_empty_panels(const io::plot::Figure& figure) {
  const auto is_drawn = [](const io::plot::Curve& c) {
    return std::any_of(c.y.begin(), c.y.end(), [](double y) { return y > 0; });
  };
  for (const io::plot::Panel& p : figure.panels) {
    if (p.y.logarithmic && std::none_of(p.curves.begin(), p.curves.end(), is_drawn))
      fmt::print(stderr, "--log-y: no value of {} is above 0, so nothing is drawn.\n", io::plot::axis_title(p.y));
  }
}

}  // namespace

int plot(const PlotOptions& o) {
  if (o.out.empty() && !o.terminal)
    refuse("it is not said where to plot to.", "Give --out picture.svg (or .png), or --terminal.");
  if (!(o.scale >= 0.1 && o.scale <= 10)) refuse("--scale must be 0.1 to 10.", "Usual is 2 for print.");
  keep_inputs({o.out}, {o.file, o.compare});
  check_writable(o.out);
  const io::ResultFile run = io::ResultFile::open(o.file);
  const auto other = o.compare.empty() ? std::optional<io::ResultFile>() : io::ResultFile::open(o.compare);
  const io::plot::Figure figure = figure_of(o, run, other ? &*other : nullptr);
  tell_empty_panels(figure);
  tell_of_warnings(o.file, run.summary().warnings);
  if (other) tell_of_warnings(o.compare, other->summary().warnings);
  if (!o.out.empty()) io::plot::write_figure(figure, paper_of(o, figure), o.out);
  if (o.terminal) print_control(stdout, io::plot::to_terminal(figure, screen_of(o, figure)));
  return 0;
}

}  // namespace skyhook::app
