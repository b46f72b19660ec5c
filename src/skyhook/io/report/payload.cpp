#include "skyhook/io/report/payload.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>

#include "skyhook/base/table.h"

namespace skyhook::io::report {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they stand in memory");

constexpr std::size_t alignment = 8;
constexpr std::int16_t missing = -32768;
constexpr double largest_stored = 32767;

void pad(std::string& bytes, char with) { bytes.resize((bytes.size() + alignment - 1) / alignment * alignment, with); }

std::int16_t coarse(float value, double scale) {
  if (!std::isfinite(value)) return missing;
  return static_cast<std::int16_t>(std::clamp(std::round(value / scale), -largest_stored, largest_stored));
}

double scale_of(std::span<const float> values) {
  double largest = 0;
  for (const float x : values) largest = std::isfinite(x) ? std::max(largest, std::abs(double(x))) : largest;
  return largest > 0 ? largest / largest_stored : 1;
}

}  // namespace

template <class T>
std::string Payload::add_as(std::span<const T> values, const char* type, const std::string& more) {
  const std::size_t at = arrays_.size(), n = values.size();
  arrays_.resize(at + n * sizeof(T));
  const char* bytes = reinterpret_cast<const char*>(values.data());
  for (std::size_t b = 0; b < sizeof(T); ++b) {
    for (std::size_t i = 0; i < n; ++i) arrays_[at + b * n + i] = bytes[i * sizeof(T) + b];
  }
  pad(arrays_, '\0');
  return fmt::format(R"({{"at":{},"n":{},"type":"{}","shuffled":true{}}})", at, n, type, more);
}

std::string Payload::add(std::span<const double> values) { return add_as(values, "f8"); }
std::string Payload::add(std::span<const float> values) { return add_as(values, "f4"); }
std::string Payload::add(std::span<const std::int32_t> values) { return add_as(values, "i4"); }

std::string Payload::add_coarse(std::span<const float> values, std::size_t blocks) {
  if (values.empty()) return add(values);
  assert(blocks > 0 && values.size() % blocks == 0);
  const std::size_t size = values.size() / blocks;
  std::vector<std::int16_t> stored(values.size());
  std::string scales;
  for (std::size_t b = 0; b < blocks; ++b) {
    const double scale = scale_of(values.subspan(b * size, size));
    for (std::size_t i = b * size; i < (b + 1) * size; ++i) stored[i] = coarse(values[i], scale);
    scales += (b ? "," : "") + json_number(scale);
  }
  return add_as(std::span<const std::int16_t>(stored), "i2", ",\"scales\":[" + scales + "]");
}

std::string Payload::add_coarse_up_to(std::span<const float> values, double largest) {
  const double scale = largest / largest_stored;
  std::vector<std::int16_t> stored(values.size());
  std::transform(values.begin(), values.end(), stored.begin(), [&](float x) { return coarse(x, scale); });
  return add_as(std::span<const std::int16_t>(stored), "i2", ",\"scale\":" + json_number(scale));
}

std::string Payload::container(std::string_view json) const {
  const auto length = static_cast<std::uint32_t>(json.size());
  std::string bytes = "SKYHOOK1";
  bytes.append(reinterpret_cast<const char*>(&length), sizeof length);
  bytes.append(4, '\0');
  bytes += json;
  pad(bytes, ' ');
  return bytes + arrays_;
}

}  // namespace skyhook::io::report
