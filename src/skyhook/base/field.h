// Hinge 2: an element says once which parameters it has. Reader, unit conversion, schema, manual and result
// metadata are all derived from these descriptions.
//
//   struct SpringDamper {
//     double stiffness = 0;
//     static constexpr auto fields = describe(
//         field(&SpringDamper::stiffness, "stiffness", "N/m", at_least(0.0), "linear rate"));
//   };
#pragma once
#include <limits>
#include <string>
#include <tuple>
#include <vector>

namespace skyhook {

struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_excluded = false;
  constexpr bool contains(double x) const { return (low_excluded ? x > low : x >= low) && x <= high; }
};
constexpr Range any() { return {}; }
constexpr Range at_least(double low) { return {.low = low}; }
constexpr Range positive() { return {.low = 0.0, .low_excluded = true}; }
constexpr Range between(double low, double high) { return {.low = low, .high = high}; }

// What becomes of a value where its thing is mirrored at coordinate planes, with signs s = (sx, sy, sz), det = sx sy sz.
enum class Mirror : unsigned char {
  // Numbers: times the product of the signs named. As bits, 1 stands for sx, 2 for sy and 4 for sz.
  even = 0,
  x = 1,
  y = 2,
  xy = 3,
  z = 4,
  xz = 5,
  yz = 6,
  xyz = 7,
  // Vectors: a point moves along with its instance, a rotation axis or moment turns the other way.
  point,  // s_i p_i + move_i
  polar,  // s_i v_i
  axial,  // det s_i v_i
  // Axes of a frame: sx times, sy times the polar vector, so that the frame stays right-handed.
  frame_x,
  frame_y,
  // Numbers and functions that belong to joint coordinates: with the sign of the one named last, or of all together.
  coordinate,
  coordinates,
  // Of a plane: its name, its normal, displacements along its two axes, the angle about its normal.
  plane_name,
  plane_normal,
  plane_1,
  plane_2,
  plane_angle
};

// What is said of a field apart from its C++ type. `unit` is the SI unit its number is stored in ("-": none).
// `variables` lists, for a field that holds a formula, the names it may use with their units: "t:s x:m v:m/s".
// `choices` lists, for a text, those it may be: "simulate equilibrium"; empty: any.
struct FieldInfo {
  const char* name;
  const char* unit;
  Range range;
  const char* help;
  bool is_required = false;
  const char* variables = "";
  const char* choices = "";
  bool is_checked_elsewhere = false;  // other choices: whoever reads the whole tells it better
  Mirror mirror = Mirror::even;
  const char* odd_variables = "";   // "x:x v:x": which signs the variables of a formula take; q: the coordinate's
  const char* other_stop = "";      // the field that it changes places with where its coordinate changes sign
  bool is_in_axes_of_from = false;  // what it means depends on the axes of `from`
};

template <class Owner, class Member>
struct Field : FieldInfo {
  Member Owner::*member;
  constexpr Field required() const {
    Field f = *this;
    f.is_required = true;
    return f;
  }
  constexpr Field over(const char* names, const char* odd_names = "") const {
    Field f = *this;
    f.variables = names;
    f.odd_variables = odd_names;
    return f;
  }
  constexpr Field mirrored(Mirror how) const {
    Field f = *this;
    f.mirror = how;
    return f;
  }
  constexpr Field with_other_stop(const char* field) const {
    Field f = *this;
    f.mirror = Mirror::coordinate;
    f.other_stop = field;
    return f;
  }
  constexpr Field in_axes_of_from() const {
    Field f = *this;
    f.is_in_axes_of_from = true;
    return f;
  }
  constexpr Field one_of(const char* texts) const {
    Field f = *this;
    f.choices = texts;
    return f;
  }
  constexpr Field checked_elsewhere() const {
    Field f = *this;
    f.is_checked_elsewhere = true;
    return f;
  }
};

template <class Owner, class Member>
constexpr Field<Owner, Member> field(Member Owner::*member, const char* name, const char* unit, Range range,
                                     const char* help) {
  return {{name, unit, range, help}, member};
}

template <class... Fields>
constexpr auto describe(Fields... fields) {
  return std::make_tuple(fields...);
}

// Calls visit(info, member reference) for each described field of `object`, in order.
template <class Description, class Object, class Visit>
constexpr void for_each_field(const Description& description, Object& object, Visit&& visit) {
  std::apply([&](const auto&... f) { (visit(static_cast<const FieldInfo&>(f), object.*(f.member)), ...); },
             description);
}

template <class Description>
std::vector<FieldInfo> infos_of(const Description& description) {
  return std::apply([](const auto&... f) { return std::vector<FieldInfo>{static_cast<const FieldInfo&>(f)...}; },
                    description);
}

// The items of a list that a description holds as one text: "t:s x:m", "simulate equilibrium".
std::vector<std::string> words_of(const char* list);

}  // namespace skyhook
