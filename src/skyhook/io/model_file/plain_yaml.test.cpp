// What the short way through plain YAML gives must be what yaml-cpp gives, places included. References: yaml-cpp itself, on every model of the tree and on
// texts that are changed at random.
#include "skyhook/io/model_file/plain_yaml.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "skyhook/io/model_file/yaml_parser.h"

using namespace skyhook;
using namespace skyhook::io::model_file;

namespace {

bool is_same(const Node& a, const Node& b) {
  if (a.kind != b.kind || a.quoted != b.quoted || a.line != b.line || a.column != b.column || a.file != b.file)
    return false;
  if (a.text != b.text || a.items.size() != b.items.size() || a.entries.size() != b.entries.size()) return false;
  for (std::size_t i = 0; i < a.items.size(); ++i)
    if (!is_same(a.items[i], b.items[i])) return false;
  for (std::size_t i = 0; i < a.entries.size(); ++i)
    if (!is_same(a.entries[i].key, b.entries[i].key) || !is_same(a.entries[i].value, b.entries[i].value)) return false;
  return true;
}

// Without a finding: the short way has none to tell.
std::optional<Node> by_library(const std::string& text) {
  try {
    Report report("file");
    Node root = parse_any_yaml(text, "file", report, 3);
    if (report.size() == 0) return root;
  } catch (const ModelError&) {
  } catch (const Report::Full&) {}
  return {};
}

std::vector<std::string> texts_of_models() {
  std::vector<std::string> texts;
  for (const auto& file : std::filesystem::recursive_directory_iterator(SKYHOOK_SOURCE_DIR "/models")) {
    if (file.path().extension() != ".yaml") continue;
    std::ifstream in(file.path());
    std::ostringstream bytes;
    bytes << in.rdbuf();
    texts.push_back(bytes.str());
  }
  return texts;
}

bool agrees(const std::string& text) {
  const auto plain = parse_plain_yaml(text, 3);
  if (!plain || !plain->is_map()) return true;  // yaml-cpp decides
  const auto library = by_library(text);
  return library && is_same(*plain, *library);
}

}  // namespace

TEST_CASE("Plain YAML: models of the tree are read the short way, as yaml-cpp reads them") {
  std::size_t plain = 0;
  const auto texts = texts_of_models();
  for (const std::string& text : texts) {
    CHECK(agrees(text));
    plain += parse_plain_yaml(text, 0).has_value();
  }
  CHECK(plain * 10 > texts.size() * 9);
}

TEST_CASE("Plain YAML: what is read") {
  const auto root = parse_plain_yaml(
      "# a comment\na: 1 # one\n\n\"b\": [x, {y: 'z', w: -2},\n  u]\nlist:\n- q: =1 + a\n  r: 2\n- - s\n  - t\n", 3);
  REQUIRE(root);
  CHECK(is_same(
      *root,
      *by_library(
          "# a comment\na: 1 # one\n\n\"b\": [x, {y: 'z', w: -2},\n  u]\nlist:\n- q: =1 + a\n  r: 2\n- - s\n  - t\n")));
  CHECK(find(*root, "list")->value.items[0].entries[0].value.text == "=1 + a");
}

TEST_CASE("Plain YAML: folded lines") {
  for (const std::string text : {"a: >-\n  b c\n  # d\n  e: f\ng: 1\n", "a:\n  - >-\n    b\n  - c\nd: >-\n  e",
                                 "a: {b: 1}\nc: >-  \n      x\n\n# end\nd: 2"}) {
    CAPTURE(text);
    CHECK(agrees(text));
  }
  CHECK(find(*parse_plain_yaml("a: >-\n  b c\n  d\ne: 1\n", 0), "a")->value.text == "b c d");
  CHECK_FALSE(parse_plain_yaml("a: >-\n  b\n\n  c\n", 0));
  CHECK_FALSE(parse_plain_yaml("a: >-\n  b\n   c\n", 0));
  CHECK_FALSE(parse_plain_yaml("a: >-\nb: 1\n", 0));
}

TEST_CASE("Plain YAML: a value by its alias has the place of its anchor") {
  for (const std::string text : {"a: &x {b: 1}\nc: *x\n", "a: &x\n  b: 1\nc: [*x, &y 2, *y]\nd: {e: *y}",
                                 "a:\n- &x q\n- *x\n- &y\n  r: 1\nz: *y"}) {
    CAPTURE(text);
    CHECK(parse_plain_yaml(text, 3));
    CHECK(agrees(text));
  }
}

TEST_CASE("Plain YAML: what is not plain is left to yaml-cpp") {
  for (const char* text : {"",
                           "a: &x 1\nb: &x 2",
                           "a: &x [*x]",
                           "a: *x",
                           "a: !t 1",
                           "a: |\n  b",
                           "a: b\n  c",
                           "a:",
                           "a: ~",
                           "a: [b, , c]",
                           "a: \"x\\n\"",
                           "a: 'it''s'",
                           "a: 1\na: 2",
                           "<<: 1",
                           "a:\t1",
                           "a: 1\r\n",
                           "--- \na: 1",
                           "a: 1\n---\nb: 2",
                           "a: [1, 2",
                           "a: {b, c}",
                           "a: [b: c]",
                           "a: {b: c}x",
                           "a: b: c",
                           "? a\n: b",
                           "a: [1,]",
                           "a: \"b\n  c\"",
                           "a: {b: c[1]}",
                           "\xef\xbb\xbf"
                           "a: 1",
                           "  a: 1\nb: 2",
                           "a:\n  - b\n c: 1"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_plain_yaml(text, 0));
  }
}

TEST_CASE("Plain YAML: texts changed at random are read as yaml-cpp reads them, or not at all") {
  std::mt19937 random(1);
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  const std::string signs = " \n:-,[]{}#'\"?&*!|>%@`~ab1.=";
  const auto texts = texts_of_models();
  int read = 0;
  for (int k = 0; k < 4000; ++k) {
    const std::string& whole = texts[below(texts.size())];
    const std::size_t begin = whole.rfind('\n', below(whole.size() - 1)) + 1;
    std::string text = whole.substr(begin, 30 + below(400));
    if (below(4) == 0) text = "x: &x {y: [1]}\nz: >-\n  fold\n  ed\n" + text;
    for (std::size_t n = below(4); n > 0; --n) {
      const std::size_t at = below(text.size());
      const char sign = signs[below(signs.size())];
      if (below(2) == 0)
        text[at] = sign;
      else
        text.insert(at, below(5) == 0 ? (below(2) ? "*x" : "&z ") : std::string(1, sign));
    }
    CAPTURE(text);
    REQUIRE(agrees(text));
    read += parse_plain_yaml(text, 0).has_value();
  }
  CHECK(read > 300);
}
