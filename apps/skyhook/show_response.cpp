#include "show_response.h"

#include <fmt/format.h>

#include "screen.h"
#include "skyhook/base/utf8.h"
#include "skyhook/io/plot/terminal.h"
#include "terminal.h"
#include "write_text.h"

namespace skyhook::app {

void show_response(const ResponseCommand& o, const std::string& json, const Table& table,
                   const io::plot::Figure& figure) {
  if (o.json)
    fmt::print("{}", json);
  else if (o.csv != "-" && !o.quiet)
    fmt::print("{}\n{}", printable(figure.title), table.to_text());
  if (o.terminal) print_control(stdout, "\n" + io::plot::to_terminal(figure, screen_of_terminal(figure.panels.size())));
  if (o.csv) write_text(*o.csv, table.to_csv());
  const double height = 110 + 200 * static_cast<double>(figure.panels.size());
  if (o.out) io::plot::write_figure(figure, {.width = 900, .height = height}, *o.out);
}

}  // namespace skyhook::app
