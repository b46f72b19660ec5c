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

const std::vector<std::string> models{"pendulum", "suspension", "car", "library"};
// Files of the folder library, which stands beside the models that use it.
const std::vector<std::string> parts{"anti_roll_bar", "double_wishbone",   "driveline",    "drivers",
                                     "engine_mounts", "five_link",         "flexible_bar", "macpherson",
                                     "rack_steering", "semi_trailing_arm", "solid_axle",   "wheel"};
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

// Parts that are there stay, as their owner may have changed them, unless `force`.
void write_parts(const std::vector<std::string>& names, const fs::path& folder, bool force) {
  if (names.empty()) return;
  fs::create_directories(folder);
  std::string kept;
  for (const std::string& name : names) {
    const fs::path file = folder / (name + ".yaml");
    if (fs::exists(file) && !force)
      kept += (kept.empty() ? "" : ", ") + file.string();
    else
      write_text(file, embedded("models/library/" + name + ".yaml"));
  }
  if (!kept.empty()) fmt::print("{} there already: kept, --force replaces.\n", kept);
}

std::vector<std::string> parts_in(std::string_view model) {
  std::vector<std::string> names;
  for (const std::string& name : parts) {
    if (model.find("library/" + name + ".yaml") != std::string_view::npos) names.push_back(name);
  }
  return names;
}

int new_library(const NewOptions& options) {
  const fs::path folder = options.out.empty() ? "library" : options.out;
  write_parts(parts, folder, options.force);
  fmt::print("{} parts in {}: include: [{}/wheel.yaml, ...]. Each says at its top what it is.\n", parts.size(),
             folder.string(), folder.string());
  return 0;
}

}  // namespace

int new_model(const NewOptions& options) {
  if (options.model == "library") return new_library(options);
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
  write_parts(parts_in(text), file.parent_path() / "library", options.force);
  const Schema schema = renew_schema(schema_file);
  fmt::print("{} written{}{}.\n\n", file.string(), parts_in(text).empty() ? "" : ", its parts in library/",
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
