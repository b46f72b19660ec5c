#include "skyhook/base/new_file.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

using namespace skyhook;
namespace fs = std::filesystem;

namespace {

struct Folder {
  fs::path path = fs::temp_directory_path() / ("skyhook_new_file_" + std::to_string(getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::size_t count() const { return static_cast<std::size_t>(std::distance(fs::directory_iterator(path), {})); }
};

std::string text_of(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("A new file has its name only when it is complete") {
  const Folder folder;
  const fs::path path = folder.path / "a.csv";
  write_file(path, "older");
  {
    NewFile file(path);
    file.write("newer");
    CHECK(text_of(path) == "older");
  }
  CHECK(text_of(path) == "older");  // given up
  CHECK(folder.count() == 1);
  NewFile file(path);
  file.write("newer");
  file.finish();
  CHECK(text_of(path) == "newer");
  CHECK(folder.count() == 1);
}

TEST_CASE("A new file behind a link replaces what the link leads to, with its rights") {
  const Folder folder;
  write_file(folder.path / "a", "older");
  fs::permissions(folder.path / "a", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("a", folder.path / "link");
  write_file(folder.path / "link", "newer");
  CHECK(fs::is_symlink(folder.path / "link"));
  CHECK(text_of(folder.path / "a") == "newer");
  CHECK(fs::status(folder.path / "a").permissions() == (fs::perms::owner_read | fs::perms::owner_write));
  CHECK_NOTHROW(write_file("/dev/null", "nowhere"));
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("A readable part belongs to one writer; what a killed one has left is kept until the next is complete") {
  const Folder folder;
  const fs::path path = folder.path / "r.h5", part = folder.path / "r.h5.part";
  {
    NewFile first(path, "the result", NewFile::Part::readable);
    CHECK(NewFile::readable(path) == part);
    CHECK_THROWS_AS(NewFile(path, "the result", NewFile::Part::readable), ModelError);
    first.write("half");
    first.keep();
  }
  CHECK(text_of(part) == "half");
  {
    const NewFile given_up(path, "the result", NewFile::Part::readable);
    CHECK(text_of(part).empty());
  }
  CHECK(text_of(part) == "half");
  NewFile next(path, "the result", NewFile::Part::readable);
  next.write("whole");
  CHECK(text_of(folder.path / "r.h5.part.old") == "half");
  next.finish();
  CHECK(text_of(path) == "whole");
  CHECK(folder.count() == 1);
}

TEST_CASE("A full disk is told apart from what the user may not do") {
  CHECK_THROWS_AS(refuse_to_write("a", "the file", ENOSPC), NoRoom);
  CHECK_THROWS_AS(refuse_to_write("a", "the file", EDQUOT), NoRoom);
  CHECK_THROWS_AS(refuse_to_write("a", "the file", EFBIG), NoRoom);
  CHECK_THROWS_AS(refuse_to_write("a", "the file", EIO), ModelError);
  CHECK_THROWS_AS(write_file("/dev/full", "text"), NoRoom);
  try {
    refuse_to_write("a", "the file", EACCES);
  } catch (const NoRoom&) {
    FAIL("permission is not room");
  } catch (const ModelError&) {}
}

TEST_CASE("A new file behind a link that leads to nothing yet is made where it leads to") {
  const Folder folder;
  fs::create_symlink("second", folder.path / "first");
  fs::create_symlink("target", folder.path / "second");
  write_file(folder.path / "first", "new");
  CHECK(fs::is_symlink(folder.path / "first"));
  CHECK(fs::is_symlink(folder.path / "second"));
  CHECK(text_of(folder.path / "target") == "new");
  fs::create_symlink("nowhere/a", folder.path / "lost");
  CHECK_THROWS_WITH_AS(write_file(folder.path / "lost", "new"), doctest::Contains("(a link to "), ModelError);
  fs::create_symlink("round", folder.path / "about");
  fs::create_symlink("about", folder.path / "round");
  CHECK_THROWS_WITH_AS(write_file(folder.path / "round", "new"), doctest::Contains("symbolic links"), ModelError);
  CHECK(folder.count() == 6);  // and no part
}
