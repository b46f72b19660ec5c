// Any bytes either give a tyre whose forces are numbers and that is read again as it was written, or a ModelError.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "skyhook/element/tyre/magic_tyre.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace skyhook::element::tyre;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const MagicTyre tyre = magic_tyre(parse_tir(text, "fuzz.tir"));
    const std::string written = tir_text(tyre);
    if (tir_text(magic_tyre(parse_tir(written, "again.tir"))) != written) std::abort();
    tyre.law.lengths(tyre.law.c.nominal_load, 0.02);
    tyre.law.rolling().at(0.01), tyre.law.vertical().elastic(0.01, 10.0, 0.02);
    tyre.law(Slip<double>{0.1, 0.1, 0.02, tyre.law.c.nominal_load, 10});
  } catch (const skyhook::ModelError&) {}
  return 0;
}
