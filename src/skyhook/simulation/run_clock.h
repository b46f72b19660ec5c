// Where the time of a run goes. Every moment belongs to exactly one part, so that the parts add up to the wall time.
#pragma once
#include <array>
#include <chrono>
#include <cstddef>

namespace skyhook::simulation {

enum class Part {
  set_up,       // reading, preparing, equilibrium, initial values, first accelerations
  integration,  // steps
  looking,      // at what vehicles meet ahead
  output,       // states at output times, accelerations, reactions, channels
  energy,       // work integrals and the balance
  events,       // looking for them, acting on them, going on behind them; whatever else the loop watches
  writing       // whatever the sink does
};
struct PartName {
  const char* text;
  const char* key;  // in files
};
inline constexpr std::array<PartName, 7> part_names = {{{"set-up", "set_up"},
                                                        {"integration", "integration"},
                                                        {"looking ahead", "looking"},
                                                        {"output", "output"},
                                                        {"energy books", "energy"},
                                                        {"events", "events"},
                                                        {"writing", "writing"}}};

struct PartSeconds {
  std::array<double, part_names.size()> seconds{};

  double& operator[](Part part) { return seconds[static_cast<std::size_t>(part)]; }
  double operator[](Part part) const { return seconds[static_cast<std::size_t>(part)]; }
  double sum() const;
};

class RunClock {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static Time now() { return std::chrono::steady_clock::now(); }

  // All time since then was set-up.
  explicit RunClock(Time begun) : since_(begun) {}

  // From now on time belongs to this part, until the turn ends: then to the one before.
  class Turn {
   public:
    Turn(RunClock& clock, Part part) : clock_(clock), before_(clock.pass_to(part)) {}
    ~Turn() { clock_.pass_to(before_); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    RunClock& clock_;
    Part before_;
  };
  [[nodiscard]] Turn turn_of(Part part) { return {*this, part}; }

  // While a run is held by others their time is not its own: it goes on counting for the life of this.
  class Going {
   public:
    explicit Going(RunClock& clock) : clock_(clock) { clock.since_ = now(); }
    ~Going() { clock_.count(); }
    Going(const Going&) = delete;
    Going& operator=(const Going&) = delete;

   private:
    RunClock& clock_;
  };

  const PartSeconds& count();  // up to now

 private:
  Part pass_to(Part part);  // answers whose turn it was

  Time since_;
  Part part_ = Part::set_up;
  PartSeconds spent_;
};

}  // namespace skyhook::simulation
