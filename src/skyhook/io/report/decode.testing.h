// Reads a report as the page does, but with its own code: inflates, parses the JSON (as YAML, of which it is a part) and
// rebuilds the arrays.
#pragma once
#include <doctest/doctest.h>
#include <yaml-cpp/yaml.h>
#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace skyhook::io::report::testing {

// The three places as the viewer's page has them.
inline constexpr const char* plain_page =
    "<!doctype html><html><head><meta name=\"skyhook-live\" content=\"%SKYHOOK_LIVE%\"><title>%SKYHOOK_TITLE%</title>"
    "</head><body><script type=\"text/plain\" id=\"skyhook-data\">%SKYHOOK_DATA%</script></body></html>\n";

inline std::string between(const std::string& text, const std::string& before, const std::string& after) {
  const std::size_t begin = text.find(before);
  REQUIRE(begin != std::string::npos);
  const std::size_t first = begin + before.size(), end = text.find(after, first);
  REQUIRE(end != std::string::npos);
  return text.substr(first, end - first);
}

inline std::string decode_base64(const std::string& text) {
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned group = 0;
  int bits = 0;
  for (const char c : text) {
    if (c == '=') break;
    const std::size_t value = letters.find(c);
    REQUIRE(value != std::string::npos);
    group = group << 6 | static_cast<unsigned>(value);
    if ((bits += 6) >= 8) bytes += static_cast<char>(group >> (bits -= 8) & 255);
  }
  return bytes;
}

inline std::string gunzip(const std::string& bytes) {
  z_stream stream{};
  REQUIRE(inflateInit2(&stream, 15 + 16) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string out;
  int status = Z_OK;
  while (status == Z_OK) {
    char buffer[4096];
    stream.next_out = reinterpret_cast<Bytef*>(buffer);
    stream.avail_out = sizeof buffer;
    status = inflate(&stream, Z_NO_FLUSH);
    out.append(buffer, sizeof buffer - stream.avail_out);
  }
  inflateEnd(&stream);
  REQUIRE(status == Z_STREAM_END);
  return out;
}

struct Decoded {
  std::string json, arrays;
  YAML::Node root;

  explicit Decoded(const std::string& container) {
    REQUIRE(container.substr(0, 8) == "SKYHOOK1");
    std::uint32_t length = 0;
    std::memcpy(&length, container.data() + 8, 4);
    REQUIRE(container.substr(12, 4) == std::string(4, '\0'));
    json = container.substr(16, length);
    arrays = container.substr((16 + length + 7) / 8 * 8);
    root = YAML::Load(json);
  }
  static Decoded of_page(const std::string& page) {
    return Decoded(gunzip(decode_base64(between(page, "id=\"skyhook-data\">", "</script>"))));
  }

  template <class T>
  T element(const YAML::Node& ref, std::size_t i) const {
    const auto at = ref["at"].as<std::size_t>(), n = ref["n"].as<std::size_t>();
    char bytes[sizeof(T)];
    REQUIRE(at % 8 == 0);
    REQUIRE(at + n * sizeof(T) <= arrays.size());
    for (std::size_t b = 0; b < sizeof(T); ++b)
      bytes[b] = ref["shuffled"] ? arrays[at + b * n + i] : arrays[at + i * sizeof(T) + b];
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return value;
  }
  double value(const YAML::Node& ref, std::size_t i) const {
    const auto type = ref["type"].as<std::string>();
    if (type == "f8") return element<double>(ref, i);
    if (type == "f4") return static_cast<double>(element<float>(ref, i));
    if (type == "i4") return element<std::int32_t>(ref, i);
    REQUIRE(type == "i2");
    const auto stored = element<std::int16_t>(ref, i);
    const auto scales = ref["scales"];
    const double scale =
        scales ? scales[i / (ref["n"].as<std::size_t>() / scales.size())].as<double>() : ref["scale"].as<double>();
    return stored == -32768 ? std::numeric_limits<double>::quiet_NaN() : stored * scale;
  }
  std::vector<double> array(const YAML::Node& ref) const {
    std::vector<double> values;
    for (std::size_t i = 0; i < ref["n"].as<std::size_t>(); ++i) values.push_back(value(ref, i));
    return values;
  }
};

}  // namespace skyhook::io::report::testing
