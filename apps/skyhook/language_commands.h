// The commands that need no model: what the language knows, for people, for editors and for beginners.
#pragma once
#include <string>

namespace skyhook::app {

// skyhook elements [NAME] [--json] [--markdown]
struct ElementsOptions {
  std::string name;  // an element or another thing of the file, or a section; empty: all
  bool json = false, markdown = false;
};
int elements(const ElementsOptions& options);

// skyhook schema [--out FILE]
struct SchemaOptions {
  std::string out;  // empty: standard output
};
int schema(const SchemaOptions& options);

// skyhook warnings [--json]
struct WarningsOptions {
  bool json = false;
};
int warnings(const WarningsOptions& options);

// skyhook new MODEL [--out FILE] [--force]
struct NewOptions {
  std::string model;
  std::string out;  // empty: MODEL.yaml
  bool force = false;
};
int new_model(const NewOptions& options);

}  // namespace skyhook::app
