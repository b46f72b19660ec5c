// How the iteration matrix J = dF/dy + alpha dF/dy' of an implicit method comes about ([Arnold 2006] §3).
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skyhook {

struct JacobianStrategy {
  enum class Source {
    exact,      // from the problem
    dense,      // differences, column by column, [Arnold 2006] (16)
    grouped,    // differences, columns of a group at once, [Arnold 2006] (20), on the pattern of the problem
    estimated,  // the same on a pattern estimated from dense differences
  };
  // What becomes of J when alpha has changed and dF/dy hardly.
  enum class Update {
    none,         // evaluated anew
    partitioned,  // dF/dy is kept, dF/dy' renewed: [Arnold 2006] (24), (25)
    extended,     // as well dF/dy follows the excitations to first order: [Arnold 2006] (26)
  };
  Source source = Source::exact;
  Update update = Update::none;
  bool operator==(const JacobianStrategy&) const = default;
};

// "exact", "dense+partitioned", ...; "auto" is the fastest for the equations of this program: the exact one, which costs so few
// residuals that keeping dF/dy saves less than an accurate matrix does (`skyhook_bench jacobians`).
std::optional<JacobianStrategy> find_jacobian(std::string_view name);
const std::vector<std::string>& jacobian_names();
std::string name_of(const JacobianStrategy& strategy);

}  // namespace skyhook
