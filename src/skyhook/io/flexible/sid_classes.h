// The classes of a .SID_FEM as they are written: a part, a modal body, its nodes, and matrices that are Taylor series in the modal coordinates.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "skyhook/base/error.h"

namespace skyhook::io::fe {

// M(q) = m0 + sum_k m1_k q_k. Indices from 0; entries that are not written are zero.
struct SidMatrix {
  enum class Structure { zero, diagonal, symmetric, full, unit };
  Location where;
  int order = 0, rows = 0, columns = 0, modes = 0;
  Structure structure = Structure::full;
  bool is_laid_out = false;    // the sizes are known and stay
  std::vector<double> m0, m1;  // rows x columns; rows x modes x columns; m1 is empty in order 0

  double at(int i, int j) const { return m0[static_cast<std::size_t>(i * columns + j)]; }
  double at(int i, int k, int j) const {  // of m1, 0 where there is none
    return m1.empty() || k >= modes ? 0.0 : m1[static_cast<std::size_t>((i * modes + k) * columns + j)];
  }
};

struct SidNode {
  std::string name;
  Location where;
  std::map<std::string, SidMatrix> matrices;  // origin, phi, psi, AP
};

struct SidClasses {
  Location where;  // of the modal body
  double mass = 0;
  int modes = 0;
  std::vector<SidNode> nodes;
  std::map<std::string, SidMatrix> matrices;  // mdCM, J, Ct, Cr, Me, Gr, Ge, Oe, ksigma, Ke, De
};

SidClasses read_sid_classes(std::string_view text, const std::string& file);

}  // namespace skyhook::io::fe
