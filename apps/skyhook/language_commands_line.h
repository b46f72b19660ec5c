// The commands that tell what the language knows. Only main.cpp includes this.
#pragma once
#include "language_commands.h"
#include "options_of_commands.h"

namespace skyhook::command_line {

// elements, schema, warnings, new: what the language knows, for people, editors and beginners.
inline void add_language_commands(CLI::App& cli, int& code) {
  const auto elements = add_command<app::ElementsOptions>(
      cli, "elements", "the elements of the language and their fields", code, app::elements);
  elements.app.add_option("name", elements->name, "an element, a part of the file (body, experiment), or a section");
  elements.app.add_flag("--json", elements->json, "print JSON");
  elements.app.add_flag("--markdown", elements->markdown, "print the pages of the reference");

  const auto schema =
      add_command<app::SchemaOptions>(cli, "schema", "JSON Schema of model files, for editors", code, app::schema);
  schema.app.add_option("--out,-o", schema->out, "file to write; default: standard output");

  const auto warnings = add_command<app::WarningsOptions>(
      cli, "warnings", "the kinds of warnings, by whose names they are switched off", code, app::warnings);
  warnings.app.add_flag("--json", warnings->json, "print JSON");

  const auto starting = add_command<app::NewOptions>(
      cli, "new", "write a commented model to start from, or the parts to build cars of, and the schema for editors",
      code, app::new_model);
  starting.app.add_option("model", starting->model, "pendulum, suspension or car; library: a folder of parts")
      ->required();
  starting.app.add_option("--out,-o", starting->out,
                          "file to write; default: the model's name with .yaml; of the library a folder");
  starting.app.add_flag("--force,-f", starting->force, "replace a file that is there");
}

}  // namespace skyhook::command_line
