// References: differences planted in copies of a run.
#include "skyhook/io/result/compare.h"

#include <doctest/doctest.h>

#include <limits>

#include "skyhook/base/error.h"
#include "skyhook/io/result/example_run.testing.h"

using namespace skyhook;
using namespace skyhook::io;
using example::Numbers;
using example::TemporaryFile;

namespace {

Difference compare_files(const TemporaryFile& a, const TemporaryFile& b,
                         const std::vector<std::string>& patterns = {}) {
  return compare(ResultFile::open(a), ResultFile::open(b), patterns);
}

}  // namespace

TEST_CASE("A result is the same as its copy") {
  const TemporaryFile a, b;
  example::write(a, 101);
  example::write(b, 101);
  const Difference difference = compare_files(a, b);
  CHECK(difference.same_times);
  CHECK(difference.same_range());
  CHECK(difference.within(0.0));
  CHECK(difference.channels.size() == 3);
}

TEST_CASE("A planted difference is found, sized and placed") {
  const TemporaryFile a, b;
  example::write(a, 101);
  example::write(b, 101, [](Numbers& n) {
    if (std::abs(n.t - 0.42) < 1e-9) n.channels[1] += 0.5;
  });
  const Difference difference = compare_files(a, b);
  CHECK(difference.channels[0].name == "strut.force");  // sorted by size
  CHECK(difference.channels[0].largest == doctest::Approx(0.5));
  CHECK(difference.channels[0].scaled == doctest::Approx(0.5 / 1000));  // the force starts at 1000 N
  CHECK(difference.channels[0].at == doctest::Approx(0.42));
  CHECK(difference.channels[1].largest == 0);
  CHECK(difference.within(1e-3));
  CHECK_FALSE(difference.within(1e-4));
}

namespace {

// Three channels of other names and units, with constant values.
void write_named(const TemporaryFile& file, const std::vector<simulation::ChannelInfo>& channels,
                 const std::vector<double>& values) {
  simulation::RunInfo info = example::info();
  info.channels = channels;
  ResultWriter writer(file);
  writer.begin(info);
  for (int i = 0; i < 11; ++i) {
    Numbers n(i / 10.0);
    n.channels = values, n.rates = {0, 0, 0};
    writer.sample(n.sample());
  }
  writer.end(example::summary());
}

}  // namespace

TEST_CASE("The size of a difference is judged by all channels of the element in that unit") {
  const TemporaryFile a, b;
  const std::vector<simulation::ChannelInfo> channels{{"hub.force_x", "N"}, {"hub.force_y", "N"}, {"hub.angle", "rad"}};
  write_named(a, channels, {-2000, 1e-13, 1e-3});
  write_named(b, channels, {-2000, -1e-13, 1e-3 + 1e-6});
  const Difference difference = compare_files(a, b);
  CHECK(difference.channels[0].name == "hub.angle");  // rad are not judged by newtons
  CHECK(difference.channels[0].scaled == doctest::Approx(1e-3));
  CHECK(difference.channels[1].name == "hub.force_y");
  CHECK(difference.channels[1].scaled == doctest::Approx(2e-13 / 2000));
  // Also where only the small component is compared.
  CHECK(compare_files(a, b, {"hub.force_y"}).within(1e-12));
}

TEST_CASE("Channels of other elements, and names without a dot, do not lend their size") {
  const TemporaryFile a, b;
  const std::vector<simulation::ChannelInfo> channels{{"pull", "N"}, {"push", "N"}, {"rod.force", "N"}};
  write_named(a, channels, {2000, 1, 1});
  write_named(b, channels, {2000, 1.5, 1.5});
  const Difference difference = compare_files(a, b);
  CHECK(difference.channels[0].scaled == doctest::Approx(0.5));
  CHECK(difference.channels[1].scaled == doctest::Approx(0.5));
}

// 1e-6 of the largest value in the unit, and of the unit itself.
TEST_CASE("What is zero but for noise is judged by other channels in its unit, and by the unit") {
  const TemporaryFile a, b;
  const std::vector<simulation::ChannelInfo> channels{{"car.roll", "rad"}, {"left.force", "N"}, {"right.force", "N"}};
  write_named(a, channels, {9e-18, 5e3, 1e-10});
  write_named(b, channels, {0, 5e3, -1e-10});
  const Difference difference = compare_files(a, b);
  CHECK(difference.channels[0].name == "right.force");
  CHECK(difference.channels[0].scale == 5e-3);
  CHECK(difference.channels[1].scale == 1e-6);
  CHECK(difference.channels[1].scaled == doctest::Approx(9e-12));
  CHECK(difference.within(1e-6));
  CHECK_FALSE(difference.within(0));
}

TEST_CASE("What is an error itself is compared only if listed") {
  const TemporaryFile a, b, c;
  const std::vector<simulation::ChannelInfo> channels{
      {"energy.balance", "J"}, {"constraints.position", "-"}, {"energy.kinetic", "J"}};
  write_named(a, channels, {1e-7, 1e-9, 5});
  write_named(b, channels, {4, 8e-9, 5});
  CHECK(compare_files(a, b).channels.size() == 1);
  CHECK(compare_files(a, b).within(0.0));
  CHECK_FALSE(compare_files(a, b, {"energy.balance"}).within(1e-6));
  CHECK_FALSE(compare_files(a, b, {"constraints.*"}).within(1e-6));
  CHECK(compare_files(a, b, {"*"}).channels.size() == 3);
  // Nothing compared is not the same as nothing found.
  write_named(c, {{"energy.balance", "J"}, {"constraints.position", "-"}, {"constraints.velocity", "-"}}, {1, 1, 1});
  CHECK(example::holds(example::message_of([&] { compare_files(c, c); }), "no channels to compare"));
}

