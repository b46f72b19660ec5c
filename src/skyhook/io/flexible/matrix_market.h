// Matrices in the format of Matrix Market, with a table of nodes beside them.
#pragma once
#include "skyhook/flexible/fe_model.h"

namespace skyhook::io::fe {

// `%%MatrixMarket matrix coordinate real general|symmetric`, or array. Throws ModelError with the line.
flexible::Sparse read_matrix_market(std::string_view text, const std::string& file);

// A CSV table `node,x,y,z[,dofs]`, a row a node, in the order of the rows of the matrices; dofs 3 (default) or 6 a node.
void read_node_table(std::string_view text, const std::string& file, flexible::FeModel& part);

}  // namespace skyhook::io::fe
