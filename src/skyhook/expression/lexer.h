// Cuts the text of an expression into tokens. Names are cut at dots and brackets: the parser evaluates indices.
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "skyhook/base/error.h"

namespace skyhook::expression {

struct Token {
  enum class Kind { number, unit, identifier, symbol, end };
  Kind kind = Kind::end;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string_view text;  // of a unit: what stands between the brackets
  double value = 0.0;     // of a number
};

// The last token is of kind `end`. Throws ModelError on characters and numbers that cannot be.
std::vector<Token> tokens_of(std::string_view text, const Location& where);

}  // namespace skyhook::expression
