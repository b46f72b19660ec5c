#include "skyhook/formalism/contacts.h"

#include "skyhook/formalism/recursive/equations.h"

namespace skyhook::formalism {

Gap gap_of(const Snapshot& s, int contact) {
  const recursive::Equations& eq = s.equations();
  return gap_of(eq.contact(contact), s.nodes);
}

double normal_force(const Snapshot& s, int contact, double multiplier) {
  const recursive::Equations& eq = s.equations();
  return normal_force(eq.contact(contact), s.nodes, multiplier);
}

}  // namespace skyhook::formalism
