// References: times in whole microseconds, orders and values by hand.
#include "skyhook/simulation/sampler.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "skyhook/formalism/plane_linkage.testing.h"
#include "skyhook/simulation/controller_order.h"
#include "skyhook/simulation/prepare.h"

using namespace skyhook;
using namespace skyhook::simulation;

namespace {

// out = in + 1; writes down when it is called.
struct PlusOne : model::SampledLaw {
  explicit PlusOne(std::vector<double>* given = nullptr) : calls(given) {}
  void update(double t, std::span<const double> in, std::span<double>, std::span<double> out) const override {
    out[0] = (in.empty() ? 0 : in[0]) + 1;
    if (calls) calls->push_back(t);
  }
  std::vector<double>* calls;
};

// Says what it has read one sample ago.
struct OneBack : model::SampledLaw {
  explicit OneBack(double given) : first(given) {}
  std::vector<double> memory() const override { return {first}; }
  bool feeds_through() const override { return false; }
  void update(double, std::span<const double> in, std::span<double> memory, std::span<double> out) const override {
    out[0] = memory[0];
    memory[0] = in[0];
  }
  double first;
};

struct Count : model::SampledLaw {
  std::vector<double> memory() const override { return {0}; }
  bool feeds_through() const override { return false; }
  void update(double, std::span<const double>, std::span<double> memory, std::span<double> out) const override {
    out[0] = ++memory[0];
  }
};

struct Timing {
  double sample_time = 0.01, offset = 0, delay = 0;
};

class Rig {
 public:
  Rig() : linkage_(formalism::testing::four_bar().model), prepared_(prepare(linkage_, {})) {}

  void add(const std::string& name, std::shared_ptr<const model::SampledLaw> law, std::vector<std::string> inputs,
           Timing timing = {}, double start = 0) {
    model::Controller c{.name = name, .where = {"rig.yaml", 7 + static_cast<int>(model.controllers.size())}};
    c.sample_time = timing.sample_time, c.offset = timing.offset, c.delay = timing.delay;
    for (const std::string& input : inputs) c.inputs.push_back({"", input, c.where});
    c.first_signal = static_cast<int>(model.signals.size());
    c.law = std::move(law);
    model.controllers.push_back(c);
    model.signals.push_back({name, "-", start});
  }
  Sampler sampler(double t = 0) {
    held = model::held_at_start(model);
    evaluator = std::make_unique<Evaluator>(prepared_.active, prepared_.all);
    return {model, {Channel{"load", "N", [this](const Snapshot&, const Running&) { return load; }}}, t};
  }
  bool act(Sampler& sampler) { return sampler.act(sampler.next(), evaluator->now(), running, held); }
  double signal(const std::string& name) const {
    for (std::size_t i = 0; i < model.signals.size(); ++i) {
      if (model.signals[i].name == name) return held.signals[i];
    }
    return std::numeric_limits<double>::quiet_NaN();
  }

  model::Model model;
  model::Held held;
  double load = 5;
  Running running;
  std::unique_ptr<Evaluator> evaluator;

