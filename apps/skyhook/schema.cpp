#include "skyhook/io/schema/schema.h"

#include "language_commands.h"
#include "write_text.h"

namespace skyhook::app {

int schema(const SchemaOptions& options) {
  check_writable(options.out);
  write_text(options.out, io::model_schema().to_text());
  return 0;
}

}  // namespace skyhook::app
