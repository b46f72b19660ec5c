#include "skyhook/io/serve/file_watch.h"

#include <doctest/doctest.h>

#include "skyhook/io/result/example_run.testing.h"

using namespace skyhook::io;
using example::TemporaryFile;

TEST_CASE("A file that was saved, replaced, removed or created is noticed") {
  const TemporaryFile file(".yaml"), other(".yaml"), absent(".yaml");
  const auto write = [](const std::filesystem::path& path, const char* text) { std::ofstream(path) << text; };
  write(file, "a");
  serve::FileWatch watch;
  watch.add({file.path.string(), absent.path.string()});
  CHECK(!watch.changed());
  const auto notices = [&](const auto& change) {
    change();
    const bool noticed = watch.changed();
    watch.settle();
    return noticed && !watch.changed();
  };
  CHECK(notices([&] { write(file, "ab"); }));
  write(other, "xy");  // as long as the first, and moved to its place, as editors do
  CHECK(notices([&] { std::filesystem::rename(other.path, file.path); }));
  CHECK(notices([&] { std::filesystem::remove(file.path); }));
  CHECK(notices([&] { write(absent, "b"); }));
  watch.replace({file.path.string()});
  write(absent, "longer");
  CHECK(!watch.changed());
}
