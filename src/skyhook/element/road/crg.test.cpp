// References: a grid of heights made from a formula: exact at the nodes, of third order between them; circles by geometry; differences.
#include "skyhook/element/road/crg.h"

#include "skyhook/element/grid_relief.h"
#include "skyhook/element/road_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;
using doctest::Approx;

namespace {

using Border = model::RoadGrid::Border;

double wavy(double u, double v) { return 0.05 * std::sin(1.3 * u) * std::cos(0.9 * v) + 0.01 * u; }

model::RoadGrid grid(std::size_t rows, double step) {
  model::RoadGrid g;
  g.u_first = 2, g.u_step = step;
  g.v = {-1.5, -1.0, -0.4, 0.0, 0.5, 1.2, 1.5};
  for (std::size_t i = 0; i < rows; ++i) {
    for (const double v : g.v) g.z.push_back(wavy(2 + step * static_cast<double>(i), v));
  }
  return g;
}

GridRelief relief(const model::RoadGrid& g) { return GridRelief(std::make_shared<const model::RoadGrid>(g)); }

std::shared_ptr<const model::Surface> surface(const model::RoadGrid& g) {
  Crg c;
  c.file = std::make_shared<const model::RoadGrid>(g);
  return surface_of(c);
}

}  // namespace

TEST_CASE("A grid has its heights at the nodes, to the last bit") {
  const model::RoadGrid g = grid(40, 0.25);
  const GridRelief r = relief(g);
  for (std::size_t i = 0; i < g.rows(); ++i) {
    for (std::size_t j = 0; j < g.v.size(); ++j)
      CHECK(r.on_grid(2 + 0.25 * static_cast<double>(i), g.v[j]).value == g.at(i, j));
  }
}

TEST_CASE("Between the rows of a smooth road the error falls with the third power of the step") {
  const auto error = [](double step) {
    model::RoadGrid g = grid(static_cast<std::size_t>(10 / step), step);
    g.z.clear();
    for (std::size_t i = 0; i < static_cast<std::size_t>(10 / step); ++i) {
      for (std::size_t j = 0; j < g.v.size(); ++j) g.z.push_back(wavy(2 + step * static_cast<double>(i), 0));
    }
    const GridRelief r = relief(g);
    double worst = 0;
    for (double u = 4; u < 9; u += 0.013) worst = std::max(worst, std::abs(r.on_grid(u, 0.3).value - wavy(u, 0)));
    return worst;
  };
  CHECK(std::log2(error(0.2) / error(0.1)) == Approx(3).epsilon(0.15));
}

TEST_CASE("A grid has exact slopes and curvatures, straight or along a curve, and continuous slopes at its borders") {
  for (const Border border : {Border::none, Border::zero, Border::keep, Border::repeat, Border::reflect}) {
    model::RoadGrid g = grid(60, 0.25);
    g.border_u = g.border_v = border;
    g.x = 1, g.y = -2, g.heading = 0.4;
    // a kink of the curvature at a node, which differences may straddle, leaves half a step times its jump
    check_bends(*surface(g), {-5, 20, -5, 12}, 1e-7, 1e-4);
    for (std::size_t i = 1; i < g.rows(); ++i) g.headings.push_back(0.4 + 0.02 * static_cast<double>(i));
    check_bends(*surface(g), {-2, 13, -3, 9}, 1e-7, 1e-4);
  }
}

TEST_CASE("Beyond its borders a grid goes on as its mode says") {
  model::RoadGrid g = grid(21, 0.5);  // u from 2 to 12
  const double last = wavy(12, 0);
  const auto height = [&](double u, double v) { return relief(g).on_grid(u, v).value; };
  g.border_u = Border::keep;
  CHECK(height(20, 0) == Approx(last));
  g.border_u = Border::zero;
  CHECK(height(20, 0) == 0.0);
  g.border_u = Border::reflect;
  CHECK(height(13, 0) == Approx(wavy(11, 0)));
  CHECK(height(22.5, 0) == Approx(wavy(2.5, 0)));  // there and back
  g.border_u = Border::repeat;
  CHECK(height(12.5, 0) == Approx(wavy(2, 0)));  // the first row follows the last
  CHECK(height(1.5, 0) == Approx(last));
  g.border_v = Border::keep;
  CHECK(height(5, 40) == Approx(wavy(5, 1.5)));
  model::TableLooks looks;
  relief(g).look(0, 0, looks);
  CHECK(looks.at(0).beyond == model::Beyond::hold);
  g.border_u = Border::none;
  looks.clear();
  relief(g).look(0, 0, looks);
  CHECK(looks.at(0).beyond == model::Beyond::unsaid);
}

// Headings that grow evenly: the nodes lie on a circle of radius step / (2 sin(turn/2)).
TEST_CASE("Along a circle u is the way and v the distance to the left") {
  model::RoadGrid g = grid(101, 0.1);
  g.u_first = 0, g.heading = 0;
  const double turn = 0.01;
  for (int i = 0; i < 100; ++i) g.headings.push_back(turn * i);
  const ReferenceLine line(g);
  const double radius = 0.1 / (2 * std::sin(turn / 2));
  // its centre lies left of the first piece's middle
  const double cx = 0.05, cy = radius * std::cos(turn / 2);
  for (const double side : {-1.0, 0.0, 1.5}) {
    for (const double angle : {0.1, 0.43, 0.77}) {
      const auto at = line.place(cx + (radius - side) * std::sin(angle), cy - (radius - side) * std::cos(angle));
      CHECK(std::abs(at.v.value - side) < 2e-9);  // the cubics leave the circle by 1e-9 m between nodes
      CHECK(at.u.value == Approx(0.05 + angle * 0.1 / turn).epsilon(1e-4));
      CHECK(std::hypot(at.v.x, at.v.y) == Approx(1.0));
    }
  }
}

TEST_CASE("Headings that jump by a whole turn make no bend") {
  model::RoadGrid g = grid(10, 0.5), h = g;
  for (int i = 1; i < 10; ++i) g.headings.push_back(3.1 + 0.01 * i), h.headings.push_back(3.1 + 0.01 * i);
  for (std::size_t i = 4; i < 9; ++i) h.headings[i] -= 2 * 3.14159265358979323846;
  const auto a = ReferenceLine(g).place(-2, 0.4), b = ReferenceLine(h).place(-2, 0.4);
  CHECK(a.u.value == Approx(b.u.value));
  CHECK(a.v.value == Approx(b.v.value));
}
