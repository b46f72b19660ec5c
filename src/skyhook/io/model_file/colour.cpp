#include "skyhook/io/model_file/colour.h"

#include <cctype>

namespace skyhook::io::model_file {
namespace {

struct Named {
  const char *name, *code;
};

constexpr Named colours[] = {
    {"black", "#1c1c1c"},  {"white", "#f5f5f5"},  {"grey", "#8c8c8c"},   {"red", "#c8382e"},
    {"orange", "#e07b24"}, {"yellow", "#e3b923"}, {"green", "#3f9142"},  {"blue", "#3366cc"},
    {"purple", "#7d4fa8"}, {"brown", "#8a5a34"},  {"steel", "#8b97a3"},  {"aluminium", "#c3c9cf"},
    {"brass", "#b8973b"},  {"copper", "#b8683d"}, {"rubber", "#2b2b2e"}, {"concrete", "#b5b2aa"},
};

}  // namespace

std::optional<std::string> colour_of(const std::string& text) {
  for (const Named& c : colours) {
    if (text == c.name) return c.code;
  }
  if ((text.size() != 4 && text.size() != 7) || text[0] != '#') return {};
  std::string code = "#";
  for (const char c : text.substr(1)) {
    if (std::isxdigit(static_cast<unsigned char>(c)) == 0) return {};
    const char digit = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    code.append(text.size() == 4 ? 2 : 1, digit);
  }
  return code;
}

std::vector<std::string> colour_names() {
  std::vector<std::string> names;
  for (const Named& c : colours) names.emplace_back(c.name);
  return names;
}

}  // namespace skyhook::io::model_file
