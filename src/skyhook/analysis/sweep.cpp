#include "skyhook/analysis/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

#include "skyhook/base/units.h"

namespace skyhook::analysis {
namespace {

// A number with the unit that was written behind it.
struct Written {
  double value = 0;
  std::string unit;
};

class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}

  SweepAxis parse() {
    const std::size_t equals = text_.find('=');
    if (equals == std::string::npos || trimmed(text_.substr(0, equals)).empty()) malformed("it has no NAME=");
    SweepAxis axis{.name = trimmed(text_.substr(0, equals))};
    const std::string values = trimmed(text_.substr(equals + 1));
    if (values.empty()) malformed("it has no values");
    values.find("..") == std::string::npos ? read_list(values, axis) : read_range(values, axis);
    return axis;
  }

 private:
  [[noreturn]] void malformed(const std::string& why) const {
    throw ModelError({"command line"}, "--sweep " + text_ + ": " + why + ".",
                     "For example --sweep k=20..40:5, --sweep k=20..40/9 (nine values), --sweep \"k=20,30,50 kN/m\".");
  }

  static std::string trimmed(const std::string& s) {
    const std::size_t first = s.find_first_not_of(" \t"), last = s.find_last_not_of(" \t");
    return first == std::string::npos ? "" : s.substr(first, last - first + 1);
  }

  Written read_written(const std::string& raw) const {
    const std::string s = trimmed(raw);
    std::size_t at = !s.empty() && (s[0] == '-' || s[0] == '+') ? 1 : 0;
    const std::optional<double> number = read_number(s, at);
    if (!number) malformed("\"" + s + "\" is no number");
    const std::string unit = trimmed(s.substr(at));
    if (!unit.empty()) parse_unit(unit, {"command line"});  // complains of what is none
    return {s[0] == '-' ? -*number : *number, unit};
  }

  // All in one unit: the first that is written. If it is the only one, bare numbers have it too; beside several, nobody
  // knows which a bare number means.
  void share_unit(std::vector<Written>& numbers, SweepAxis& axis) const {
    std::size_t units = 0;
    for (const Written& n : numbers) {
      if (axis.unit.empty()) axis.unit = n.unit;
      units += n.unit.empty() ? 0 : 1;
    }
    const Unit common = parse_unit(axis.unit);
    for (Written& n : numbers) {
      if (n.unit.empty() || n.unit == axis.unit) continue;
      const Unit own = parse_unit(n.unit);
      if (own.dimension != common.dimension) malformed(n.unit + " and " + axis.unit + " do not measure the same");
      n.value = own.to_si(n.value) / common.factor;
    }
    if (units > 1 && units < numbers.size())
      malformed("some numbers have a unit of their own and some have none: give one for all, or one after each");
  }

  void read_list(const std::string& values, SweepAxis& axis) const {
    std::vector<Written> numbers;
    for (std::size_t begin = 0; begin <= values.size();) {
      const std::size_t end = std::min(values.find(',', begin), values.size());
      numbers.push_back(read_written(values.substr(begin, end - begin)));
      begin = end + 1;
    }
    share_unit(numbers, axis);
    for (const Written& n : numbers) axis.values.push_back(n.value);
  }

  void read_range(const std::string& values, SweepAxis& axis) const {
    const std::size_t dots = values.find("..");
    std::string rest = values.substr(dots + 2);
    if (rest.starts_with('.')) malformed("\"...\" is ambiguous");
    if (const std::size_t colon = rest.find(':'); colon != std::string::npos) {
      std::vector<Written> n{read_written(values.substr(0, dots)), read_written(rest.substr(0, colon)),
                             read_written(rest.substr(colon + 1))};
      share_unit(n, axis);
      add_steps(n[0].value, n[1].value, n[2].value, axis);
      return;
    }
    const long count = take_count(rest);
    std::vector<Written> n{read_written(values.substr(0, dots)), read_written(rest)};
    share_unit(n, axis);
    for (long k = 0; k < count; ++k) {
      const double share = static_cast<double>(k) / static_cast<double>(count - 1);
      axis.values.push_back(rounded(n[0].value * (1 - share) + n[1].value * share));
    }
  }

  // "40/9 kN/m": takes the 9 out. A slash behind which no digit stands belongs to the unit.
  long take_count(std::string& rest) const {
    for (std::size_t slash = rest.find('/'); slash != std::string::npos; slash = rest.find('/', slash + 1)) {
      const std::size_t begin = rest.find_first_not_of(" \t", slash + 1);
      if (begin == std::string::npos || rest[begin] < '0' || rest[begin] > '9') continue;
      const std::size_t end = std::min(rest.find_first_not_of("0123456789", begin), rest.size());
      const long count = end - begin > 7 ? static_cast<long>(Grid::most_points) + 1 : std::atol(&rest[begin]);
      if (count < 2) malformed("a range has at least 2 values");
      refuse_too_many(static_cast<double>(count));
      rest = rest.substr(0, slash) + " " + rest.substr(end);
      return count;
    }
    malformed("a range needs a step (:5) or a number of values (/9)");
  }

