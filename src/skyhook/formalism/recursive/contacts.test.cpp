// Contacts and their rows. References: the matrices of Equations, differences in time.
#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/formalism/random_model.testing.h"
#include "skyhook/formalism/recursive/equations.h"

using namespace skyhook;
using formalism::SwitchRow;
using formalism::recursive::Equations;
using formalism::testing::Random;

namespace {

struct Moving {
  std::shared_ptr<model::Model> model;
  std::shared_ptr<Equations> eq;
  Equations::Workspace ws;
  std::vector<double> q, v, a;
  explicit Moving(unsigned seed)
      : model(formalism::testing::random_model(
            seed, {.bodies = 5, .loops = 1, .forces = 1, .couplers = 1, .drives = 1, .contacts = 6, .stick_slips = 2})),
        eq(formalism::testing::with_every_row(model)),
        ws(eq->workspace()),
        q(eq->nq()),
        v(eq->nv()),
        a(eq->nv()) {
    Random random(seed + 50);
    for (auto* x : {&q, &v, &a}) {
      for (double& e : *x) e = random();
    }
  }
};

}  // namespace

TEST_CASE("rows that switch come last, are off by default and have names") {
  const Moving m(1);
  const Equations plain(m.model, formalism::choose_tree(*m.model));
  const int all = static_cast<int>(plain.rows().size());
  REQUIRE(plain.switch_rows().size() == 8);
  CHECK(plain.ng() == all - 8);
  for (int k = 0; k < 8; ++k) CHECK(plain.switch_rows()[k].row == all - 8 + k);
  CHECK(plain.switch_rows()[0].what->holds(model::Row::Holds::pressed));
  CHECK(plain.switch_rows()[7].what->holds(model::Row::Holds::stuck));
  CHECK(plain.rows()[all - 8].name() == "contact0: contact");
  CHECK(plain.rows()[all - 1].name() == "stick1: sticks");
}

// A sphere's row is (r^2 - L^2) / (2 L) = gap (gap + 2 L) / (2 L).
TEST_CASE("gaps and rates of contacts are those of their rows, open or closed") {
  for (unsigned seed = 0; seed < 10; ++seed) {
    Moving m(seed);
    std::vector<double> g(m.eq->ng()), rate(m.eq->ng()), gap(6), gap_rate(6);
    m.eq->constraints(0.2, m.q, m.v, g, rate, m.ws);
    const Equations plain(m.model, formalism::choose_tree(*m.model));
    auto ws = plain.workspace();
    plain.contact_motion(0.2, m.q, m.v, gap, gap_rate, ws);
    for (int k = 0; k < 6; ++k) {
      const int row = m.eq->switch_rows()[k].row;
      const bool sphere = m.eq->contacts()[k]->row->kind == model::Row::Kind::distance;
      const double L = 0.7, factor = sphere ? (gap[k] + 2 * L) / (2 * L) : 1.0;
      CHECK(g[row] == doctest::Approx(gap[k] * factor).epsilon(1e-12));
      CHECK(rate[row] == doctest::Approx(gap_rate[k] * (sphere ? (gap[k] + L) / L : 1.0)).epsilon(1e-12));
    }
  }
}

// Of a sphere the row is that of (r^2 - L^2) / (2 L): |r| / L times the gradient of the gap.
TEST_CASE("a contact's row N is that of G; its acceleration is the rate of its rate") {
  for (unsigned seed = 0; seed < 10; ++seed) {
    Moving m(seed);
    std::vector<double> zero(m.eq->ng(), 0.0), opening(6), row(m.eq->nv()), gap(6), rate(6), before(6), after(6);
    const formalism::Input in{0.2, m.q, m.v, m.a, zero, zero};
    REQUIRE(m.eq->contact_accelerations(in, opening, m.ws) == Eval::ok);
    Csc mass(std::make_shared<const Pattern>(m.eq->mass_pattern()));
    Csc G(std::make_shared<const Pattern>(m.eq->constraint_pattern()));
    m.eq->matrices(0.2, m.q, {mass.value, G.value}, m.ws);
    m.eq->contact_motion(0.2, m.q, m.v, gap, rate, m.ws);
    const double h = 1e-5;
    const auto rate_at = [&](double s, std::vector<double>& out) {
      std::vector<double> q = m.q, v = m.v, step(m.v.size()), ignored(6);
      for (std::size_t i = 0; i < v.size(); ++i) step[i] = s * m.v[i] + 0.5 * s * s * m.a[i], v[i] += s * m.a[i];
      m.eq->plus(q, step);
      m.eq->contact_motion(0.2 + s, q, v, ignored, out, m.ws);
    };
    rate_at(h, after), rate_at(-h, before);
    for (int k = 0; k < 6; ++k) {
      CHECK(std::abs((after[k] - before[k]) / (2 * h) - opening[k]) < 1e-6 * (1 + std::abs(opening[k])));
      const bool sphere = m.eq->contacts()[k]->row->kind == model::Row::Kind::distance;
      const double factor = sphere ? (gap[k] + 0.7) / 0.7 : 1.0;
      m.eq->contact_row(k, 0.2, m.q, row, m.ws);
      for (int j = 0; j < m.eq->nv(); ++j)
        CHECK(std::abs(factor * row[j] - G.at(m.eq->switch_rows()[k].row, j)) < 1e-13);
    }
  }
}

TEST_CASE("a coordinate sticks where Held says") {
  Moving m(4);
  std::vector<double> g(m.eq->ng()), rate(m.eq->ng());
  m.eq->constraints(0, m.q, m.v, g, rate, m.ws);
  for (int k = 6; k < 8; ++k) {
    const model::Contribution& stick = *m.eq->switch_rows()[k].what;
    const auto& at = m.eq->tree().coordinates[stick.joint][stick.dof];
    CHECK(g[m.eq->switch_rows()[k].row] == doctest::Approx(m.q[at.iq] - 0.3).epsilon(1e-15));
    CHECK(rate[m.eq->switch_rows()[k].row] == m.v[at.iv]);
  }
}
