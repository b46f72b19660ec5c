// Where in a model a text stands: the names it may use, and how its thing is placed.
#pragma once
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "skyhook/expression/expression.h"
#include "skyhook/io/model_file/node.h"
#include "skyhook/io/model_file/placement.h"

namespace skyhook::io::model_file {

// A constant that only a part of the model knows: the index of a repeat, a parameter of a template.
struct Local {
  std::string name;
  expression::Value value;
  std::shared_ptr<const Node> text = {};  // of a text parameter, which has no value
};

// A list that copies share until one of them grows: every thing of a model takes the names of its template along.
class Locals {
 public:
  void push_back(Local local) {
    if (!list_ || list_.use_count() > 1) list_ = std::make_shared<std::vector<Local>>(begin(), end());
    list_->push_back(std::move(local));
  }
  bool empty() const { return begin() == end(); }
  const Local* begin() const { return list_ ? list_->data() : nullptr; }
  const Local* end() const { return list_ ? list_->data() + list_->size() : nullptr; }
  auto rbegin() const { return std::reverse_iterator(end()); }
  auto rend() const { return std::reverse_iterator(begin()); }

 private:
  std::shared_ptr<std::vector<Local>> list_;
};

// The model itself, or one instance of a template or group in it.
struct Scope {
  std::string prefix;                  // of the names defined here: "front."; empty: the model itself
  Locals locals;                       // the last of a name wins
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
