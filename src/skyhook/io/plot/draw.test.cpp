#include "skyhook/io/plot/draw.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <regex>
#include <set>

#include "skyhook/base/error.h"
#include "skyhook/io/plot/terminal.h"
#include "skyhook/io/result/example_run.testing.h"

using namespace skyhook::io::plot;

namespace {

const double gap = std::nan("");

Figure one_curve(std::vector<double> x, std::vector<double> y) {
  Figure f;
  f.title = "test";
  f.panels.push_back({.x = {"x", "m"}, .y = {"y", "N"}, .curves = {{.label = "c", .x = x, .y = y}}});
  return f;
}

// The points of the path that is drawn for the curve with this label: those in its `d`.
std::string path_of(const std::string& svg, const std::string& label) {
  const std::size_t end = svg.find("<title>" + label + "</title></path>");
  if (end == std::string::npos) return "";
  const std::size_t begin = svg.rfind("d=\"", end) + 3;
  return svg.substr(begin, svg.find('"', begin) - begin);
}

std::vector<Point> points_of(const std::string& path) {
  std::vector<Point> out;
  static const std::regex pair("(-?[0-9.]+),(-?[0-9.]+)");
  for (std::sregex_iterator at(path.begin(), path.end(), pair), end; at != end; ++at)
    out.push_back({std::stod((*at)[1]), std::stod((*at)[2])});
  return out;
}

long count(const std::string& text, const std::string& part) {
  long n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

// Place of the label of a tick, by its text.
Point label_at(const std::string& svg, const std::string& label) {
  std::smatch m;
  REQUIRE(std::regex_search(svg, m, std::regex("<text x=\"([0-9.]+)\" y=\"([0-9.]+)\"[^>]*>" + label + "</text>")));
  return {std::stod(m[1]), std::stod(m[2])};
}

}  // namespace

TEST_CASE("Known points lie where their tick labels say") {
  Figure f = one_curve({100, 105, 110}, {0, 40, 20});
  const std::string svg = to_svg(f, {});
  const auto points = points_of(path_of(svg, "c"));
  REQUIRE(points.size() == 3);
  // x labels are centred below their place; y labels sit 0.35 of their size of 11 below it. SVG has two decimals.
  CHECK(points[0].x == doctest::Approx(label_at(svg, "100").x).epsilon(1e-4));
  CHECK(points[2].x == doctest::Approx(label_at(svg, "110").x).epsilon(1e-4));
  CHECK(points[1].y == doctest::Approx(label_at(svg, "40").y - 3.85).epsilon(1e-4));
  CHECK(points[2].y == doctest::Approx(label_at(svg, "20").y - 3.85).epsilon(1e-4));
  CHECK(points[1].x - points[0].x == doctest::Approx(points[2].x - points[1].x).epsilon(1e-4));

  f.panels[0].x.logarithmic = f.panels[0].y.logarithmic = true;
  f.panels[0].curves[0].x = {1, 10, 100}, f.panels[0].curves[0].y = {1e-6, 1e-4, 1e-2};
  const auto straight = points_of(path_of(to_svg(f, {}), "c"));  // y = 1e-6 x^2
  REQUIRE(straight.size() == 3);
  CHECK(straight[1].x == doctest::Approx((straight[0].x + straight[2].x) / 2).epsilon(1e-4));
  CHECK(straight[1].y == doctest::Approx((straight[0].y + straight[2].y) / 2).epsilon(1e-4));
}

TEST_CASE("Hostile names stay text") {
  Figure f = one_curve({0, 1}, {0, 1});
  f.title = "</title><script>alert(1)</script>";
  f.panels[0].curves[0].label = "a\"b'<&>\x1b[31m\n\xff\xc3";
  f.panels[0].events.push_back({0.5, "]]><x>"});
  f.panels[0].y.label = std::string(5000, 'W');
  const std::string svg = to_svg(f, {});
  CHECK(svg.find("<script") == std::string::npos);
  CHECK(svg.find("<x>") == std::string::npos);
  CHECK(svg.find('\x1b') == std::string::npos);
  CHECK(svg.find('\xff') == std::string::npos);
  CHECK(svg.find("&lt;&amp;&gt;") != std::string::npos);
  CHECK(svg.find("W…W") != std::string::npos);  // does not run out of the picture
  CHECK(to_png(f, {}).size() > 2000);
  CHECK(to_terminal(f, {}).find('\x1b') == std::string::npos);
}

TEST_CASE("A million samples give a small file and keep the peak") {
  std::vector<double> x(1000000), y(x.size());
  std::mt19937 random(1);
  for (std::size_t k = 0; k < x.size(); ++k)
    x[k] = static_cast<double>(k), y[k] = 1e-3 * static_cast<double>(random() % 1000);
  const std::size_t peak = 777777;
  y[peak] = 50, y[123] = -50;
  const std::string svg = to_svg(one_curve(x, y), {});
  CHECK(svg.size() < 100000);
  const auto points = points_of(path_of(svg, "c"));
  const auto [top, bottom] =
      std::minmax_element(points.begin(), points.end(), [](Point a, Point b) { return a.y < b.y; });
  const double width = points.back().x - points.front().x;
  CHECK(top->x == doctest::Approx(points.front().x + width * peak / 999999.0).epsilon(1e-3));
  CHECK(bottom->x < points.front().x + 1);
  // 100 of the range of 112 that a panel shows: both peaks are there.
  CHECK(bottom->y - top->y > 300);
}

TEST_CASE("A curve that goes around a thousand times is drawn about once") {
  std::vector<double> x, y;
  for (int k = 0; k < 300000; ++k) x.push_back(std::cos(0.02 * k)), y.push_back(std::sin(0.02 * k));
  const std::string svg = to_svg(one_curve(x, y), {});
  CHECK(svg.size() < 600000);
  const auto points = points_of(path_of(svg, "c"));
  CHECK(points.size() > 500);
}

TEST_CASE("Gaps split the path, lone points are dots, jumps are vertical") {
  const auto path = [](std::vector<double> x, std::vector<double> y) {
    return path_of(to_svg(one_curve(x, y), {}), "c");
  };
  CHECK(count(path({0, 1, 2, 3, 4}, {0, 1, gap, 1, 0}), "M") == 2);
  CHECK(count(path({0, 1, 2}, {0, 1, 2}), "M") == 1);
  CHECK(path({0}, {1}).empty());
  CHECK(count(to_svg(one_curve({0}, {1}), {}), "Z\"") == 2);  // the background and the dot
  CHECK(count(to_svg(one_curve({}, {}), {}), "Z\"") == 1);    // nothing but axes
  CHECK(count(to_svg(one_curve({gap}, {gap}), {}), "Z\"") == 1);
  const auto jump = points_of(path({0, 1, 1, 2}, {0, 0, 1, 1}));
  REQUIRE(jump.size() == 4);
  CHECK(jump[1].x == jump[2].x);
  CHECK(jump[1].y > jump[2].y + 50);
}

TEST_CASE("PNG is a picture of the asked size with colours in it") {
  Figure f = one_curve({0, 1, 2}, {0, 1, 0});
  const std::string png = to_png(f, {.width = 300, .height = 200, .scale = 2});
  CHECK(png.substr(0, 8) == "\x89PNG\r\n\x1a\n");
  const auto word = [&](std::size_t at) {
    return static_cast<unsigned char>(png[at]) * 256 + static_cast<unsigned char>(png[at + 1]);
  };
  CHECK(word(18) == 600);
  CHECK(word(22) == 400);
  const std::string none = to_png(one_curve({}, {}), {.width = 300, .height = 200, .scale = 2});
  CHECK(png.size() > none.size() + 1000);
  CHECK(to_png(f, {.width = 300, .height = 200, .scale = 2}) == png);
}

TEST_CASE("Files: the ending says what is written") {
  const skyhook::io::example::TemporaryFile svg(".svg"), gif(".gif");
  write_figure(one_curve({0, 1}, {0, 1}), {}, svg);
  CHECK(skyhook::io::example::slurp(svg).starts_with("<svg xmlns"));
  CHECK(skyhook::io::example::message_of([&] { write_figure({}, {}, gif); }).find(".svg or .png") != std::string::npos);
  CHECK(skyhook::io::example::message_of([&] {
          write_figure({}, {}, "no/such/folder/a.svg");
        }).find("cannot be written") != std::string::npos);
}

TEST_CASE("Many curves and panels keep to the paper") {
  Figure f;
  for (int p = 0; p < 4; ++p) {
    f.panels.push_back(one_curve({0, 1}, {0, 1e7}).panels[0]);
    for (int k = 0; k < 60; ++k)
      f.panels.back().curves.push_back(
          {.label = "a.rather.long.name_" + std::to_string(k), .x = {0, 1}, .y = {0, 1.0 * k}});
  }
  const std::string svg = to_svg(f, {});
  CHECK(svg.find("more</text>") != std::string::npos);
  static const std::regex place("<text x=\"([0-9.]+)\" y=\"([0-9.]+)\"");
  for (std::sregex_iterator at(svg.begin(), svg.end(), place), end; at != end; ++at) {
    CHECK(std::stod((*at)[1]) <= 900);
    CHECK(std::stod((*at)[2]) <= 500);
  }
}

TEST_CASE("A ramp in the terminal rises by a dot a dot") {
  Figure f;
  f.panels.push_back({.x = {.low = 0, .high = 1, .tight = true}, .y = {.low = 0, .high = 1, .tight = true}});
  f.panels[0].curves.push_back({.x = {0, 1}, .y = {0, 1}});
  const std::string text = to_terminal(f, {.columns = 15, .rows = 11});
  const std::vector<std::string> rows = [&] {
    std::vector<std::string> out{""};
    for (char c : text) c == '\n' ? out.emplace_back() : (out.back() += c, out.back());
    return out;
  }();
  // 10 x 5 cells: 20 x 20 dots, so the line is the diagonal. A cell holds the dots (0,1), (1,0) of its lower half or
  // of its upper half: U+2860 is dots 6 and 7, U+280A dots 2 and 4.
  REQUIRE(rows.size() >= 6);
  CHECK(rows[0] == "1.0 ┤        ⡠⠊");
}

TEST_CASE("In a terminal marks tell curves apart without colours") {
  Figure f = one_curve({0, 1}, {0, 1});
  Curve other{.label = "d", .x = {0, 1}, .y = {1, 0}};
  f.panels[0].curves[0].mark = Mark::circle, other.mark = Mark::square;
  f.panels[0].curves.push_back(other);
  const std::string text = to_terminal(f, {.columns = 40, .rows = 16});
  CHECK(text.find("━● c   ━■ d\n") != std::string::npos);
  CHECK(count(text, "●") == 3);  // two points and the legend
  CHECK(count(text, "■") == 3);
}

TEST_CASE("Eight marks differ, in a terminal and in a picture") {
  std::set<std::string> legends, pictures;
  for (const Mark mark : {Mark::circle, Mark::square, Mark::triangle, Mark::diamond, Mark::triangle_down, Mark::star,
                          Mark::triangle_left, Mark::triangle_right}) {
    Figure f = one_curve({0, 1}, {0, 1});
    f.panels[0].curves[0].mark = mark;
    legends.insert(to_terminal(f, {.columns = 40, .rows = 16}));
    pictures.insert(to_svg(f, {}));
  }
  CHECK(legends.size() == 8);
  CHECK(pictures.size() == 8);
}
