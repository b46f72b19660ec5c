// A compiled expression: instructions in postfix order on a small stack. One pass, no heap, no virtual call.
// Both branches of a choice are computed and one is taken, so that lanes may differ in their choice.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "skyhook/expression/scalar_functions.h"
#include "skyhook/expression/table.h"

namespace skyhook::expression {

// clang-format off
enum class Op : std::uint8_t {
  constant, variable,
  // one operand
  negate, logical_not, power_constant,
  sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, sqrt, exp, log, log10, abs, sign, floor, ceil, round, step,
  table,
  // two
  add, subtract, multiply, divide, power,
  less, less_equal, greater, greater_equal, equal, not_equal, logical_and, logical_or,
  atan2, minimum, maximum, hypot, modulo,
  // three
  select, clamp, ramp
};
// clang-format on

constexpr int operand_count(Op op) { return op <= Op::variable ? 0 : op <= Op::table ? 1 : op <= Op::modulo ? 2 : 3; }

struct Instruction {
  Op op;
  int variable = 0;    // its number, or that of the table
  double value = 0.0;  // of a constant, or the exponent of power_constant
};

constexpr int stack_size = 64;  // the compiler refuses what needs more

template <class T, class Mask>
T truth(const Mask& mask) {
  return select(mask, T(1.0), T(0.0));
}
template <class T>
auto is_true(const T& x) {
  return x != T(0.0);
}

template <class T>
T run(std::span<const Instruction> program, std::span<const T> variables, const Tables& tables) {
  using std::sin, std::cos, std::tan, std::atan, std::tanh, std::exp, std::log;
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
  // Not an array of T: its constructors would cost more than the run.
  alignas(T) std::byte storage[stack_size * sizeof(T)];
  T* next = reinterpret_cast<T*>(storage);
  const auto one = [&](auto f) { next[-1] = f(next[-1]); };
  const auto two = [&](auto f) { --next, next[-1] = f(next[-1], next[0]); };
  const auto three = [&](auto f) { next -= 2, next[-1] = f(next[-1], next[0], next[1]); };

  for (const Instruction& i : program) {
    switch (i.op) {
      case Op::constant: *next++ = T(i.value); break;
      case Op::variable: *next++ = variables[static_cast<std::size_t>(i.variable)]; break;

      case Op::negate: one([](const T& a) { return -a; }); break;
      case Op::logical_not: one([](const T& a) { return truth<T>(a == T(0.0)); }); break;
      case Op::power_constant: one([&](const T& a) { return expression::power(a, i.value); }); break;
      case Op::sin: one([](const T& a) { return sin(a); }); break;
      case Op::cos: one([](const T& a) { return cos(a); }); break;
      case Op::tan: one([](const T& a) { return tan(a); }); break;
      case Op::asin: one([](const T& a) { return arc_sine(a); }); break;
      case Op::acos: one([](const T& a) { return arc_cosine(a); }); break;
      case Op::atan: one([](const T& a) { return atan(a); }); break;
      case Op::sinh: one([](const T& a) { return sinh(a); }); break;
      case Op::cosh: one([](const T& a) { return cosh(a); }); break;
      case Op::tanh: one([](const T& a) { return tanh(a); }); break;
      case Op::sqrt: one([](const T& a) { return square_root(a); }); break;
      case Op::exp: one([](const T& a) { return exp(a); }); break;
      case Op::log: one([](const T& a) { return log(a); }); break;
      case Op::log10: one([](const T& a) { return log10(a); }); break;
      case Op::abs: one([](const T& a) { return absolute(a); }); break;
      case Op::sign: one([](const T& a) { return sign(a); }); break;
      case Op::floor: one([](const T& a) { return floor(a); }); break;
      case Op::ceil: one([](const T& a) { return ceil(a); }); break;
      case Op::round: one([](const T& a) { return round(a); }); break;
      case Op::step: one([](const T& a) { return step(a); }); break;
      case Op::table:
        one([&](const T& a) { return look_up(tables[static_cast<std::size_t>(i.variable)]->curve, a); });
        break;

      case Op::add: two([](const T& a, const T& b) { return a + b; }); break;
      case Op::subtract: two([](const T& a, const T& b) { return a - b; }); break;
      case Op::multiply: two([](const T& a, const T& b) { return a * b; }); break;
      case Op::divide: two([](const T& a, const T& b) { return a / b; }); break;
      case Op::power: two([](const T& a, const T& b) { return power_varying(a, b); }); break;
      case Op::less: two([](const T& a, const T& b) { return truth<T>(a < b); }); break;
      case Op::less_equal: two([](const T& a, const T& b) { return truth<T>(a <= b); }); break;
      case Op::greater: two([](const T& a, const T& b) { return truth<T>(a > b); }); break;
      case Op::greater_equal: two([](const T& a, const T& b) { return truth<T>(a >= b); }); break;
      case Op::equal: two([](const T& a, const T& b) { return truth<T>(a == b); }); break;
      case Op::not_equal: two([](const T& a, const T& b) { return truth<T>(a != b); }); break;
      case Op::logical_and: two([](const T& a, const T& b) { return truth<T>(both(is_true(a), is_true(b))); }); break;
      case Op::logical_or: two([](const T& a, const T& b) { return truth<T>(either(is_true(a), is_true(b))); }); break;
      case Op::atan2: two([](const T& a, const T& b) { return arc_tangent(a, b); }); break;
      case Op::minimum: two([](const T& a, const T& b) { return minimum(a, b); }); break;
      case Op::maximum: two([](const T& a, const T& b) { return maximum(a, b); }); break;
      case Op::hypot: two([](const T& a, const T& b) { return hypotenuse(a, b); }); break;
      case Op::modulo: two([](const T& a, const T& b) { return modulo(a, b); }); break;

      case Op::select: three([](const T& c, const T& a, const T& b) { return select(is_true(c), a, b); }); break;
      case Op::clamp: three([](const T& x, const T& a, const T& b) { return clamp(x, a, b); }); break;
      case Op::ramp: three([](const T& x, const T& a, const T& b) { return ramp(x, a, b); }); break;
    }
  }
  return next[-1];
}

}  // namespace skyhook::expression
