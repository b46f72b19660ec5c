// How far a run is: simulated time, speed against real time, estimated time left; or how many there are of what is counted.
#pragma once
#include <functional>
#include <iosfwd>
#include <string>

namespace skyhook {

class Progress {
 public:
  enum class Style {
    line,   // a terminal: one line, rewritten at most five times a second
    lines,  // a file or pipe: a new line every 10 %, but none in the first second: short runs are silent
    quiet
  };
  using Clock = std::function<double()>;  // wall time in seconds, from any origin

  Progress(std::ostream& out, Style style, double t_start, double t_end, Clock clock = wall_clock());
  // Not of time: "3 of 12 points (25 %)". `most`: there may be fewer in the end, and nothing is said of the time left.
  struct Counted {
    std::string what;
    bool most = false;
  };
  Progress(std::ostream& out, Style style, double count, Counted counted, Clock clock = wall_clock());

  void update(double t);
  // Leaves the last state on the screen and ends the line. Nothing more is printed after it.
  void finish(double t);

  static Clock wall_clock();
  // `line` if standard error is a terminal.
  static Style style_of_stderr(bool quiet);

 private:
  void add_line(double t);
  double percent(double t) const;
  std::string describe(double t, double elapsed) const;

  std::ostream& out_;
  Style style_;
  double t_start_, t_end_;
  Counted counted_ = {};  // without a name: time
  Clock clock_;
  double begun_, last_shown_;
  int last_tenth_ = 0;
  std::size_t shown_width_ = 0;
};

// "4.2 s", "3:05 min", "2:03:05 h"
std::string format_duration(double seconds);

}  // namespace skyhook
