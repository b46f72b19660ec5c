// A file that takes its name only when it is complete. Whoever looks for the name finds the older file or the whole new
// one, whatever becomes of the program or the disk in between.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "skyhook/base/error.h"

namespace skyhook {

// The disk is full, or a limit on the size of files is reached: nothing in the input is wrong (exit code 3).
class NoRoom : public ModelError {
 public:
  using ModelError::ModelError;
};

// Throws NoRoom or ModelError, as the system's error number has it: "PATH: the report cannot be written: the disk is full."
// `kept` is a sentence on what is left, for the advice.
[[noreturn]] void refuse_to_write(const std::filesystem::path& path, const std::string& what, int error,
                                  const std::string& kept = {});

class NewFile {
 public:
  // How the file is called until it is complete.
  enum class Part {
    hidden,   // ".NAME.PID.part": nobody is to see it
    readable  // "NAME.part": others may read it meanwhile, and it stays if the program is killed
  };
  // Makes the part beside the file; ModelError where that cannot be. Two programs cannot make the same readable part: the
  // second one is refused. What is no ordinary file, as /dev/stdout or a pipe, is written directly.
  explicit NewFile(std::filesystem::path path, std::string what = "the file", Part kind = Part::hidden);
  ~NewFile();  // removes the part, unless it has got its name or is kept
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  const std::filesystem::path& part() const { return part_; }  // for libraries that open files by name
  void reserve(std::size_t bytes);                             // throws if there is no room for so many; holds none
  void write(std::string_view bytes);
  void finish();  // the part takes the name; an older file is given up only once the new one is on the disk
  void keep() { keep_ = true; }

  // The path, or what a link of that name leads to, be it there or not. ModelError where links lead in a circle.
  static std::filesystem::path behind_links(const std::filesystem::path& path);
  // "NAME.part" of "NAME", through links.
  static std::filesystem::path readable_part(const std::filesystem::path& path);
  // Where to read: the file, or its part while there is no other.
  static std::filesystem::path readable(const std::filesystem::path& path);

 private:
  [[noreturn]] void refuse(int error) const;
  void make_hidden();
  void make_readable();
  void set_aside();

  std::filesystem::path path_, target_, part_, left_behind_;
  std::string what_;
  int file_ = -1;
  bool is_special_ = false, keep_ = false;
};

// Replaces the file by these bytes, or leaves it as it is and throws.
void write_file(const std::filesystem::path& path, std::string_view bytes, const std::string& what = "the file");

}  // namespace skyhook
