// A tyre of the Magic Formula from its property file, and back.
#pragma once
#include "skyhook/element/tyre/magic_formula.h"
#include "skyhook/element/tyre/tir_file.h"

namespace skyhook::element::tyre {

struct MagicTyre {
  MagicFormula law;                   // as the file has it: not mirrored but by a negative USE_MODE
  int use_mode = 4;                   // of the file, without its sign
  std::string side = "LEFT";          // TYRESIDE: LEFT, RIGHT or SYMMETRIC
  std::string version;                // "MF 6.1", "MF 5.2", "PAC2002"
  std::vector<std::string> defaults;  // coefficients that the file does not have
  std::vector<std::string> unused;    // entries that nothing reads
  std::vector<std::string> notes;     // sentences
};

// ModelError where it has not enough, or contradicts itself.
MagicTyre magic_tyre(const TirFile& file);
// All of it that counts, as a file.
std::string tir_text(const MagicTyre& tyre);

}  // namespace skyhook::element::tyre
