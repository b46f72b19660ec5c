// References: the format as decode.testing.h reads it, the test vectors of RFC 4648, and bounds that follow from 16 bits.
#include "skyhook/io/report/payload.h"

#include <cmath>
#include <limits>

#include "skyhook/io/report/compress.h"
#include "skyhook/io/report/decode.testing.h"

using namespace skyhook::io::report;
using testing::Decoded;

namespace {

constexpr float missing = std::numeric_limits<float>::quiet_NaN();

Decoded decoded(const Payload& payload, const std::string& ref) { return Decoded(payload.container(ref)); }

}  // namespace

TEST_CASE("base64 gives the test vectors of RFC 4648") {
  const std::pair<const char*, const char*> known[] = {{"", ""},
                                                       {"f", "Zg=="},
                                                       {"fo", "Zm8="},
                                                       {"foo", "Zm9v"},
                                                       {"foob", "Zm9vYg=="},
                                                       {"fooba", "Zm9vYmE="},
                                                       {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : known) CHECK(base64(bytes) == text);
  CHECK(base64("\xff\xfe\xfd") == "//79");
}

TEST_CASE("What is compressed comes back, also when it is empty or large") {
  std::string large;
  for (int i = 0; i < 3'000'000; ++i) large += static_cast<char>(static_cast<long>(i) * i % 251);
  for (const std::string& bytes : {std::string(), std::string("a\0b", 3), large})
    CHECK(testing::gunzip(gzip(bytes)) == bytes);
}

TEST_CASE("Arrays of every kind are read back from the container") {
  Payload payload;
  const std::vector<double> wide{0.1, -1e300, std::numeric_limits<double>::infinity(), 5e-324};
  const std::vector<float> narrow{0.1f, -3e38f, 0};
  const std::vector<std::int32_t> whole{-1, 2147483647, 0, -2147483647 - 1, 7};
  const std::string refs = "[" + payload.add(wide) + "," + payload.add(narrow) + "," + payload.add(whole) + "," +
                           payload.add(std::vector<float>{}) + "]";
  const Decoded d = decoded(payload, refs);
  CHECK(d.array(d.root[0]) == wide);
  CHECK(d.array(d.root[1]) == std::vector<double>(narrow.begin(), narrow.end()));
  CHECK(d.array(d.root[2]) == std::vector<double>(whole.begin(), whole.end()));
  CHECK(d.array(d.root[3]).empty());
}

TEST_CASE("Sixteen bits keep each block to 1/65534 of its largest value, and gaps") {
  Payload payload;
  // Blocks of very different size; a value of 1e-3 would vanish beside 1e6 with one scale for all.
  const std::vector<float> values{1e6f, -3.3e5f, missing, 12.5f, 1e-3f, -0.4e-3f, 0.7e-3f, missing, 0, 0, 0, missing};
  const Decoded d = decoded(payload, payload.add_coarse(values, 3));
  CHECK(d.root["scales"].size() == 3);
  const std::vector<double> back = d.array(d.root);
  const double largest[] = {1e6, 1e-3, 0};
  REQUIRE(back.size() == values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    INFO(i);
    CHECK(std::isnan(back[i]) == std::isnan(values[i]));
    // Half a step of 1/32767, and the rounding of 32-bit inputs.
    if (!std::isnan(back[i])) CHECK(std::abs(back[i] - double(values[i])) <= 1.001 * largest[i / 4] / 65534);
  }
}

TEST_CASE("Numbers up to a given size share one scale") {
  Payload payload;
  const std::vector<float> values{1, -1,      0.70710678f,
                                  0, missing, 1.0000001f};  // rounding may carry a quaternion beyond 1
  const Decoded d = decoded(payload, payload.add_coarse_up_to(values, 1));
  const std::vector<double> back = d.array(d.root);
  CHECK(back[0] == doctest::Approx(1).epsilon(1e-12));
  CHECK(back[1] == doctest::Approx(-1).epsilon(1e-12));
  CHECK(std::abs(back[2] - 0.70710678) <= 1.0 / 65534);
  CHECK(back[3] == 0);
  CHECK(std::isnan(back[4]));
  CHECK(back[5] == doctest::Approx(1).epsilon(1e-12));
}
