// Sparse matrices in compressed columns. A Pattern is built once; a Csc is values on a Pattern.
#pragma once
#include <memory>
#include <span>
#include <vector>

namespace skyhook {

struct Pattern {
  int rows = 0, cols = 0;
  std::vector<int> start;  // cols + 1 entries
  std::vector<int> row;    // sorted within each column
  int nonzeros() const { return start.empty() ? 0 : start.back(); }
  // Position of (i, j) in the value array, -1 where the pattern has no entry.
  int find(int i, int j) const;
};

// Collects entries in any order, duplicates allowed.
class PatternBuilder {
 public:
  PatternBuilder(int rows, int cols) : rows_(rows), columns_(cols) {}
  void add(int i, int j) { columns_[j].push_back(i); }
  Pattern build() const;

 private:
  int rows_;
  std::vector<std::vector<int>> columns_;
};

struct Csc {
  std::shared_ptr<const Pattern> pattern;
  std::vector<double> value;
  Csc() = default;
  explicit Csc(std::shared_ptr<const Pattern> p) : pattern(std::move(p)), value(pattern->nonzeros()) {}
  double at(int i, int j) const {
    const int k = pattern->find(i, j);
    return k < 0 ? 0.0 : value[k];
  }
};

// y += s A x
void multiply_add(const Csc& a, std::span<const double> x, double s, std::span<double> y);

}  // namespace skyhook
