// Where a run has gone beyond the ends of tables, each with the farthest value.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "skyhook/base/warning.h"
#include "skyhook/model/tabulated.h"

namespace skyhook::simulation {

class TableExcursions {
 public:
  // Whose tables they are: a "force" of this name. Allocates only where one is left.
  void add(const char* noun, const std::string& name, const Location& where, const model::TableLooks& looks, double t);
  // One for each table that was left without its `beyond` saying that this is meant.
  std::vector<Warning> warnings() const;
  // Why the run must not go on: a table that says `refuse` was left. Empty: none was.
  const std::string& problem() const { return problem_; }

 private:
  struct Excursion {
    std::string owner;
    Location where;
    model::TableLook farthest;
    double t_first;
  };
  std::map<std::pair<std::string, std::string>, Excursion> left_;  // by owner and field
  std::string problem_;
};

// A prescribed motion whose table does not cover a run; throws ModelError where its `beyond` refuses that.
std::vector<Warning> motions_beyond_tables(const std::vector<model::TimeTable>& tables, double from, double until);

}  // namespace skyhook::simulation
