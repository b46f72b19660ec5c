#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "embedded.h"
#include "language_commands.h"
#include "skyhook/base/error.h"
#include "skyhook/io/schema/schema.h"
#include "write_text.h"

namespace skyhook::app {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> models{"pendulum", "suspension", "car"};
// Named by the first line of each model, which editors with the YAML language server read.
const char* const schema_name = "skyhook.schema.json";

std::string_view text_of(const std::string& model) {
  const std::string_view text = embedded("models/new/" + model + ".yaml");
  if (!text.empty()) return text;
  throw ModelError({"command line"}, "there is no model \"" + model + "\" to start from.",
                   suggest(model, models, "Models"));
}

enum class Schema { as_it_was, renewed, of_others };

// A schema of an older program is replaced: it may not know all elements. A file of others stays.
Schema renew_schema(const fs::path& path) {
  const std::string text = io::model_schema().to_text();
  std::ifstream in(path, std::ios::binary);
  const std::string there = in ? std::string(std::istreambuf_iterator<char>(in), {}) : "";
  if (there == text) return Schema::as_it_was;
  if (!there.empty() && there.find("\"title\": \"Skyhook model\"") == std::string::npos) return Schema::of_others;
  write_text(path, text);
  return Schema::renewed;
}

}  // namespace

int new_model(const NewOptions& options) {
  const std::string_view text = text_of(options.model);
  if (options.out == "-") return write_text("-", text), 0;  // for a pipe: no word more
  const fs::path file = options.out.empty() ? options.model + ".yaml" : options.out;
  if (fs::exists(file) && !options.force) {
    throw ModelError({file.string()}, "this file is there already.",
                     "Give another name with --out, or --force to replace it.");
  }
  const fs::path schema_file = file.parent_path() / schema_name;
  keep_inputs({file.string(), schema_file.string()}, {});
  write_text(file, text);
  const Schema schema = renew_schema(schema_file);
  fmt::print("{} written{}.\n\n", file.string(),
             schema == Schema::renewed ? ", and " + schema_file.string() + " for editors" : "");
  if (schema == Schema::of_others)
    fmt::print(stderr,
               "{} is there and is no schema of Skyhook, so it stays, and editors will not know the model.\n  Move it "
               "and write `skyhook schema --out {}`.\n",
               schema_file.string(), schema_file.string());
  fmt::print("Next:\n  skyhook check {0}\n  skyhook run {0} --report\n", file.string());
  return 0;
}

}  // namespace skyhook::app
