#include "show_response.h"

#include <fmt/format.h>

#include <cmath>

#include "screen.h"
#include "skyhook/base/utf8.h"
#include "skyhook/io/plot/from_findings.h"
#include "skyhook/io/plot/terminal.h"
#include "terminal.h"
#include "write_text.h"

namespace skyhook::app {

std::string ratio_unit(const std::string& output, const std::string& input) {
  const bool is_compound = input.find_first_of("./") != std::string::npos;
  return output == input ? "-" : fmt::format(fmt::runtime(is_compound ? "{}/({})" : "{}/{}"), output, input);
}

analysis::Findings response_findings(const std::vector<ResponseCurve>& curves, bool with_coherence,
                                     std::shared_ptr<const analysis::Stand> stand) {
  analysis::Findings out{.analysis = "response", .abscissa = {"frequency", "Hz"}};
  for (std::size_t k = 0; k < curves.size(); ++k) {
    const ResponseCurve& c = curves[k];
    out.channels.insert(out.channels.end(), {{c.name + ".gain", c.unit}, {c.name + ".phase", "rad"}});
    if (with_coherence) out.channels.push_back({c.name + ".coherence", "-"});
    const std::vector<double> phases = analysis::phases(c.bands);
    for (std::size_t i = 0; i < c.bands.size(); ++i) {
      if (k == 0) out.points.push_back({c.bands[i].frequency, {}, {}, stand});
      std::vector<double>& values = out.points[i].values;
      values.insert(values.end(), {std::abs(c.bands[i].response), phases[i]});
      if (with_coherence) values.push_back(c.bands[i].coherence);
    }
  }
  return out;
}

void show_response(const ResponseCommand& o, const std::string& title, const Table& table,
                   const analysis::Findings& findings) {
  if (o.json)
    fmt::print("{}\n", findings.json);
  else if (o.csv != "-" && !o.quiet)
    fmt::print("{}\n{}", printable(title), table.to_text());
  if (o.terminal) {
    const io::plot::Figure figure = io::plot::figure_of(findings, title);
    print_control(stdout, "\n" + io::plot::to_terminal(figure, screen_of_terminal(figure.panels.size())));
  }
  if (o.csv) write_text(*o.csv, table.to_csv());
}

}  // namespace skyhook::app
