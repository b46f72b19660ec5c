// Collects what is wrong with a model file, so that the user sees all of it at once.
#pragma once
#include <string>
#include <vector>

#include "skyhook/base/error.h"
#include "skyhook/io/model_file/node.h"

namespace skyhook::io::model_file {

class Report {
 public:
  struct Full {};   // thrown when there are so many findings that reading on is pointless
  struct Known {};  // thrown where nothing can be read because of something that has been reported already

  explicit Report(std::string file) : files_{std::move(file)} {}
  static constexpr const char* command_line = "command line";
  // A further file that nodes may come from, or the command line; its number.
  int add_file(std::string name) { return files_.push_back(std::move(name)), static_cast<int>(files_.size()) - 1; }
  const std::vector<std::string>& files() const { return files_; }
  Location at(const Node& node) const { return {files_[static_cast<std::size_t>(node.file)], node.line, node.column}; }

  void add(const Node& node, std::string what, std::string advice = {}) {
    add(at(node), std::move(what), std::move(advice));
  }
  void add(Location where, std::string what, std::string advice = {});
  void add(const ModelError& error);
  // The findings of an expression or a quantity, with the thing they belong to before them.
  void add(const ModelError& error, const std::string& what, const std::string& more_advice = {});

  std::size_t size() const { return list_.size(); }
  // In the order of the files; of many the first, and the number of the others.
  void throw_if_any() const;

 private:
  int order_of(const std::string& file) const;

  std::vector<std::string> files_;
  std::vector<Finding> list_;
};

}  // namespace skyhook::io::model_file
