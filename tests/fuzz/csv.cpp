// Any bytes either give two columns of finite numbers of the same length, or a ModelError.
#include "skyhook/io/model_file/csv.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using skyhook::io::model_file::read_csv;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const auto& wanted : {std::array<std::string, 2>{"1", "2"}, {"x", "y"}}) {
    try {
      const auto csv = read_csv(text, "fuzz.csv", wanted);
      for (const auto& column : csv.columns) {
        if (column.values.size() != csv.lines.size() || csv.lines.size() < 2) std::abort();
        for (const double v : column.values) {
          if (!std::isfinite(v)) std::abort();
        }
      }
    } catch (const skyhook::ModelError&) {}
  }
  return 0;
}
