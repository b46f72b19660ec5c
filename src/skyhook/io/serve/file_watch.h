// Notices that files were saved, by looking at them now and then: works with every editor and on every file system.
#pragma once
#include <ctime>
#include <map>
#include <string>
#include <vector>

namespace skyhook::io::serve {

class FileWatch {
 public:
  // Watches these as well; those that are new count as unchanged from now on.
  void add(const std::vector<std::string>& files);
  // Watches only these from now on; those known already keep what is known of them.
  void replace(const std::vector<std::string>& files);
  // Whether a file was saved, created, removed or replaced since it was added or since the last settle().
  bool changed() const;
  void settle();

 private:
  struct Stamp {
    long seconds = 0, nanoseconds = 0, bytes = -1;  // -1: there is no such file
    unsigned long number = 0;                       // of the file in its file system: editors replace files
    bool operator==(const Stamp&) const = default;
  };
  static Stamp stamp_of(const std::string& file);
  std::map<std::string, Stamp> known_;
};

}  // namespace skyhook::io::serve
