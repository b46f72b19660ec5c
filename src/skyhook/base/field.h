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
};

template <class Owner, class Member>
struct Field : FieldInfo {
  Member Owner::*member;
  constexpr Field required() const {
    Field f = *this;
    f.is_required = true;
    return f;
  }
  constexpr Field over(const char* names) const {
    Field f = *this;
    f.variables = names;
    return f;
  }
  constexpr Field one_of(const char* texts) const {
    Field f = *this;
    f.choices = texts;
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
