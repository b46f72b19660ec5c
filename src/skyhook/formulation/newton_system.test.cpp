// Newton's systems of mechanisms, as the corrector meets them, by two routes: our elimination on a fixed list and KLU.
#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>

#include "skyhook/formalism/random_model.testing.h"
#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/formulation/ggl.h"
#include "skyhook/math/fixed_lu.h"
#include "skyhook/math/klu.h"

using namespace skyhook;
using formalism::recursive::Equations;
using formalism::testing::Random;

namespace {

// dF/dy + alpha dF/dy' of GGL of a random mechanism at a random point, columns of multipliers times alpha, rows divided by their largest entry.
class NewtonSystem {
 public:
  explicit NewtonSystem(unsigned seed)
      : model_(formalism::testing::random_model(seed, {.bodies = 8, .loops = 1, .rods = 1, .forces = 3, .inner = 1})),
        equations_(std::make_shared<Equations>(model_, formalism::choose_tree(*model_))),
        problem_(equations_),
        workspace_(problem_.workspace()),
        random_(seed),
        y_(problem_.structure().size()),
        yp_(y_),
        dF_dyp_(problem_.structure().pattern),
        J(problem_.structure().pattern) {
    for (double& x : y_) x = random_();
    for (double& x : yp_) x = random_();
  }

  void evaluate(double alpha) {
    REQUIRE(problem_.derivatives({0.37, y_, yp_}, J, dF_dyp_, *workspace_) == Eval::ok);
    const Pattern& p = *J.pattern;
    std::vector<double> largest(p.rows, 1e-300);
    for (int j = 0; j < p.cols; ++j) {
      const double scale = problem_.structure().y[j].index >= 2 ? alpha : 1.0;
      for (int k = p.start[j]; k < p.start[j + 1]; ++k) {
        J.value[k] = scale * (J.value[k] + alpha * dF_dyp_.value[k]);
        largest[p.row[k]] = std::max(largest[p.row[k]], std::abs(J.value[k]));
      }
    }
    for (int k = 0; k < p.nonzeros(); ++k) J.value[k] /= largest[p.row[k]];
  }
  // A little further, as between two steps.
  void move() {
    for (double& x : y_) x += 0.02 * random_();
  }
  std::vector<double> right_hand_side() {
    std::vector<double> b(y_.size());
    for (double& x : b) x = random_();
    return b;
  }
  double condition() const {
    Eigen::MatrixXd m = Eigen::MatrixXd::Zero(J.pattern->rows, J.pattern->cols);
    for (int j = 0; j < J.pattern->cols; ++j)
      for (int k = J.pattern->start[j]; k < J.pattern->start[j + 1]; ++k) m(J.pattern->row[k], j) = J.value[k];
    const auto s = m.jacobiSvd().singularValues();
    return s(0) / s(s.size() - 1);
  }

 private:
  std::shared_ptr<model::Model> model_;
  std::shared_ptr<Equations> equations_;
  formulation::Ggl problem_;
  std::unique_ptr<Workspace> workspace_;
  Random random_;
  std::vector<double> y_, yp_;
  Csc dF_dyp_;

 public:
  Csc J;
};

double largest(const std::vector<double>& x) {
  double most = 0;
  for (double v : x) most = std::max(most, std::abs(v));
  return most;
}

}  // namespace

// Two backward stable solutions differ by a multiple of epsilon times the condition.
TEST_CASE("the fixed list and KLU solve Newton's systems of random mechanisms alike, along steps and step sizes") {
  int regular = 0;
  long factorisations = 0, pivotings = 0;
  for (unsigned seed = 0; seed < 25; ++seed) {
    CAPTURE(seed);
    NewtonSystem system(seed);
    system.evaluate(100);
    if (system.condition() > 1e9) continue;  // constraints that repeat each other
    ++regular;
    FixedLu ours(system.J.pattern);
    Klu klu(system.J.pattern);
    for (const double alpha : {1e5, 3e4, 1e3, 200.0, 50.0, 10.0, 400.0}) {
      CAPTURE(alpha);
      system.evaluate(alpha);
      REQUIRE(ours.factor(system.J.value));
      REQUIRE(klu.factor(system.J.value));
      std::vector<double> a = system.right_hand_side(), b = a;
      ours.solve(a), klu.solve_refined(b);
      std::vector<double> difference = a;
      for (std::size_t i = 0; i < a.size(); ++i) difference[i] -= b[i];
      CHECK(largest(difference) < 1e-14 * std::max(system.condition(), 100.0) * largest(b));
      system.move(), ++factorisations;
    }
    pivotings += ours.pivotings();
  }
  CHECK(regular >= 10);
  CHECK(pivotings < factorisations / 2);  // the list is kept
}
