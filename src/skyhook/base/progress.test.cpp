// Reference: lines worked out by hand from a clock that the test sets.
#include "skyhook/base/progress.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

using namespace skyhook;

namespace {

struct Run {
  double now = 100.0;
  std::ostringstream out;
  Progress start(Progress::Style style) {
    return Progress(out, style, 0.0, 10.0, [this] { return now; });
  }
  std::string text() const { return out.str(); }
};

}  // namespace

TEST_CASE("A line tells simulated time, speed and time left") {
  Run run;
  Progress progress = run.start(Progress::Style::line);
  run.now += 2.0;
  progress.update(5.0);  // 5 s in 2 s: 2.5 times; 5 s are left: 2 s
  CHECK(run.text() == "\rt = 5 s of 10 s (50 %), 2.5 times real time, 2.0 s left");
}

TEST_CASE("A terminal's line is rewritten at most five times a second") {
  Run run;
  Progress progress = run.start(Progress::Style::line);
  for (int i = 1; i <= 1000; ++i) {
    run.now += 0.001;
    progress.update(0.01 * i);
  }
  const std::string text = run.text();
  CHECK(std::count(text.begin(), text.end(), '\r') == 5);
  CHECK(text.find('\n') == std::string::npos);
}

TEST_CASE("A shorter line leaves nothing of the longer one") {
  Run run;
  Progress progress = run.start(Progress::Style::line);
  run.now += 1.0;
  progress.update(0.003);
  const std::size_t longest = run.text().size() - 1;
  run.now += 1.0;
  progress.update(5.0);
  CHECK(run.text().size() == 2 * (longest + 1));
}

TEST_CASE("Elsewhere there is a line at each tenth, and the end once") {
  Run run;
  Progress progress = run.start(Progress::Style::lines);
  for (int i = 1; i <= 1000; ++i) {
    run.now += 0.02;  // the first tenth is reached after 2 s
    progress.update(0.01 * i);
  }
  progress.finish(10.0);
  const std::string text = run.text();
  CHECK(std::count(text.begin(), text.end(), '\n') == 10);
  CHECK(text.find('\r') == std::string::npos);
  CHECK(text.ends_with("t = 10 s of 10 s (100 %), 0.5 times real time\n"));
}

TEST_CASE("Elsewhere a run of less than a second is silent") {
  Run run;
  Progress progress = run.start(Progress::Style::lines);
  for (int i = 1; i <= 999; ++i) {
    run.now += 0.001;
    progress.update(0.01 * i);
  }
  progress.finish(10.0);
  CHECK(run.text().empty());
}

TEST_CASE("Elsewhere the tenths of the first second are not made up for later") {
  Run run;
  Progress progress = run.start(Progress::Style::lines);
  run.now += 0.75;
  progress.update(3.5);
  run.now += 0.5;
  progress.update(3.9);  // still in the tenth of the silent update
  CHECK(run.text().empty());
  progress.update(4.0);
  CHECK(run.text() == "t = 4 s of 10 s (40 %), 3.2 times real time, 1.9 s left\n");  // 4 s in 1.25 s, 6 s are left
}

TEST_CASE("A run that jumps over tenths prints one line for them") {
  Run run;
  Progress progress = run.start(Progress::Style::lines);
  run.now += 1.0;
  progress.update(0.5);
  progress.update(7.3);
  CHECK(run.text() == "t = 7.3 s of 10 s (73 %), 7.3 times real time, 0.4 s left\n");
}

TEST_CASE("A failed run shows where it ended") {
  Run run;
  Progress progress = run.start(Progress::Style::line);
  run.now += 1.0;
  progress.finish(1.234);
  CHECK(run.text().find("t = 1.234 s of 10 s (12 %)") != std::string::npos);
  CHECK(run.text().ends_with("\n"));
}

TEST_CASE("Quiet is quiet, and no update follows the end") {
  Run run;
  Progress progress = run.start(Progress::Style::quiet);
  progress.update(5.0);
  progress.finish(10.0);
  CHECK(run.text().empty());
}

TEST_CASE("A run of no length and a clock that stands still divide by nothing") {
  std::ostringstream out;
  Progress progress(out, Progress::Style::line, 1.0, 1.0, [] { return 0.0; });
  progress.finish(1.0);
  CHECK(out.str() == "\rt = 1 s of 1 s (100 %)\n");
}

TEST_CASE("What is counted has its name, and a time left only where it is known how many there are") {
  std::ostringstream points, cycles;
  double now = 0;
  Progress all(points, Progress::Style::line, 40, {"points"}, [&] { return now; });
  Progress some(cycles, Progress::Style::line, 40, {"cycles", true}, [&] { return now; });
  now = 2;
  all.update(10), some.update(10);  // 30 more at 5 a second: 6 s
  CHECK(points.str() == "\r10 of 40 points (25 %), 6.0 s left");
  CHECK(cycles.str() == "\r10 of at most 40 cycles");
}

TEST_CASE("Durations read like a clock") {
  CHECK(format_duration(4.21) == "4.2 s");
  CHECK(format_duration(59.97) == "1:00 min");
  CHECK(format_duration(185) == "3:05 min");
  CHECK(format_duration(7385) == "2:03:05 h");
}
