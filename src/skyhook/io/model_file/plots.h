// Pages of plots that a model brings along for its reports.
#pragma once
#include <string>
#include <vector>

namespace skyhook::io {

struct PlotPanel {
  std::string title, x, view;  // empty: none, the time, the curves themselves
  std::vector<std::string> curves, units;
};
struct PlotPage {
  std::string name;
  std::vector<PlotPanel> panels;
};

// Those of a model's text, which the reader has accepted: results hold it in expanded form.
std::vector<PlotPage> plot_pages(const std::string& model_text);

}  // namespace skyhook::io
