// Where in a model a text stands: the names it may use, and how its thing is placed.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
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

// A list that copies share until one of them grows: every thing of a model takes the names of its template along. Each number of a part is
// looked for by its name, most of them without success; so names are compared by a number made of their letters first.
class Locals {
 public:
  // FNV-1a, of a name that may go on behind another one.
  using Mark = std::uint32_t;
  static constexpr Mark mark_of(std::string_view text, Mark before = 2166136261u) {
    for (const char c : text) before = (before ^ static_cast<unsigned char>(c)) * 16777619u;
    return before;
  }

  void push_back(Local local) {
    if (!lists_ || lists_.use_count() > 1)
      lists_ = lists_ ? std::make_shared<Lists>(*lists_) : std::make_shared<Lists>();
    lists_->marks.push_back(mark_of(local.name));
    lists_->all.push_back(std::move(local));
  }
  bool empty() const { return begin() == end(); }
  const Local* begin() const { return lists_ ? lists_->all.data() : nullptr; }
  const Local* end() const { return lists_ ? lists_->all.data() + lists_->all.size() : nullptr; }

  // The last one that has this name, or this name and ".x" behind it; null: there is none.
  const Local* find(const std::string& name) const {
    return last(mark_of(name), mark_of(name), [&](const Local& l) { return l.name == name; });
  }
  const Local* find_with_points(const std::string& name) const {
    const Mark own = mark_of(name);
    return last(own, mark_of(".x", own), [&](const Local& l) {
      return l.name == name || (l.name.size() == name.size() + 2 && l.name.starts_with(name) && l.name.ends_with(".x"));
    });
  }

 private:
  struct Lists {
    std::vector<Mark> marks;
    std::vector<Local> all;
  };
  template <class IsIt>
  const Local* last(Mark one, Mark other, const IsIt& is_it) const {
    for (std::size_t i = lists_ ? lists_->marks.size() : 0; i-- > 0;) {
      const Mark mark = lists_->marks[i];
      if ((mark == one || mark == other) && is_it(lists_->all[i])) return &lists_->all[i];
    }
    return nullptr;
  }

  std::shared_ptr<Lists> lists_;
};

// The model itself, or one instance of a template or group in it.
struct Scope {
  std::string prefix;                  // of the names defined here: "front."; empty: the model itself
  Locals locals;                       // the last of a name wins
  Placement placement;                 // from the position as written to that in the model
  std::shared_ptr<const Scope> outer;  // what $parent means; none: this is the model
  std::string template_name;           // for messages; empty: a group, or the model
  std::string coordinates = "model";   // of the bodies in it

  const Local* find(const std::string& name) const { return locals.find(name); }
};

}  // namespace skyhook::io::model_file