TEST_CASE("Other sample times are compared by interpolation") {
  const TemporaryFile a, b;
  example::write(a, 101);
  example::write(b, 38);
  const Difference difference = compare_files(a, b);
  CHECK_FALSE(difference.same_times);
  CHECK(difference.within(1.5e-6));  // (3 h)^4 / 384 with h = 1/37, relative to 1: 1.1e-7, ends included
  CHECK_FALSE(difference.within(1e-9));
}

TEST_CASE("Both sides of an event are compared with their own side") {
  const TemporaryFile a, b;
  const auto write_jump = [](const TemporaryFile& file, int pieces) {
    ResultWriter writer(file);
    writer.begin(example::info());
    for (int i = 0; i <= pieces; ++i) writer.sample(Numbers(0.5 * i / pieces).sample());
    for (int i = 0; i <= pieces; ++i) writer.sample(Numbers(0.5 + 0.5 * i / pieces, 0, 100.0).sample());
    writer.end(example::summary());
  };
  write_jump(a, 20);
  write_jump(b, 30);
  CHECK(compare_files(a, b).within(1e-6));
}

// The force jumps by 100 N at 0.5 s in one run, and 1e-7 s later or earlier in the other, where its slope makes at most 1e-4 N of
// that; a plain sample may lie between the two. A jump that one of them has much later is a difference.
TEST_CASE("Events at slightly different times are compared side by side") {
  const auto write_jump = [](const TemporaryFile& file, double event) {
    ResultWriter writer(file);
    writer.begin(example::info());
    for (int i = 0; i < 1000; ++i) {
      const double t = i / 1000.0, next = (i + 1) / 1000.0;
      writer.sample(Numbers(t, 0, t > event ? 100.0 : 0.0).sample());
      if (t > event || next <= event) continue;
      writer.sample(Numbers(event, -1).sample());
      writer.sample(Numbers(event, 1, 100.0).sample());
    }
    writer.sample(Numbers(1, 0, 100.0).sample());
    writer.end(example::summary());
  };
  const TemporaryFile a, later, earlier, much_later;
  write_jump(a, 0.5003);
  write_jump(later, 0.5003 + 1e-7);
  write_jump(much_later, 0.5503);
  CHECK(compare_files(a, later).within(1e-6));
  CHECK(compare_files(later, a).within(1e-6));
  CHECK(compare_files(a, much_later).channels[0].largest == doctest::Approx(100).epsilon(0.01));
  const TemporaryFile on_sample, behind_sample;
  write_jump(on_sample, 0.5);
  write_jump(behind_sample, 0.5 + 1e-7);
  CHECK(compare_files(on_sample, behind_sample).within(1e-6));
  CHECK(compare_files(behind_sample, on_sample).within(1e-6));
}

TEST_CASE("A shorter run is not the same run") {
  const TemporaryFile a, b;
  example::write(a, 101);
  example::write(b, 51, [](Numbers& n) { n = Numbers(n.t / 2); });
  const Difference difference = compare_files(a, b);
  CHECK_FALSE(difference.same_range());
  CHECK(difference.to == 0.5);
  CHECK(difference.channels[0].scaled < 1e-12);
  CHECK_FALSE(difference.within(1.0));
  CHECK(difference.within(1.0, true));
}

TEST_CASE("Runs at different times cannot be compared") {
  const TemporaryFile a, b;
  example::write(a);
  example::write(b, 11, [](Numbers& n) { n = Numbers(n.t + 2); });
  CHECK_THROWS_AS(compare_files(a, b), ModelError);
}

TEST_CASE("Channels of one file only are listed, unless not asked for") {
  const TemporaryFile a, b;
  example::write(a);
  {
    simulation::RunInfo info = example::info();
    info.channels[2].name = "quartic";
    ResultWriter writer(b);
    writer.begin(info);
    for (int i = 0; i < 11; ++i) writer.sample(Numbers(i / 10.0).sample());
  }
  const Difference all = compare_files(a, b);
  CHECK(all.only_in_a == std::vector<std::string>{"cubic"});
  CHECK(all.only_in_b == std::vector<std::string>{"quartic"});
  CHECK_FALSE(all.within(1.0));
  CHECK(compare_files(a, b, {"*.*"}).within(0.0));
  CHECK_THROWS_AS(compare_files(a, b, {"nothing"}), ModelError);
}

TEST_CASE("NaN equals NaN and nothing else; another unit is another quantity") {
  const TemporaryFile a, b, c;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  example::write(a, 11, [=](Numbers& n) { n.channels[0] = nan; });
  example::write(b, 11);
  CHECK(compare_files(a, a).within(0.0));
  CHECK_FALSE(compare_files(a, b).within(1e300));
  simulation::RunInfo info = example::info();
  info.channels[0].unit = "mm";
  {
    ResultWriter writer(c);
    writer.begin(info);
    for (int i = 0; i < 11; ++i) writer.sample(Numbers(i / 10.0).sample());
  }
  CHECK_FALSE(compare_files(b, c).within(1e300));
}
