// What the benchmark prints and writes: tables under a title, the goals beside their figures, and all of it as JSON.
#pragma once
#include <string>
#include <vector>

#include "skyhook/base/table.h"

namespace skyhook::bench {

class Report {
 public:
  // Pictures go into the folder, which must be there.
  explicit Report(std::string folder = ".") : folder_(std::move(folder)) {}
  std::string picture(const std::string& name) const { return folder_ + "/" + name; }
  // "<= 0.12 of Simbody: reached". Kept for the list of goals at the end. NaN: not measured.
  std::string judge(const std::string& figure, double measured, double limit, const std::string& of = {});
  // Prints the table, numbers that are missing as '-', and keeps it for the JSON file under `key`.
  void add(const std::string& key, const std::string& title, const Table& table);
  void note(const std::string& line);
  void print_goals();
  void write_json(const std::string& path) const;

 private:
  struct Goal {
    std::string figure;
    double measured, limit;
  };
  struct Section {
    std::string key;
    Table table;
  };
  std::string folder_;
  std::vector<Goal> goals_;
  std::vector<Section> sections_;
  std::vector<std::string> notes_;
};

}  // namespace skyhook::bench
