#include "skyhook/io/model_file/mirror.h"

#include <algorithm>
#include <cmath>

#include "skyhook/expression/lexer.h"
#include "skyhook/io/model_file/scalar.h"

namespace skyhook::io::model_file {
namespace {

double product(const Vec3d& s) { return s.x * s.y * s.z; }

// The innermost level that holds both what is written in `scope` and the thing named.
const Scope& common_level(const Scope& scope, const std::string& name) {
  const Scope* level = &scope;
  while (level->outer && !name.starts_with(level->prefix)) level = level->outer.get();
  return *level;
}

struct ScalarCoordinate {
  const model::Dof* dof;
  Mirror mirror;
};

ScalarCoordinate scalar_coordinate(const model::Joint& joint, std::size_t number) {
  static constexpr Mirror ball[] = {Mirror::yz, Mirror::xz, Mirror::xy};
  std::size_t first = 0;
  for (const model::Dof& dof : joint.shape.dofs) {
    const bool is_ball = dof.kind == model::Dof::Kind::ball;
    if (is_ball && number < first + 3) return {&dof, ball[number - first]};
    if (number == first) return {&dof, dof.mirror};
    first += is_ball ? 3 : 1;
  }
  return {&joint.shape.dofs.front(), Mirror::even};
}

// Of the coordinate of a joint that the mirror maps to itself.
std::optional<double> own_sign(const ScalarCoordinate& c, const Vec3d& signs) {
  if (signs == Vec3d{1, 1, 1}) return 1.0;
  if (c.dof->kind == model::Dof::Kind::ball) return sign_of(c.mirror, signs);
  if (c.dof->guide) return {};  // whether a curve is its own mirror image is not looked at
  std::optional<double> sign;
  for (int i = 0; i < 3; ++i) {
    if (std::abs(c.dof->axis[i]) < 1e-12) continue;
    if (sign && *sign != signs[i]) return {};
    sign = signs[i];
  }
  const bool is_axial = c.dof->kind == model::Dof::Kind::revolute;
  return sign.value_or(1.0) * (is_axial ? product(signs) : 1.0);
}

}  // namespace

double sign_of(Mirror bits, const Vec3d& signs) {
  const auto b = static_cast<unsigned>(bits);
  double sign = 1.0;
  for (int i = 0; i < 3; ++i) {
    if (b & (1u << i)) sign *= signs[i];
  }
  return sign;
}

Vec3d placed(const Vec3d& v, Mirror kind, const Placement& placement) {
  const Vec3d& s = placement.sign;
  switch (kind) {
    case Mirror::point: return times(s, v) + placement.move;
    case Mirror::polar: return times(s, v);
    case Mirror::axial: return product(s) * times(s, v);
    case Mirror::frame_x: return s.x * times(s, v);
    case Mirror::frame_y: return s.y * times(s, v);
    default: return v;
  }
}

std::string mirrored_formula(const std::string& text, double sign, const std::vector<std::string>& odd_variables) {
  if (!is_expression(text)) {
    if (sign > 0.0) return text;
    return text.starts_with("-") ? text.substr(1) : "-" + text;
  }
  const std::string body = text.substr(1);
  std::string result;
  std::size_t copied = 0;
  for (const expression::Token& token : expression::tokens_of(body, {})) {
    const bool is_part = token.begin > 0 && body[token.begin - 1] == '.';
    if (token.kind != expression::Token::Kind::identifier || is_part) continue;
    if (std::find(odd_variables.begin(), odd_variables.end(), token.text) == odd_variables.end()) continue;
    result += body.substr(copied, token.begin - copied) + "(-" + std::string(token.text) + ")";
    copied = token.end;
  }
  result += body.substr(copied);
  return sign < 0.0 ? "=-(" + result + ")" : "=" + result;
}

Vec3d signs_inside(const Scope& scope, const std::string& name) {
  return times(common_level(scope, name).placement.sign, scope.placement.sign);
}

// With P the signs of the level that holds both and S those of the joint: as written, the joint has the signs P S. What
// is left of the signs of `scope` changes only the element, not the joint. It may be a mirror even where `scope` is none
// in all: a mirror inside a mirror.
std::optional<double> coordinate_sign(const Reading& reading, const Scope& scope, int joint, std::size_t coordinate) {
  const model::Joint& j = reading.model.joints[static_cast<std::size_t>(joint)];
  const ScalarCoordinate c = scalar_coordinate(j, coordinate);
  const Vec3d& now = reading.joint_signs[static_cast<std::size_t>(joint)];
  const Vec3d written = times(common_level(scope, j.name).placement.sign, now);
  const auto own = own_sign(c, signs_inside(scope, j.name));
  if (!own) return {};
  return *own * sign_of(c.mirror, now) * sign_of(c.mirror, written);
}

}  // namespace skyhook::io::model_file
