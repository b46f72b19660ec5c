#include "skyhook/io/schema/schema.h"

#include <fmt/format.h>

#include "language_commands.h"
#include "write_text.h"

namespace skyhook::app {

int schema(const SchemaOptions& options) {
  const std::string text = io::model_schema().to_text();
  if (options.out.empty())
    fmt::print("{}", text);
  else
    write_text(options.out, text);
  return 0;
}

}  // namespace skyhook::app
