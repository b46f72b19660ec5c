#include "skyhook/base/field.h"

#include <sstream>

namespace skyhook {

std::vector<std::string> words_of(const char* list) {
  std::istringstream stream(list);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

}  // namespace skyhook
