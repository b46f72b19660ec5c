// A sparse triangular matrix as triangular solves read it: neighbouring columns with like rows side by side, so that these rows are read and written once for all.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace skyhook {

// Columns are taken in turn, each with entries in rows of later turns only: those of L rise, those of U fall. A panel is one to four columns that follow each
// other. Its values are the triangle between its own rows, then its further rows in fours that begin at multiples of four, for each four one
// column after the other, with zeros where there is no entry: what one panel writes the next one reads in the same fours.
class TriangularPanels {
 public:
  enum class Turns { rising, falling };
  static constexpr int lanes = 4, widest = 4;

  // Rows of column j, rising: rows[begin[j] ... begin[j + 1]]. In the memory of the matrix before.
  void make(Turns turns, std::span<const int> begin, std::span<const int> rows);
  // Room for matrices of twice as many entries.
  void keep_room();

  // Length of the values, and where each entry of `rows` stands among them. All others are zeros.
  int size() const { return size_; }
  const std::vector<int>& places() const { return places_; }

  // x becomes T^-1 x, where the turns rise and ones stand on the diagonal, or where they fall and `inverse` holds the reciprocals of the diagonal.
  // x has room for `lanes` more.
  void solve(const double* values, double* x) const;
  void solve(const double* values, const double* inverse, double* x) const;

 private:
  struct Panel {
    int columns, fours;
  };
  template <int step>
  void solve(const double* values, const double* inverse, double* x) const;
  int column(int turn) const { return turns_ == Turns::rising ? turn : columns_ - 1 - turn; }
  int turn(int column) const { return turns_ == Turns::rising ? column : columns_ - 1 - column; }
  std::span<const int> rows_of(int at) const {
    const int j = column(at);
    return rows_.subspan(static_cast<std::size_t>(begin_[j]), static_cast<std::size_t>(begin_[j + 1] - begin_[j]));
  }
  int width_from(int first);
  void find_fours(int first, int width);
  void place(int first, int width);

  Turns turns_ = Turns::rising;
  int columns_ = 0, size_ = 0;
  std::vector<Panel> panels_;
  std::vector<int> fours_;  // their first rows, panel by panel
  std::vector<int> places_;
  // Only while the panels are made.
  std::span<const int> begin_, rows_;
  std::vector<int> found_, seen_,
      slot_;  // fours of a panel; of each four: when it was last found, and its place among these
  int looks_ = 0;
};

}  // namespace skyhook
