// Steps under many constraints: ranks are found group by group (components.h), and the smallest step in the mass metric follows from
// one sparse factorisation.
#pragma once
#include <optional>
#include <vector>

#include "skyhook/formalism/linearised.h"
#include "skyhook/math/klu.h"

namespace skyhook::formalism {

// Coordinate j counts in units of 1/sqrt(M_jj), rows of lengths in units of the characteristic length.
struct RowRank {
  struct Group {
    std::vector<int> rows;         // of the constraints and of given values, in this order
    std::vector<int> independent;  // of these; given values come after all constraints
    double condition = 1;          // of the independent ones of the constraints
    int touching = 0;              // how many are more than zeros
    // Where all dependence is within these, of one biconnected component each, the independent rows were found in each by itself; else empty.
    std::vector<std::vector<int>> parts = {};
    bool is_full() const { return touching == static_cast<int>(independent.size()); }
  };
  std::vector<Group> groups;
  int count() const;  // of independent rows
};
// By pivoted QR within groups of up to `dense_rows`, by sparse QR (sparse_rank.h) in larger ones.
constexpr int dense_rows = 300;
// `firm`: so many of the given values count as constraints do, the others come after them.
RowRank rank_by_component(const Linearised& lin, const std::vector<int>& held = {}, int firm = 0);

// Conditions that pull, each as a spring of this stiffness.
struct SoftRows {
  int count = 0;
  std::vector<Conditions::RowEntry> entries = {};
  double stiffness = 1;
};

class ConstrainedSteps {
 public:
  // After lin.evaluate(). The coordinates `held` do not move.
  explicit ConstrainedSteps(const Linearised& lin, const std::vector<int>& held = {}, int firm = 0,
                            const SoftRows& soft = {});
  // The same where the rank is known.
  ConstrainedSteps(const Linearised& lin, const RowRank& rank, const std::vector<int>& held = {}, int firm = 0,
                   const SoftRows& soft = {});

  // The x with G x = b for which x^T M x / 2 - force^T x is least, the springs in M; NaN: there is none. Where that cannot be:
  // least squares of the constraints, then of given values, group by group. In groups of more than `dense_rows` rows those that depend on
  // others are left out instead.
  Vector nearest(const Vector& force, const Vector& b);

 private:
  // Rows of a group that depend on each other, as orthonormal rows that do not: (constraints, given values) = T (first, second).
  struct Reduced {
    std::vector<int> constraints, given;  // rows
    int at;                               // of the first of the new rows
    bool keeps_constraints =
        false;           // as they are, since they do not depend on each other: given values alone have new rows
    DenseMatrix across;  // T of given values by the first
    std::optional<LeastNorm> of_first, of_second;  // T of the constraints by the first, of given values by the second
    Vector right(const Vector& b) const;
  };
  struct Entry {
    int row, column;
    double value;
  };
  void add_group(const Linearised& lin, const RowRank::Group& group);
  void keep(const std::vector<int>& rows);
  void reduce(const Linearised& lin, const std::vector<int>& rows);
  void factor(const Linearised& lin, const SoftRows& soft);

  int nv_, constraints_, rows_ = 0;  // constraints_: rows that count as such
  std::vector<char> is_held_;
  std::vector<std::pair<int, int>> kept_;  // a row of G, and where it stands
  std::vector<Reduced> reduced_;
  std::vector<Entry> entries_;                                // of the rows that are used
  std::vector<std::vector<std::pair<int, double>>> rows_of_;  // G by rows, without columns that are held
  Csc matrix_;
  std::optional<Klu> lu_;
  bool ok_ = false;
};

}  // namespace skyhook::formalism