  void refuse_too_many(double count) const {
    if (count > static_cast<double>(Grid::most_points))
      malformed(fmt::format("these are {:.0f} values, more than {}", count, Grid::most_points));
  }

  // What a person would write: 0.3 and not 0.30000000000000004.
  static double rounded(double value) { return std::strtod(fmt::format("{:.15g}", value).c_str(), nullptr); }

  void add_steps(double from, double to, double step, SweepAxis& axis) const {
    if (step == 0) malformed("the step is 0");
    const double steps = (to - from) / step;
    if (steps < 0) malformed(fmt::format("a step of {} leads away from {}; did you mean {}", step, to, -step));
    const double count = std::floor(steps + 1e-9 * std::max(1.0, steps)) + 1;
    refuse_too_many(count);
    for (double k = 0; k < count; ++k) axis.values.push_back(rounded(from + k * step));
  }

  const std::string& text_;
};

PointResult guarded(const std::function<PointResult(std::size_t)>& run, std::size_t point) {
  try {
    return run(point);
  } catch (const std::bad_alloc&) {
    return {simulation::RunStatus::failed, "There was not enough memory."};
  } catch (const std::exception& e) {
    return {simulation::RunStatus::failed, e.what()};
  }
}

std::size_t threads_for(unsigned jobs) {
  constexpr unsigned most = 256;  // more than cores are no gain, and each holds a model
  return std::min(jobs > 0 ? jobs : std::max(1u, std::thread::hardware_concurrency()), most);
}

// Beside the calling thread. Where the system gives no more of them, those that there are do the work.
void start_threads(std::size_t wanted, const std::function<void()>& work, std::vector<std::jthread>& pool) {
  try {
    for (std::size_t k = 1; k < wanted; ++k) pool.emplace_back(work);
  } catch (const std::system_error&) {}
}

}  // namespace

std::string SweepAxis::text(std::size_t k) const {
  return fmt::format("{}{}{}", values[k], unit.empty() ? "" : " ", unit);
}

SweepAxis parse_sweep(const std::string& text) { return Parser(text).parse(); }

Grid::Grid(std::vector<SweepAxis> axes) : axes_(std::move(axes)) {
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    for (std::size_t i = 0; i < k; ++i) {
      if (axes_[i].name == axes_[k].name)
        throw ModelError({"command line"}, "--sweep changes \"" + axes_[k].name + "\" twice.",
                         "List all its values in one --sweep.");
    }
    size_ *= axes_[k].values.size();
    if (size_ > most_points)
      throw ModelError({"command line"}, fmt::format("the sweep has more than {} points.", most_points),
                       "Take larger steps or sweep fewer parameters.");
  }
}

std::vector<std::size_t> Grid::at(std::size_t point) const {
  std::vector<std::size_t> out(axes_.size());
  for (std::size_t k = axes_.size(); k-- > 0;) {
    out[k] = point % axes_[k].values.size();
    point /= axes_[k].values.size();
  }
  return out;
}

std::vector<std::pair<std::string, std::string>> Grid::settings(std::size_t point) const {
  std::vector<std::pair<std::string, std::string>> out;
  const auto which = at(point);
  for (std::size_t k = 0; k < axes_.size(); ++k) out.emplace_back(axes_[k].name, axes_[k].text(which[k]));
  return out;
}

std::vector<std::optional<PointResult>> run_points(std::size_t count,
                                                   const std::function<PointResult(std::size_t)>& run,
                                                   const PoolOptions& options) {
  std::vector<std::optional<PointResult>> out(count);
  std::atomic<std::size_t> next = 0;
  std::mutex reporting;
  std::size_t done = 0;
  const auto work = [&] {
    while (!(options.should_stop && options.should_stop())) {
      const std::size_t point = next++;
      if (point >= count) return;
      PointResult result = guarded(run, point);
      if (result.status == simulation::RunStatus::interrupted) return;
      out[point] = std::move(result);  // each thread has elements of its own
      const std::lock_guard lock(reporting);
      ++done;
      if (options.progress) options.progress(done);
    }
  };
  std::vector<std::jthread> pool;
  start_threads(std::min(threads_for(options.jobs), count), work, pool);
  work();
  return pool.clear(), out;
}

}  // namespace skyhook::analysis
