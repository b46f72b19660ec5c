// A sparse triangular matrix as triangular solves read it: four neighbouring columns side by side, so that their rows are read and written once for all.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace skyhook {

// Columns are taken in turn, each with entries in rows of later turns only: those of L rise, those of U fall. Columns and rows stand in fours that begin at
// multiples of four. A panel is a four of columns: the triangle among themselves, column after column, then the fours of rows in which they have entries,
// each as four columns, with zeros where there is no entry. So x is read and written in the same fours throughout: what was stored as a whole and is read
// as a whole comes without a detour through the cache.
class TriangularPanels {
 public:
  enum class Turns { rising, falling };
  static constexpr int lanes = 4;

  // Rows of column j, rising: rows[begin[j] ... begin[j + 1]]. In the memory of the matrix before.
  void make(Turns turns, std::span<const int> begin, std::span<const int> rows);
  // Room for matrices of twice as many entries.
  void keep_room();

  // Length of the values, and where each entry of `rows` stands among them. All others are zeros.
  int size() const { return size_; }
  const std::vector<int>& places() const { return places_; }

  // x becomes T^-1 x, where the turns rise and ones stand on the diagonal, or where they fall and `inverse` holds the reciprocals of the diagonal.
  // x has room up to a multiple of `lanes`, in which any numbers stand.
  void solve(const double* values, double* x) const;
  void solve(const double* values, const double* inverse, double* x) const;

 private:
  template <int step>
  void solve(const double* values, const double* inverse, double* x) const;
  int four_at(int turn) const { return turns_ == Turns::rising ? turn : (columns_ - 1) / lanes - turn; }
  int turn_in_four(int line) const { return turns_ == Turns::rising ? line % lanes : lanes - 1 - line % lanes; }
  std::span<const int> rows_of(int j) const {
    return rows_.subspan(static_cast<std::size_t>(begin_[j]), static_cast<std::size_t>(begin_[j + 1] - begin_[j]));
  }
  void find_fours(int own, int first, int end);
  void place(int own);

  Turns turns_ = Turns::rising;
  int columns_ = 0, size_ = 0;
  std::vector<int> counts_;  // of fours, by turn of the panel,
  std::vector<int> fours_;   // and the first rows of these, panel by panel
  std::vector<int> places_;
  // Only while the panels are made.
  std::span<const int> begin_, rows_;
  std::vector<int> found_, slot_;  // fours of a panel, and of each four: its place among these, or -1
};

}  // namespace skyhook
