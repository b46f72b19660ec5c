// What a wheel on a rail costs: each contact with each law of creep, the law evaluated and with its derivatives to the twelve local variables; and a wheelset at
// 40 m/s against real time.
#include <fmt/format.h>

#include <array>
#include <fstream>
#include <iterator>

#include "no_sink.h"
#include "skyhook/io/model_file/model_reader.h"
#include "skyhook/model/contribution.h"
#include "skyhook/model/local_conditions.h"
#include "skyhook/simulation/simulate.h"
#include "tables.h"
#include "timing.h"

namespace skyhook::bench {
namespace {

using model::Local;

constexpr std::array contacts{"hertz", "multi_hertz", "quasi_elastic", "rigid"};
constexpr std::array laws{"kalker", "she", "tanh", "polach", "fastsim_table", "fastsim"};

model::Model wheels() {
  std::string text = R"(skyhook: 1
tracks: {main: {rail: uic60, inclination: "1:40"}}
bodies: {wheelset: {mass: 1500, inertia: [800, 100, 800], at: [0, 0, 0.46]}}
joints: {f: {type: free, from: ground, to: wheelset}}
forces:
)";
  for (const char* contact : contacts) {
    for (const char* creep : laws)
      text += fmt::format(
          "  {0}_{1}: {{type: wheel_rail, track: main, to: wheelset, side: left, wheel: s1002, radius: 460 mm, "
          "contact: {0}, creep: {1}}}\n",
          contact, creep);
  }
  return io::read_model_text(text, "wheels.yaml", {}, "", {});
}

// Pressed by 60 um, 1.5 mm beside the middle, in partial slip.
struct Wheel {
  model::Relative<double> motion{};
  model::Relative<Local> seeded{};

  explicit Wheel(double shift = 1.5e-3) {
    motion.r = {0, shift, 0.46 - 147e-6}, motion.R = Mat3d::identity(), motion.v = {20, 0.02, 0},
    motion.w = {0, 20 / 0.4602, 0.01};
    seeded.r = Vec3<Local>(motion.r), seeded.v = Vec3<Local>(motion.v), seeded.w = Vec3<Local>(motion.w),
    seeded.R = Mat3<Local>(motion.R);
    for (int i = 0; i < 3; ++i) {
      const auto k = static_cast<std::size_t>(i);
      seeded.r[i].d[k] = 1, seeded.v[i].d[6 + k] = 1, seeded.w[i].d[9 + k] = 1;
      Vec3d axis{};
      axis[i] = 1;
      for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column)
          seeded.R[row][column].d[3 + k] = cross(axis, motion.R.column(column))[row];
      }
    }
  }
};

model::Pose<double> wheel_pose(const Wheel& w) { return {w.motion.r, w.motion.R, {}}; }

void one_wheel(Report& report) {
  const model::Model m = wheels();
  static const std::array<Wheel, 2> places{Wheel(1.5e-3),
                                           Wheel(1.501e-3)};  // by turns: laws may keep their last answer
  static int turn = 0;
  const Wheel& wheel = places[0];
  static const std::array<double, 1> pressing{-4e4};
  static const std::array<Local, 1> pressing_local{Local(-4e4)};
  static std::array<double, 4> s{};
  static std::array<Local, 4> s_local{};
  m.contributions.back().law->search({wheel.motion.r, wheel.motion.R}, std::span(s).first(1));
  s_local[0] = Local(s[0]);
  model::Wrench<double> out;
  model::Wrench<Local> out_local;
  std::vector<Call> calls;
  for (const model::Contribution& c : m.contributions) {
    const model::ContributionLaw* law = c.law.get();
    const std::size_t n = law->declared().contact_variables.size(), rows = law->declared().rows.size();
    calls.emplace_back([&, law, n, rows] {
      law->loads({places[++turn & 1].motion,
                  {},
                  {},
                  std::span<const double>(s).first(n),
                  {},
                  {},
                  std::span(pressing).first(rows)},
                 {out, {}, {}});
    });
    calls.emplace_back([&, law, n, rows] {
      law->loads({places[++turn & 1].seeded,
                  {},
                  {},
                  std::span<const Local>(s_local).first(n),
                  {},
                  {},
                  std::span(pressing_local).first(rows)},
                 {out_local, {}, {}});
    });
  }
  const std::vector<double> seconds = least_seconds(calls);
  Table table;
  table.add_column("creep");
  for (const char* contact : contacts)
    table.add_column(contact, "ns", 3), table.add_column(fmt::format("{} + 12 slopes", contact), "ns", 3);
  for (std::size_t j = 0; j < laws.size(); ++j) {
    std::vector<Cell> row{laws[j]};
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const std::size_t k = 2 * (i * laws.size() + j);
      row.emplace_back(1e9 * seconds[k]), row.emplace_back(1e9 * seconds[k + 1]);
    }
    table.add_row(std::move(row));
  }
  report.add("rail", "One wheel on its rail: loads, without the rows of constraints", table);
}

