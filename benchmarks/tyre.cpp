// What tyres cost. One tyre with relaxation: the law evaluated, and with its derivatives to the twelve local variables and its two states, as the equations ask for them.
#include <array>
#include <cmath>
#include <fstream>

#include "model_point.h"
#include "skyhook/io/model_file/model_reader.h"
#include "skyhook/model/contribution.h"
#include "tables.h"
#include "timing.h"

namespace skyhook::bench {
namespace {

using model::Local;

constexpr const char* common =
    "from: ground, to: wheel, relaxation_x: 0.3, relaxation_y: 0.4, radius: 0.376, stiffness: 175 kN/m, damping: 50";

std::optional<std::string> from_disk(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

model::Model tyres() {
  const std::string text =
      std::string(
          "skyhook: 1\nbodies: {wheel: {mass: 20, inertia: [1, 1, 1], at: [0, 0, 0.355]}}\njoints: {f: {type: free, "
          "from: ground, to: wheel}}\nforces:\n") +
      "  linear: {type: tyre_linear, slip_stiffness: 60 kN, cornering_stiffness: 50 kN/rad, friction: 1, " + common +
      "}\n" + "  fiala: {type: tyre_fiala, slip_stiffness: 60 kN, cornering_stiffness: 50 kN/rad, friction: 1, " +
      common + "}\n" +
      "  tmeasy: {type: tyre_tmeasy, nominal_load: 3.5 kN, slope_x: [90 kN, 160 kN], peak_slip_x: [0.11, 0.12], "
      "peak_x: [3.3 kN, 6.5 kN], sliding_slip_x: [0.5, 0.8], "
      "sliding_x: [3.2 kN, 6 kN], slope_y: [70 kN, 100 kN], peak_slip_y: [0.18, 0.2], peak_y: [3.1 kN, 5.4 kN], "
      "sliding_slip_y: [0.6, 0.8], sliding_y: [3.1 kN, 5.3 kN], " +
      common + "}\n" +
      "  magic_formula: {type: tyre_magic_formula, from: ground, to: wheel, file: " SKYHOOK_MODELS
      "/road/tyres/185_80R14.tir}\n";
  return io::read_model_text(text, "tyres.yaml", {}, "", {.open = from_disk});
}

struct Wheel {
  model::Relative<double> motion{};
  model::Relative<Local> seeded{}, still{};
  std::array<double, 2> c{0.005, -0.004};
  std::array<Local, 2> c_still{}, c_seeded{};

  Wheel() {
    const double s = 0.03, k = std::sqrt(1 - s * s);
    motion.r = {0, 0, 0.355}, motion.R = {{1, 0, 0}, {0, k, -s}, {0, s, k}}, motion.v = {20, 0.3, 0.1},
    motion.w = {0.1, 55, 0.2};
    motion.set.mode = 1;
    for (model::Relative<Local>* m : {&seeded, &still}) {
      m->r = Vec3<Local>(motion.r), m->v = Vec3<Local>(motion.v), m->w = Vec3<Local>(motion.w),
      m->R = Mat3<Local>(motion.R);
      m->set = motion.set;
    }
    for (int i = 0; i < 3; ++i) {
      seeded.r[i].d[static_cast<std::size_t>(i)] = 1, seeded.v[i].d[static_cast<std::size_t>(6 + i)] = 1,
      seeded.w[i].d[static_cast<std::size_t>(9 + i)] = 1;
      for (int row = 0; row < 3; ++row) {
        Vec3d axis{};
        axis[i] = 1;
        for (int column = 0; column < 3; ++column)
          seeded.R[row][column].d[static_cast<std::size_t>(3 + i)] = cross(axis, motion.R.column(column))[row];
      }
    }
    for (std::size_t i = 0; i < 2; ++i)
      c_still[i] = Local(c[i]), c_seeded[i] = Local::variable(c[i], static_cast<int>(i));
  }
};

void one_tyre(Report& report) {
  const model::Model m = tyres();
  const Wheel wheel;
  std::array<double, 2> rates{};
  std::array<Local, 2> rates_local{};
  model::Wrench<double> out;
  model::Wrench<Local> out_local;
  std::vector<Call> calls;
  for (const model::Contribution& c : m.contributions) {
    const model::ContributionLaw* law = c.law.get();
    calls.emplace_back([&, law] { law->loads({wheel.motion, wheel.c, {}, {}}, {out, rates, {}}); });
    calls.emplace_back([&, law] {
      law->loads({wheel.seeded, wheel.c_still, {}, {}}, {out_local, rates_local, {}});
      law->loads({wheel.still, wheel.c_seeded, {}, {}}, {out_local, rates_local, {}});
    });
  }
  const std::vector<double> s = least_seconds(calls);
  Table table;
  table.add_column("tyre with relaxation"), table.add_column("evaluated", "ns", 3),
      table.add_column("with 14 derivatives", "ns", 4), table.add_column("ratio", "", 3);
  for (std::size_t k = 0; k < m.contributions.size(); ++k)
    table.add_row({m.contributions[k].name, 1e9 * s[2 * k], 1e9 * s[2 * k + 1], s[2 * k + 1] / s[2 * k]});
  report.add("tyre", "One tyre", table);
}

// Both matrices of the whole DAE, against one residual.
void whole_car(Report& report) {
  const std::vector<ModelChoice> cars{
      {"Iltis, Calspan's law", "road/iltis/iltis", "ramp_20", 0, true},
      {"small car, Magic Formula with relaxation", "road/small_car", "lane_change", 0, true}};
  Table table;
  table.add_column("car"), table.add_column("n, constraints"), table.add_column("residual", "us", 3),
      table.add_column("exact Jacobian", "us", 4), table.add_column("in residuals", "", 3);
  for (const ModelChoice& choice : cars) {
    ModelPoint point(choice);
    const std::vector<double> s = least_seconds({[&] { point.residual(); }, [&] { point.derivatives(); }});
    table.add_row({choice.title, point.size(), 1e6 * s[0], 1e6 * s[1], s[1] / s[0]});
  }
  report.add("tyre_cars", "Cars on tyres: the exact Jacobian in residuals", table);
}

}  // namespace

void tyre(Report& report) {
  one_tyre(report);
  whole_car(report);
}

}  // namespace skyhook::bench
