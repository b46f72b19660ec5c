// Any bytes either give a model or a ModelError.
#include "skyhook/io/model_file/model_reader.h"

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    skyhook::io::read_model_text(std::string(reinterpret_cast<const char*>(data), size), "fuzz.yaml");
  } catch (const skyhook::ModelError&) {}
  return 0;
}
