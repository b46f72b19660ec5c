// References: the numbers of the example run.
#include "skyhook/io/result/tables.h"

#include <doctest/doctest.h>

#include <limits>

#include "skyhook/io/result/example_run.testing.h"

using namespace skyhook;
using namespace skyhook::io;
using example::Numbers;
using example::TemporaryFile;

namespace {

double number(const Table& table, std::size_t row, std::size_t column) {
  return std::get<double>(table.at(row, column));
}
std::string text(const Table& table, std::size_t row, std::size_t column) {
  return std::get<std::string>(table.at(row, column));
}

}  // namespace

TEST_CASE("Channels are listed with unit and range") {
  const TemporaryFile file;
  example::write(file, 101);
  const Table table = channel_table(ResultFile::open(file));
  REQUIRE(table.rows() == 3);
  CHECK(text(table, 1, 0) == "strut.force");
  CHECK(text(table, 1, 1) == "N");
  CHECK(number(table, 1, 2) == 1000 * std::exp(-1.0));
  CHECK(number(table, 1, 3) == 1000);
}

TEST_CASE("A long series is thinned evenly with both ends; a short one is whole") {
  const TemporaryFile file;
  example::write(file, 1001);
  const ResultFile result = ResultFile::open(file);
  const Table thin = value_table(result, {"cubic"}, 20);
  REQUIRE(thin.rows() == 20);
  CHECK(thin.columns() == 2);
  CHECK(number(thin, 0, 0) == 0.0);
  CHECK(number(thin, 19, 0) == 1.0);
  for (std::size_t i = 1; i < 20; ++i)
    CHECK(number(thin, i, 0) - number(thin, i - 1, 0) == doctest::Approx(1.0 / 19).epsilon(0.03));
  CHECK(value_table(result, {"cubic"}, 0).rows() == 1001);
  CHECK(value_table(result, {}, 5000).rows() == 1001);
}

TEST_CASE("Values at a time are interpolated, and shown twice at an event") {
  const TemporaryFile file;
  {
    ResultWriter writer(file);
    writer.begin(example::info());
    for (const double t : {0.0, 0.5}) writer.sample(Numbers(t).sample());
    for (const double t : {0.5, 1.0}) writer.sample(Numbers(t, 0, 100).sample());
  }
  const Table table = value_table_at(ResultFile::open(file), {"strut.force", "cubic"}, {0.25, 0.5});
  REQUIRE(table.rows() == 3);
  CHECK(number(table, 0, 2) == doctest::Approx(Numbers(0.25).channels[2]));
  CHECK(number(table, 2, 1) - number(table, 1, 1) == doctest::Approx(100));
}

TEST_CASE("Cost tells the counters, and what limited the step") {
  const TemporaryFile file;
  example::write(file);
  const ResultFile result = ResultFile::open(file);
  const Table cost = cost_table(result);
  CHECK(text(cost, 0, 0) == "steps");
  CHECK(std::get<long>(cost.at(0, 1)) == 101);
  CHECK(cost.to_json().find("{\"cost\": \"factorisations\", \"value\": 77, \"unit\": \"\"}") != std::string::npos);
  CHECK(cost.to_json().find("{\"cost\": \"residuals without these\", \"value\": 349, ") !=
        std::string::npos);  // 404 - 55
  CHECK(cost.to_json().find("{\"cost\": \"Jacobian updates\", \"value\": 33, ") != std::string::npos);
  const Table limits = limit_table(result);
  REQUIRE(limits.rows() == 2);
  CHECK(text(limits, 0, 0) == "heave.z");
  CHECK(std::get<long>(limits.at(0, 2)) == 90);
  CHECK(number(limits, 0, 3) == doctest::Approx(100 * 90.0 / 101));
}

TEST_CASE("An unfinished run's limits are counted from its steps") {
  const TemporaryFile file;
  {
    ResultWriter writer(file);
    writer.begin(example::info());
    for (const int dominant : {1, 1, 0, -1, 99}) writer.step({0.1, 0.1, 2, dominant});
  }
  const Table limits = limit_table(ResultFile::open(file));
  REQUIRE(limits.rows() == 2);
  CHECK(text(limits, 0, 0) == "heave.vz");
  CHECK(std::get<long>(limits.at(0, 2)) == 2);
}

TEST_CASE("The run is told in one line, with the reason of a failure after it") {
  const TemporaryFile file;
  example::write(file);
  const std::string told = run_text(ResultFile::open(file));
  CHECK(told.starts_with(
      "half_car, experiment bump: ggl with ida at 1e-06, failed at t = 0.333333 s of 1 s, 11 samples"));
  CHECK(told.find("damper_fl") != std::string::npos);
  CHECK(run_table(ResultFile::open(file)).row_to_json(0).find("\"status\": \"failed\"") != std::string::npos);
}

TEST_CASE("Differences and events are tables") {
  const TemporaryFile a, b;
  example::write(a);
  example::write(b, 11, [](Numbers& n) { n.channels[2] += 1; });
  const Table table = difference_table(compare(ResultFile::open(a), ResultFile::open(b)), 1e-6, "-");
  CHECK(text(table, 0, 0) == "cubic");
  CHECK(text(table, 0, 6) == "differs");
  CHECK(text(table, 1, 6) == "same");
  CHECK(text(event_table(ResultFile::open(a).events()), 0, 1) == "touchdown");
  CHECK(text(event_table(ResultFile::open(a).events()), 0, 2) == "tyre");
  const simulation::EventRecord late{12.3456789012, "lift-off", "", "tyre", "switching"};
  CHECK(event_table({late}).to_text().find("12.3456789012") != std::string::npos);
}

TEST_CASE("A channel of one result only has no numbers: a dash in text, null in JSON") {
  Difference difference;
  difference.channels = {{.name = "x", .unit = "m"}};
  difference.only_in_a = {"y"}, difference.only_in_b = {"z"};
  const std::string shown = difference_table(difference, 1e-6, "-").to_text();
  CHECK(shown.find("nan") == std::string::npos);
  CHECK(shown.find("only in the first") != std::string::npos);
  CHECK(shown.find("only in the second") != std::string::npos);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(example::holds(difference_table(difference, 1e-6, nan).to_json(),
                       R"({"channel": "y", "unit": "", "largest": null, "scale": null, "scaled": null, "at": null, )"));
}
