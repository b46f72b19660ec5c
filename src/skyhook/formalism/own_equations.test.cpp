// Whether unknowns have their equations, of laws made for it. References: by hand.
#include "skyhook/formalism/own_equations.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>

#include "skyhook/formalism/plane_linkage.testing.h"
#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/model/contribution.h"

using namespace skyhook;

namespace {

using Equation = std::function<void(std::span<const double> w, std::span<double> b)>;

struct Own final : model::ContributionLaw {
  model::Declared declaration;
  Equation equation;
  double rate = 0;
  Own(std::vector<model::InnerState> algebraic, Equation given) : equation(std::move(given)) {
    declaration.has_loads = true;
    declaration.algebraic = std::move(algebraic);
    declaration.states = {{"c", "-"}};
  }
  const model::Declared& declared() const override { return declaration; }
  void loads(const model::LoadInput<double>& in, const model::LoadOutput<double>& out) const override {
    out.rates[0] = rate;
    equation(in.w, out.b);
  }
};

// What is told of a slider with this law, or "".
std::string told(Own law) {
  formalism::testing::Linkage l;
  const int body = l.rod("body", {0, 0, 0}, {1, 0, 0});
  l.slide("slide", model::ground, body, {0, 0, 0}, {1, 0, 0});
  model::Contribution own;
  own.name = "own", own.type = "law", own.where = {"test.yaml", 9, 3};
  own.from.body = model::ground, own.to.body = body;
  own.law = std::make_shared<const Own>(std::move(law));
  l.model->contributions.push_back(own);
  const formalism::recursive::Equations eq(l.model, formalism::choose_tree(*l.model));
  try {
    formalism::require_own_equations(eq, formalism::initial_guess(eq, 0));
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

const std::vector<model::InnerState> two{{"p", "Pa", 1e5, 1e5}, {"q", "m^3/s", 1e-3, 0}};

bool says(const std::string& text, const std::string& part) {
  return text.find("test.yaml:9:3: \"own\": " + part) != std::string::npos;
}

}  // namespace

TEST_CASE("Unknowns with an equation each are taken, whatever their units and sizes") {
  CHECK(told({two, [](auto w, auto b) { b[0] = w[0] * 1e-9 + w[1], b[1] = 1e6 * (w[0] - 1e8 * w[1]); }}) == "");
  CHECK(told({two, [](auto w, auto b) { b[0] = w[1], b[1] = w[0]; }}) == "");  // in another order
  // Curved, and only to one side of the start.
  CHECK(told({{{"x", "-", 1, 0}}, [](auto w, auto b) { b[0] = std::sqrt(w[0] + 1) + std::sqrt(w[0]); }}) == "");
}

TEST_CASE("Unknowns without an equation are named") {
  CHECK(says(told({two, [](auto w, auto b) { b[0] = w[0], b[1] = 2 * w[0]; }}),
             "no equation b contains its algebraic unknown \"q\" at the start."));
  CHECK(says(told({two, [](auto w, auto b) { b[0] = w[0] + w[1], b[1] = 3; }}),
             "its equation b number 2, of \"q\", contains no algebraic unknown at the start."));
  CHECK(says(told({two,
                   [](auto w, auto b) {
                     b[0] = w[0] / 1e5 + w[1] / 1e-3;
                     b[1] = std::exp(b[0]);
                   }}),
             "its equations b do not determine its algebraic unknown"));
  // Newton's method has no direction where b is level.
  CHECK(says(told({{{"x", "-", 1, 0}}, [](auto w, auto b) { b[0] = w[0] * w[0] - 1; }}),
             "no equation b contains its algebraic unknown \"x\" at the start."));
}

TEST_CASE("A rate or an equation that is no number is named") {
  Own law({{"x", "-", 1, 0}}, [](auto w, auto b) { b[0] = w[0]; });
  law.rate = std::nan("");
  CHECK(says(told(law), "the rate of its state \"c\" is not a number at the start."));
  CHECK(says(told({{{"x", "-", 1, 0}}, [](auto, auto) {}}),  // never written
             "the equation b of its unknown \"x\" is not a number at the start."));
}