 private:
  std::shared_ptr<const model::Model> linkage_;
  Prepared prepared_;
};

std::string message_of(Rig& rig) {
  try {
    rig.sampler();
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

// A thousandth and three thousandths of a second cannot be written as binary fractions: products differ by rounding
// whenever they should be equal.
TEST_CASE("Two rates with a delay keep their times over a million samples, and meet when they should") {
  Rig rig;
  std::vector<double> fast, slow;
  rig.add("fast", std::make_shared<PlusOne>(&fast), {});
  rig.add("slow", std::make_shared<Count>(), {}, {0.003, 0.002, 0.0045});
  rig.model.controllers[0].sample_time = 0.001;
  Sampler sampler = rig.sampler();
  fast.reserve(1'000'001);
  long instants = 0;
  double worst = 0;
  for (; sampler.samples(0) < 1'000'000; ++instants) {
    const double t = sampler.next();
    rig.act(sampler);
    REQUIRE(sampler.next() > t + 0.0004);  // the nearest two instants are half a millisecond apart
    const double microseconds = std::round(t * 1e6 / 500) * 500;
    worst = std::max(worst, std::abs(t - microseconds / 1e6));
  }
  // In half milliseconds: fast at 2k, slow at 4 + 6k (all even), outputs of slow at 13 + 6k (all odd).
  const long last = 2 * 999'999;
  CHECK(instants == 1'000'000 + (last - 13) / 6 + 1);
  CHECK(sampler.samples(1) == (last - 4) / 6 + 1);
  CHECK(rig.signal("slow") == (last - 13) / 6 + 1);
  CHECK(worst < 1000 * std::numeric_limits<double>::epsilon());  // one unit of the last place, not a million
  for (long k : {1L, 1000L, 333'333L, 999'999L})
    CHECK(fast[static_cast<std::size_t>(k)] == doctest::Approx(k * 1e-3).epsilon(1e-15));
}

TEST_CASE("A sample at the start is taken, those before it are left out") {
  Rig rig;
  std::vector<double> calls;
  rig.add("a", std::make_shared<PlusOne>(&calls), {}, {0.1, 0.3});
  CHECK(rig.sampler().next() == 0.3);
  CHECK(rig.sampler(0.3).next() == 0.3);
  CHECK(rig.sampler(0.1 + 0.2).next() == 0.3);  // a rounding above
  CHECK(rig.sampler(0.31).next() == doctest::Approx(0.4));
  CHECK(rig.sampler(-7).next() == 0.3);
  CHECK(Sampler(model::Model{}, {}).next() == std::numeric_limits<double>::infinity());
}

TEST_CASE("Who is read is updated before its reader; channels and the value held before come in") {
  Rig rig;
  rig.add("last", std::make_shared<PlusOne>(), {"middle"});
  rig.add("middle", std::make_shared<PlusOne>(), {"first.output"});
  rig.add("first", std::make_shared<PlusOne>(), {"load"});
  CHECK(update_order(rig.model) == std::vector<int>{2, 1, 0});
  Sampler sampler = rig.sampler();
  CHECK(rig.act(sampler));
  CHECK(rig.held.signals == std::vector<double>{8, 7, 6});
  CHECK(!rig.act(sampler));  // nothing has changed
  rig.load = 6;
  CHECK(rig.act(sampler));
  CHECK(rig.held.signals == std::vector<double>{9, 8, 7});
}

TEST_CASE("A delay of one sample time is a delay by one sample, and longer ones keep several outputs on their way") {
  Rig rig;
  rig.add("count", std::make_shared<Count>(), {}, {0.1, 0, 0.1}, -1);
  rig.add("reader", std::make_shared<PlusOne>(), {"count"}, {0.1});
  rig.add("late", std::make_shared<Count>(), {}, {0.1, 0, 0.35}, -2);
  Sampler sampler = rig.sampler();
  std::vector<double> counts, readings, late;
  for (int k = 0; k < 12; ++k) {
    rig.act(sampler);
    counts.push_back(rig.signal("count")), readings.push_back(rig.signal("reader")), late.push_back(rig.signal("late"));
  }
  // instants 0, 1, 2, 3, 3.5, 4, 4.5, ... tenths
  CHECK(counts == std::vector<double>{-1, 1, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7});
  CHECK(readings == std::vector<double>{0, 2, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8});
  CHECK(late == std::vector<double>{-2, -2, -2, -2, 1, 1, 2, 2, 3, 3, 4, 4});
}

TEST_CASE("A circle of readings is named, unless a delay, a memory or different instants cut it") {
  Rig rig;
  rig.add("a", std::make_shared<PlusOne>(), {"load"});
  rig.add("b", std::make_shared<PlusOne>(),
          {
              "a",
          });
  rig.add("c", std::make_shared<PlusOne>(), {"b"});
  CHECK(message_of(rig) == "");
  rig.model.controllers[0].inputs[0].channel = "c";
  CHECK(message_of(rig).find("rig.yaml:7: controllers read each other in a circle: a -> b -> c -> a.") == 0);
  CHECK(message_of(rig).find("Give one of them a `delay`") != std::string::npos);
  rig.model.controllers[1].delay = 0.001;
  CHECK(message_of(rig) == "");
  rig.model.controllers[1].delay = 0;
  rig.model.controllers[1].offset = 0.005;
  CHECK(message_of(rig) == "");
  rig.model.controllers[1].sample_time = 0.005;  // now they meet
  CHECK(message_of(rig).find("a -> b -> c -> a") != std::string::npos);
  rig.model.controllers[1].law = std::make_shared<OneBack>(0);
  CHECK(message_of(rig) == "");
  rig.model.controllers[0].inputs[0].channel = "a";
  CHECK(message_of(rig).find("a -> a.") != std::string::npos);
}

// out_back = previous reading, out_plus = out_back + 1: 10, 11; 11, 12; ...
TEST_CASE("A law that does not feed through has its output there before and its input from after the others") {
  Rig rig;
  rig.add("back", std::make_shared<OneBack>(10), {"plus"});
  rig.add("plus", std::make_shared<PlusOne>(), {"back"});
  Sampler sampler = rig.sampler();
  for (double k = 0; k < 4; ++k) {
    rig.act(sampler);
    CHECK(rig.held.signals == std::vector<double>{10 + k, 11 + k});
  }
}

TEST_CASE("Grids meet where their offsets lie on the common one") {
  const auto grid = [](double sample_time, double offset) {
    model::Controller c;
    c.sample_time = sample_time, c.offset = offset;
    return c;
  };
  CHECK(can_meet(grid(0.01, 0), grid(0.01, 0.03)));
  CHECK(!can_meet(grid(0.01, 0), grid(0.01, 0.035)));
  CHECK(!can_meet(grid(0.02, 0), grid(0.01, 0.005)));
  CHECK(can_meet(grid(0.3, 0), grid(0.2, 0.1)));           // 0.3 = 0.1 + 0.2
  CHECK(!can_meet(grid(0.4, 0), grid(0.2, 0.1)));          // even and odd tenths
  CHECK(can_meet(grid(std::sqrt(2.0), 0), grid(1, 0.5)));  // no common grid: not excluded
}

TEST_CASE("An input that is nothing is reported with controller, line and near names") {
  Rig rig;
  rig.add("a", std::make_shared<PlusOne>(), {"load"});
  rig.add("b", std::make_shared<PlusOne>(), {"laod"});
  CHECK(message_of(rig).find(
            "rig.yaml:8: controller \"b\" reads \"laod\", which is neither a channel nor a controller.") == 0);
  CHECK(message_of(rig).find("Did you mean \"load\"?") != std::string::npos);
}

TEST_CASE("Switched off a controller falls silent, switched on it begins anew at its next time") {
  Rig rig;
  rig.add("count", std::make_shared<Count>(), {}, {0.1, 0, 0.05}, -3);
  Sampler sampler = rig.sampler();
  for (int k = 0; k < 5; ++k) rig.act(sampler);  // until 0.2: two outputs have arrived, one is on its way
  CHECK(rig.signal("count") == 2);
  CHECK(sampler.find("count") == 0);
  CHECK(sampler.find("other") == -1);
  const Sampler::State before = sampler.state();
  CHECK(sampler.switch_controller(0, false, 0.22, rig.held));
  CHECK(!sampler.switch_controller(0, false, 0.22, rig.held));
  CHECK(rig.signal("count") == -3);
  CHECK(sampler.next() == std::numeric_limits<double>::infinity());
  CHECK(!sampler.switch_controller(0, true, 1.0, rig.held));
  CHECK(sampler.next() == doctest::Approx(1.0));
  rig.act(sampler);
  CHECK(rig.signal("count") == -3);
  rig.act(sampler);
  CHECK(rig.signal("count") == 1);
  CHECK(sampler.samples(0) == 4);
  sampler.restore(before);
  CHECK(sampler.next() == doctest::Approx(0.25));
  rig.act(sampler);
  CHECK(rig.signal("count") == 3);
}

TEST_CASE("A controller that starts off waits, and reactions are asked for where they are read") {
  Rig rig;
  rig.add("a", std::make_shared<PlusOne>(), {"load"});
  rig.model.controllers[0].starts_on = false;
  Sampler sampler = rig.sampler();
  CHECK(sampler.next() == std::numeric_limits<double>::infinity());
  CHECK(!sampler.samples_at(0));
  CHECK(!sampler.reads_reactions());
  const auto value = [](const Snapshot&, const Running&) { return 0.0; };
  CHECK(Sampler(rig.model, {Channel{"load", "N", value, true}}).reads_reactions());
}
