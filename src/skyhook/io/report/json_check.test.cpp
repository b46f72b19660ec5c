// Reference: the grammar of RFC 8259.
#include "skyhook/io/report/json_check.h"

#include <doctest/doctest.h>

#include <string>

using skyhook::io::report::is_json_object;

TEST_CASE("Objects of JSON") {
  for (const char* text : {"{}", " { } \n", R"({"a":[],"b":{"c":[1,-0.5e+10,0,10,1E-3]},"d":[true,false,null]})",
                           R"({"\"\\\/\b\f\n\r\t\u00e9":"\u8eca"})", "{\"\":\t[ 1 ,\r 2 ] }"}) {
    INFO(text);
    CHECK(is_json_object(text));
  }
}

TEST_CASE("What is no object of JSON") {
  for (const char* text : {"",
                           " ",
                           "[]",
                           "1",
                           "null",
                           "{",
                           "}",
                           R"({"bodies": [oops)",
                           R"({"bodies":[)",
                           R"(null,"label":"injected")",
                           R"({},"label":"injected")",
                           "{} {}",
                           R"({"a":1,})",
                           R"({"a":[1,]})",
                           R"({"a":[,1]})",
                           R"({"a" 1})",
                           R"({a:1})",
                           R"({"a":'1'})",
                           R"({"a":01})",
                           R"({"a":1.})",
                           R"({"a":.5})",
                           R"({"a":+1})",
                           R"({"a":1e})",
                           R"({"a":NaN})",
                           R"({"a":-})",
                           R"({"a":Infinity})",
                           R"({"a":nul})",
                           R"({"a":"\x"})",
                           R"({"a":"\u12g4"})",
                           R"({"a":"b)",
                           "{\"a\":\"\n\"}",
                           "{\"a\":1 // no comments\n}",
                           R"({"a":"\)"}) {
    INFO(text);
    CHECK(!is_json_object(text));
  }
}

TEST_CASE("Depth has an end, length has none") {
  const auto nested = [](std::size_t n) { return "{\"a\":" + std::string(n, '[') + std::string(n, ']') + "}"; };
  CHECK(is_json_object(nested(60)));
  CHECK(!is_json_object(nested(100)));
  CHECK(!is_json_object("{\"a\":" + std::string(10'000'000, '[')));
  std::string flat = "{\"a\":[0";
  for (int i = 0; i < 1'000'000; ++i) flat += ",1";
  CHECK(is_json_object(flat + "]}"));
}
