// A grid over parameters: what the command line says of it, its points, and a pool of threads that runs them. How one
// point is run is the caller's business, since reading models belongs to a later folder.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "skyhook/base/warning.h"
#include "skyhook/simulation/sink.h"

namespace skyhook::analysis {

// The values of one parameter.
struct SweepAxis {
  std::string name, unit;  // unit as written; may be empty
  std::vector<double> values;
  // As it would stand in a model file: "25 kN/m".
  std::string text(std::size_t k) const;
};

// "k=20..40:5", "k=20..40/9" (nine equal values), "k=20,30,50"; a unit behind the last number counts for all
// ("k=20..40:5 kN/m"), or each number has its own (not some of them). The end belongs to the range if a step hits it up to rounding.
// ModelError if it is malformed.
SweepAxis parse_sweep(const std::string& text);

// All combinations; the last axis changes fastest.
class Grid {
 public:
  static constexpr std::size_t most_points = 100000;
  // ModelError: more than most_points, or a parameter twice.
  explicit Grid(std::vector<SweepAxis> axes);
  const std::vector<SweepAxis>& axes() const { return axes_; }
  std::size_t size() const { return size_; }
  // Which value of each axis.
  std::vector<std::size_t> at(std::size_t point) const;
  // name, value as it would stand in a model file
  std::vector<std::pair<std::string, std::string>> settings(std::size_t point) const;

 private:
  std::vector<SweepAxis> axes_;
  std::size_t size_ = 1;
};

struct PointResult {
  simulation::RunStatus status = simulation::RunStatus::running;
  std::string reason = {};  // of a failure
  std::vector<double> measures;
  long steps = 0;
  double seconds = 0;
  std::vector<Warning> warnings = {};
};

struct PoolOptions {
  unsigned jobs = 0;                               // threads, at most 256; 0: all cores
  std::function<void(std::size_t done)> progress;  // called by one thread at a time
  std::function<bool()> should_stop;               // no further point is begun
};

// Runs every point; the answer is in grid order and does not depend on the number of threads. Points that were not
// begun or were interrupted are absent. An exception of `run` makes its point a failed one.
std::vector<std::optional<PointResult>> run_points(std::size_t count,
                                                   const std::function<PointResult(std::size_t)>& run,
                                                   const PoolOptions& options = {});

}  // namespace skyhook::analysis
