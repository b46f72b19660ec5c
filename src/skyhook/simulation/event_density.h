// Events that come too close together: chattering, and impacts that accumulate (Zeno). Both answer with a value; what to do
// is for the run loop to decide.
#pragma once
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skyhook::simulation {

// A line of the log, see EventRecord.
struct Happened {
  std::string name, detail, element, kind, chattering = {};  // the last: what to do where it happens without end
};

// One event, alone or in turn with another, that occurs `most` times within a window: the solution slides along a switching
// surface instead of crossing it, and each restart leads back to it.
class Chattering {
 public:
  struct Options {
    int most = 40;          // occurrences of one event
    double window = 1e-4;   // in lengths of the run,
    double longest = 1e-3;  // but never more than this [s]: 40 kHz is no motion of a vehicle
  };
  explicit Chattering(double span) : Chattering(span, Options{}) {}
  Chattering(double span, const Options& options);

  // Tells of an event, in the order of time. True: it chatters, see text().
  bool add(std::string_view name, double t);
  std::string text(const std::string& what_to_do = {}) const;
  void forget() { rings_.clear(); }  // where the loop goes on in another way

 private:
  struct Ring {
    std::vector<double> times;  // the last `most`
    std::size_t next = 0;       // the oldest
  };
  const std::string* partner(std::string_view name, double since) const;

  Options options_;
  double window_;
  std::map<std::string, Ring, std::less<>> rings_;
  std::string name_, partner_;
  double from_ = 0, to_ = 0;
};

// Times of one contact's closing with gaps that shrink geometrically, as those of a bouncing ball: t_k -> t_infinity.
class Accumulation {
 public:
  void add(double t);
  void forget() { count_ = 0; }
  // Where the times tend to; absent: they do not, or fewer than six are known. With the last gap d and the ratio r of the
  // last two, t + d r / (1 - r): Aitken's extrapolation, exact for a geometric sequence.
  std::optional<double> limit() const;
  // Do all further events lie within `resolution` of the last one?
  bool accumulates(double resolution) const;
  std::span<const double> times() const { return std::span(times_).first(static_cast<std::size_t>(count_)); }

  static constexpr int kept = 6;

 private:
  std::array<double, kept> times_{};  // oldest first
  int count_ = 0;
};

// Tells where events must end a run.
class EventGuard {
 public:
  explicit EventGuard(double span);
  // An event of the log, in the order of time. Why the run cannot go on; empty: it can.
  std::string add(const Happened& h, double t);

 private:
  Chattering any_, impacts_;  // impacts come to rest by themselves, however many there are
  std::map<std::string, Accumulation> rules_;
  double resolution_;
};

}  // namespace skyhook::simulation
