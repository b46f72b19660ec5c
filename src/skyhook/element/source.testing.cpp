#include "skyhook/element/source.testing.h"

#include <sstream>

namespace skyhook::element::test {

model::Model two_bodies() {
  model::Model m;
  m.bodies.resize(2);
  m.bodies[0].name = "a";
  m.bodies[0].at = {1, 2, 3};
  m.bodies[1].name = "b";
  m.bodies[1].at = {-1, 0, 2};
  return m;
}

model::Marker marker(int body, Vec3d at, Mat3d axes) {
  model::Marker m;
  m.body = body;
  m.at = at;
  m.axes = axes;
  return m;
}

expression::Expression formula(const std::string& text, const std::string& variables) {
  expression::Scope scope;
  std::istringstream words(variables);
  for (std::string word; words >> word;) {
    const std::size_t colon = word.find(':');
    scope.variables.push_back({word.substr(0, colon), parse_unit(word.substr(colon + 1)).dimension});
  }
  return expression::Expression::compile(text, scope, {});
}

model::Motion motion(const std::string& of_t) { return model::Motion(formula(of_t, "t:s")); }

model::Curve table(const std::vector<double>& x, const std::vector<double>& y) {
  return model::Curve(MonotoneCubic(x, y));
}

}  // namespace skyhook::element::test
