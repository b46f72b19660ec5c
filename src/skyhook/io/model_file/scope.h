// Where in a model a text stands: the names it may use, and how its thing is placed.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "skyhook/expression/expression.h"
#include "skyhook/io/model_file/placement.h"

namespace skyhook::io::model_file {

// A constant that only a part of the model knows: the index of a repeat, a parameter of a template.
struct Local {
  std::string name;
  expression::Value value;
};

// The model itself, or one instance of a template or group in it.
struct Scope {
  std::string prefix;                  // of the names defined here: "front."; empty: the model itself
  std::vector<Local> locals;           // the last of a name wins
  Placement placement;                 // from the position as written to that in the model
  std::shared_ptr<const Scope> outer;  // what $parent means; none: this is the model
  std::string template_name;           // for messages; empty: a group, or the model
  std::string coordinates = "model";   // of the bodies in it

  const Local* find(const std::string& name) const {
    for (auto local = locals.rbegin(); local != locals.rend(); ++local) {
      if (local->name == name) return &*local;
    }
    return nullptr;
  }
};

}  // namespace skyhook::io::model_file
