// Tyre property files (`.tir`): sections in brackets, lines "NAME = value", text in quotes, comments from $ or ! on. Tables (a line in
// braces, then rows) are passed over.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "skyhook/base/error.h"

namespace skyhook::element::tyre {

struct TirEntry {
  std::string section, name;  // capitals
  std::string text;           // without quotes
  double number = 0;          // where is_number
  bool is_number = false;
  int line = 0;
};

struct TirFile {
  std::string file;  // for messages
  std::vector<TirEntry> entries;
  std::vector<std::string> empty;   // entries without a value: they count as absent
  std::vector<std::string> tables;  // sections that have one

  Location at(int line) const { return {file, line, 0}; }
  // The only one of that name outside of [UNITS]; null: there is none. ModelError where two sections have it.
  const TirEntry* find(std::string_view name) const;
  const TirEntry* find(std::string_view section, std::string_view name) const;
};

// ModelError with all lines that cannot be read, entries that are repeated, and numbers that are not finite.
TirFile parse_tir(std::string_view text, std::string file);
// ModelError where it cannot be opened.
std::string read_tir_text(const std::string& path, const Location& where);

}  // namespace skyhook::element::tyre
