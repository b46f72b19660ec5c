#include "skyhook/io/report/compress.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace skyhook::io::report {
namespace {

constexpr int window_of_gzip = 15 + 16;  // zlib.h: 16 more than the window's bits asks for the gzip format
constexpr int memory_level = 9;
constexpr std::size_t small_bytes = 8 << 20;

// The best compression takes about 1 s for each 10 MB: too long for the large attempts before a report is thinned.
int level_for(std::size_t bytes) { return bytes <= small_bytes ? 9 : 5; }

}  // namespace

std::string gzip(std::string_view bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, level_for(bytes.size()), Z_DEFLATED, window_of_gzip, memory_level, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    throw std::runtime_error("zlib cannot be started");
  std::string out;
  int status = Z_OK;
  while (status == Z_OK) {
    const std::size_t part = std::min<std::size_t>(bytes.size(), std::numeric_limits<uInt>::max());
    if (stream.avail_in == 0) {
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
      stream.avail_in = static_cast<uInt>(part);
      bytes.remove_prefix(part);
    }
    char buffer[1 << 16];
    stream.next_out = reinterpret_cast<Bytef*>(buffer);
    stream.avail_out = sizeof buffer;
    status = deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
    out.append(buffer, sizeof buffer - stream.avail_out);
  }
  deflateEnd(&stream);
  if (status != Z_STREAM_END) throw std::runtime_error("zlib failed");
  return out;
}

std::string base64(std::string_view bytes) {
  constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto byte = [&](std::size_t i) { return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0u; };
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const unsigned group = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    text += letters[group >> 18];
    text += letters[group >> 12 & 63];
    text += i + 1 < bytes.size() ? letters[group >> 6 & 63] : '=';
    text += i + 2 < bytes.size() ? letters[group & 63] : '=';
  }
  return text;
}

}  // namespace skyhook::io::report
