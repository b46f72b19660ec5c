#include <fmt/format.h>

#include "language_commands.h"
#include "skyhook/base/table.h"
#include "skyhook/base/warning.h"

namespace skyhook::app {

int warnings(const WarningsOptions& options) {
  Table table;
  for (const char* column : {"warning", "meaning"}) table.add_column(column);
  for (const WarningKind& kind : warning_kinds()) table.add_row({std::string(kind.name), std::string(kind.help)});
  if (options.json)
    fmt::print("{}\n", table.to_json());
  else
    fmt::print("{}switched off by `ignore_warnings: [NAME, ...]` in the model file, or --ignore NAME\n",
               table.to_text());
  return 0;
}

}  // namespace skyhook::app
