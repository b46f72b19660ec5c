// Reads a result file: finished, still being written, or left by a program that died.
#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "skyhook/base/wildcard.h"
#include "skyhook/io/result/interpolate.h"
#include "skyhook/simulation/run_state.h"
#include "skyhook/simulation/sink.h"

namespace skyhook::io {

// One quantity over time. Times are equal at both sides of an event.
struct Series {
  std::string name, unit;
  std::vector<double> time, values, rates;
  std::size_t unresolved = 0;  // samples whose rate is left out (math/unresolved_rates.h)
  // Hermite interpolation; t must lie in [time.front(), time.back()].
  double at(double t, Side side = Side::after) const;
};

// Numbers of all samples, a row a sample.
struct Block {
  std::size_t rows = 0, width = 0;
  std::vector<double> values;
  CSpan row(std::size_t i) const { return CSpan(values).subspan(i * width, width); }
};

// The series that have many numbers a sample.
enum class Wide { poses, reactions, forces, residuals };

// What a run can start from.
struct RestartState {
  double t = 0;
  std::vector<double> y, yp;
  std::vector<std::string> names;
};

struct OpenedResult;

class ResultFile {
 public:
  // ModelError if there is no such file, it is no Skyhook result, from a newer Skyhook, or cut off.
  static ResultFile open(const std::filesystem::path& path);
  ResultFile(ResultFile&&) noexcept;
  ResultFile& operator=(ResultFile&&) noexcept;
  ~ResultFile();

  const std::filesystem::path& path() const;
  const std::string& skyhook_version() const;
  const std::string& created() const;  // "2024-05-01T12:00:00Z"
  const simulation::RunInfo& info() const;
  const std::vector<simulation::ChannelInfo>& channels() const { return info().channels; }
  const std::vector<simulation::ChannelInfo>& states() const { return info().states; }

  std::size_t samples() const { return time().size(); }
  const std::vector<double>& time() const;
  std::vector<int> sides() const;  // -1 before an event, +1 after it, 0 elsewhere

  // A channel, a state or "time". ModelError with the nearest name if there is none.
  Series series(const std::string& name) const;
  // Channels that a list of names and patterns ("*", "?") means, each once. An empty list means all channels.
  std::vector<std::string> select(const std::vector<std::string>& patterns) const;
  std::vector<double> channel_values(std::size_t channel) const;  // by its place in channels()
  double value_at(const std::string& name, double t, Side side = Side::after) const;
  RestartState state_at(double t, Side side = Side::after) const;
  // What else a run has at a sample; absent beside an event, and in results of older Skyhooks.
  std::optional<simulation::RunState> run_state(std::size_t sample) const;

  Block state_values() const;
  Block state_rates() const;
  Block poses() const;      // 7 a body
  Block reactions() const;  // 6 a joint
  Block forces() const;     // 6 a force element; no columns in results of the first Skyhooks
  Block residuals() const;  // 2 a constraint row
  // Visits some samples (rising numbers) of a series that need not fit into memory.
  void for_each_row(Wide series, std::span<const std::uint32_t> rows,
                    const std::function<void(std::size_t row, CSpan values)>& visit) const;
  std::vector<simulation::StepRecord> steps() const;
  std::vector<simulation::EventRecord> events() const;
  // Status "running" until the writer has ended; t_reached is the last sample's then.
  simulation::RunSummary summary() const;

  // Looks again at a file that is being written: more samples may be there.
  void refresh();

 private:
  explicit ResultFile(std::unique_ptr<OpenedResult> file);
  std::unique_ptr<OpenedResult> file_;
};

}  // namespace skyhook::io