// Of contacts by constraint: g and G, and with the changes of G as Jacobians and accelerations need them.
void rows(Report& report) {
  const model::Model m = wheels();
  static const std::array<Wheel, 2> places{Wheel(1.5e-3), Wheel(1.501e-3)};
  static int turn = 0;
  std::vector<Call> calls;
  std::vector<std::string> names;
  static std::array<model::LocalConditions, 2> found;
  for (std::size_t i = 2; i < contacts.size(); ++i) {
    const model::ContributionLaw* law = m.contributions[i * laws.size()].law.get();
    model::LocalConditions& c = found[i - 2];
    find_contact(*law, wheel_pose(places[0]), {}, c);
    calls.emplace_back([law, &c] { evaluate_rows(*law, wheel_pose(places[++turn & 1]), c); });
    calls.emplace_back([law, &c] { evaluate_row_changes(*law, wheel_pose(places[++turn & 1]), c); });
    names.emplace_back(contacts[i]);
  }
  const std::vector<double> seconds = least_seconds(calls);
  Table table;
  table.add_column("contact"), table.add_column("g and G", "ns", 3), table.add_column("and changes of G", "ns", 3);
  for (std::size_t i = 0; i < names.size(); ++i)
    table.add_row({names[i], 1e9 * seconds[2 * i], 1e9 * seconds[2 * i + 1]});
  report.add("rail_rows", "One wheel on its rail: rows of constraints", table);
}

void wheelset(Report& report) {
  Table table;
  table.add_column("wheelset S1002 at 40 m/s, 10 s"), table.add_column("processor", "ms", 3),
      table.add_column("times real time", "", 3), table.add_column("steps", "", 4);
  for (const char* creep : {"fastsim", "fastsim_table", "polach"}) {
    std::ifstream in(SKYHOOK_MODELS "/rail/wheelset/s1002.yaml");
    std::string text(std::istreambuf_iterator<char>(in), {});
    for (std::size_t at = text.find("creep: fastsim"); at != std::string::npos;
         at = text.find("creep: fastsim", at + 10))
      text.replace(at, 14, fmt::format("creep: {}", creep));
    double least = 1e9, steps = 0;
    for (int k = 0; k < 5; ++k) {
      const double begin = processor_now();
      const auto model = std::make_shared<model::Model>(io::read_model_text(text, "s1002.yaml", {}, "run", {}));
      const model::Experiment experiment = model->experiments.front();
      NoSink sink;
      const auto summary =
          simulation::simulate(simulation::prepare(model, experiment), experiment, sink, {.all_reactions = false});
      least = std::min(least, processor_now() - begin), steps = static_cast<double>(summary.cost.steps);
    }
    table.add_row({creep, 1e3 * least, 10 / least, steps});
  }
  report.add("rail_wheelset", "A wheelset against real time: reading, preparing, samples and books included", table);
}

}  // namespace

void rail(Report& report) {
  one_wheel(report);
  rows(report);
  wheelset(report);
}

}  // namespace skyhook::bench
