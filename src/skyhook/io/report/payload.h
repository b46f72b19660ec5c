// What a report carries: a JSON text and the arrays it refers to, in one piece of bytes. viewer/src/ decodes it.
//
//   "SKYHOOK1", the length of the JSON text (uint32), 4 zero bytes, the JSON text padded with blanks to a multiple of 8,
//   the arrays, each at a multiple of 8 from the beginning of their part. All numbers are little-endian.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skyhook::io::report {

// Collects arrays. Each `add` returns what stands for the array in the JSON text:
//   {"at": byte in the part of the arrays, "n": count, "type": "f8"|"f4"|"i4"|"i2", "shuffled": true}
// Shuffled: all first bytes of the elements, then all second bytes and so on. Smooth series compress far better so.
class Payload {
 public:
  std::string add(std::span<const double> values);
  std::string add(std::span<const float> values);
  std::string add(std::span<const std::int32_t> values);
  // 16 bits each: value = stored * scale, and -32768 is NaN. The list falls into `blocks` of equal size with a scale
  // each ("scales": [...]), so that the error is at most 1/65534 of the largest of its block.
  std::string add_coarse(std::span<const float> values, std::size_t blocks);
  // The same with one scale ("scale": x) for numbers of which none is larger than `largest`.
  std::string add_coarse_up_to(std::span<const float> values, double largest);

  std::string container(std::string_view json) const;

 private:
  template <class T>
  std::string add_as(std::span<const T> values, const char* type, const std::string& more = {});

  std::string arrays_;
};

}  // namespace skyhook::io::report
