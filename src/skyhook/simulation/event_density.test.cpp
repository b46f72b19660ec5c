#include "skyhook/simulation/event_density.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace skyhook::simulation;

namespace {

// Dropped from rest, first impact at 1 s: t_k = 1 + 2 (e + ... + e^k), and they accumulate at (1 + e) / (1 - e).
std::vector<double> bounces(double e, int count) {
  std::vector<double> times{1.0};
  for (int k = 1; k < count; ++k) times.push_back(times.back() + 2 * std::pow(e, k));
  return times;
}

bool feed(Chattering& watch, const char* name, double from, double gap, int count) {
  bool found = false;
  for (int k = 0; k < count; ++k) found = watch.add(name, from + k * gap);
  return found;
}

}  // namespace

TEST_CASE("A bouncing ball accumulates where the geometric series ends") {
  for (const double e : {0.1, 0.5, 0.8, 0.95}) {
    CAPTURE(e);
    const double end = (1 + e) / (1 - e);
    Accumulation a;
    int k = 0;
    for (const double t : bounces(e, 12)) {
      a.add(t);
      const auto limit = a.limit();
      REQUIRE(limit.has_value() == (++k >= 6));
      // Rounding of the gaps, d_k / eps, is the error of the ratio; 1 / (1 - e)^2 amplifies it.
      if (limit) CHECK(*limit == doctest::Approx(end).epsilon(1e-14 / ((1 - e) * (1 - e))));
    }
    const double left = end - bounces(e, 12).back();
    CHECK(a.accumulates(1.001 * left + 1e-12));
    CHECK(!a.accumulates(0.999 * left - 1e-12));
  }
}

TEST_CASE("Errors of located events do not hide an accumulation") {
  Accumulation a;
  double sign = 1;
  for (const double t : bounces(0.7, 15)) a.add(t + 1e-5 * (sign = -sign));  // the last gap is 2 * 0.7^14 = 0.014
  REQUIRE(a.limit());
  CHECK(*a.limit() == doctest::Approx(1.7 / 0.3).epsilon(1e-3));
}

TEST_CASE("Neither an elastic ball nor steady or irregular impacts accumulate") {
  const auto limit = [](const std::vector<double>& times) {
    Accumulation a;
    for (const double t : times) a.add(t);
    return a.limit();
  };
  CHECK(!limit(bounces(1.0, 20)));
  CHECK(!limit({0, 1, 1.5, 1.75, 2.2, 2.3, 2.35}));   // a gap grows
  CHECK(!limit({0, 1, 1.9, 2.0, 2.09, 2.1, 2.109}));  // shrinking, but in no constant ratio
  CHECK(!limit({0, 1, 1, 1, 1, 1, 1}));               // at one time
  CHECK(!limit(bounces(0.5, 5)));
  Accumulation a;
  for (const double t : bounces(0.5, 10)) a.add(t);
  a.forget();
  CHECK(!a.limit());
}

TEST_CASE("Chattering is more than 40 events of a name within a ten-thousandth of the run") {
  const double window = 1e-4 * 2.0;
  Chattering slow(2.0), fast(2.0), few(2.0);
  CHECK(!feed(slow, "slip", 0.3, 1.01 * window / 40, 400));
  CHECK(feed(fast, "slip", 0.3, 0.99 * window / 40, 41));
  CHECK(!feed(few, "slip", 0.3, 0.0, 40));
  CHECK(few.add("slip", 0.3));
}

TEST_CASE("Long runs do not make a fast switching look like chattering") {
  Chattering watch(1e4);                           // a ten-thousandth is 1 s
  CHECK(!feed(watch, "squeal", 0.0, 1e-4, 1000));  // 10 kHz
  CHECK(feed(watch, "relay", 1.0, 1e-6, 41));
}

TEST_CASE("The message names both events of a pair, and when") {
  Chattering watch(10.0);
  bool found = false;
  watch.add("tyre landing", 1.0), watch.add("door", 2.5);
  for (int k = 0; !found && k < 1000; ++k) found = watch.add(k % 2 ? "slide sticks" : "slide slips", 2.5 + 1e-9 * k);
  REQUIRE(found);
  CHECK(watch.text().find("\"slide slips\" chatters: it has occurred 41 times between t = 2.5 s and t = 2.50000008 s, "
                          "in turn with \"slide sticks\"") != std::string::npos);
  CHECK(watch.text().find("hysteresis") != std::string::npos);
  watch.forget();
  CHECK(!watch.add("slide slips", 2.6));
}

TEST_CASE("What chatters is told with what its law says of it") {
  EventGuard guard(10.0);
  std::string reason;
  for (int k = 0; k < 41 && reason.empty(); ++k)
    reason = guard.add({"contact point jumps", {}, "coach.left", "switching", "Take `contact: quasi_elastic`."},
                       5.0 + 1e-7 * k);
  CHECK(reason.find("\"coach.left: contact point jumps\" chatters") != std::string::npos);
  CHECK(reason.ends_with("Take `contact: quasi_elastic`."));
}

// A ball of the user's own: v becomes e v at z = 0, so that times accumulate at t1 (1 + e)/(1 - e).
TEST_CASE("An event of the user that accumulates ends the run with its limit; one at regular times does not") {
  const double e = 0.5, t1 = 1;
  EventGuard guard(10), patient(10);
  std::string reason;
  double t = t1;
  for (int k = 1; k < 40 && reason.empty(); ++k) {
    reason = guard.add({"floor", {}, "floor", "user"}, t);
    t += 2 * t1 * std::pow(e, k);
  }
  CHECK(reason.find("\"floor\"") != std::string::npos);
  CHECK(reason.find("t = 3 s") != std::string::npos);
  for (int k = 0; k < 1000; ++k) CHECK(patient.add({"tick", {}, "tick", "user"}, 0.01 * k).empty());
}
