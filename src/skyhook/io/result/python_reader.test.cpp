// The Python program that docs/results.md shows to users is run as it stands there.
#include <doctest/doctest.h>

#include <cstdlib>

#include "skyhook/io/result/example_run.testing.h"

using namespace skyhook;
using namespace skyhook::io;
using example::Numbers;
using example::TemporaryFile;

namespace {

std::string documented_program() {
  const std::string page = example::slurp(SKYHOOK_SOURCE_DIR "/docs/results.md"), fence = "```python\n";
  const std::size_t begin = page.find(fence);
  REQUIRE(begin != std::string::npos);
  const std::size_t first = begin + fence.size();
  return page.substr(first, page.find("```", first) - first);
}

std::string output_of_program(const std::filesystem::path& result) {
  const TemporaryFile program(".py"), output(".txt");
  std::ofstream(program.path) << documented_program();
  const std::string command =
      "/usr/bin/python3 " + program.path.string() + " " + result.string() + " > " + output.path.string() + " 2>&1";
  const int status = std::system(command.c_str());
  const std::string text = example::slurp(output);
  CHECK_MESSAGE(status == 0, text);
  return text;
}

constexpr const char* expected_rows =
    "chassis.z m 0.0 0.9974949866040544\n"
    "strut.force N 367.87944117144235 1000.0\n"
    "cubic - -0.9 0.1\n";

}  // namespace

TEST_CASE("The documented Python reader prints a finished result") {
  const TemporaryFile file;
  example::write(file, 3);  // t = 0, 0.5, 1
  CHECK(output_of_program(file) == std::string("half_car failed 3 samples\n") + expected_rows);
}

TEST_CASE("The documented Python reader prints a result that is being written") {
  const TemporaryFile file;
  ResultWriter writer(file);
  writer.begin(example::info());
  for (const double t : {0.0, 0.5, 1.0}) writer.sample(Numbers(t).sample());
  writer.flush();
  CHECK(output_of_program(file.part()) == std::string("half_car running 3 samples\n") + expected_rows);
}
