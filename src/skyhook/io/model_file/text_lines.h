// Lines and words of texts that are not YAML: tables and meshes.
#pragma once
#include <string>
#include <string_view>

namespace skyhook::io::model_file {

// The lines of a text, with their numbers. \n, \r\n and \r end a line.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}
  bool next(std::string_view& line);
  int number() const { return number_; }

 private:
  std::string_view text_;
  int number_ = 0;
};

// Takes the first word off the line; "" at its end.
std::string_view next_word(std::string_view& line);
// "vertx", shortened and without what no terminal shows.
std::string shown(std::string_view word);

}  // namespace skyhook::io::model_file
