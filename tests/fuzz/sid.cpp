// Any bytes either give a body whose file is read again, or a ModelError.
#include "skyhook/io/flexible/sid.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace skyhook::io::fe;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto body = [&]() -> std::optional<SidBody> {
    try {
      return read_sid(text, "fuzz.SID_FEM", {});
    } catch (const skyhook::ModelError&) {
      return {};
    }
  }();
  if (!body) return 0;
  const auto modes = static_cast<std::size_t>(body->body.modes);
  if (body->body.first.size() != modes + 1 || body->body.stiffness.size() != modes * modes) std::abort();
  for (const auto& point : body->body.points) {
    if (point.shift.size() != modes || point.turn.size() != modes) std::abort();
  }
  try {
    read_sid(sid_text(body->body).text, "again.SID_FEM", {});
  } catch (const skyhook::ModelError&) {}  // twelve digits can make a mass matrix singular that was not
  return 0;
}
