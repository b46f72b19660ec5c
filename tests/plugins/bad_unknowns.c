/* Everything that a plug-in can do wrong with unknowns of its own. */
#include <math.h>
#include <skyhook/plugin.h>
#include <stdio.h>

enum {
  good,
  no_equation,
  empty_equation,
  dependent,
  rate_unwritten,
  b_unwritten,
  rate_not_a_number,
  too_many,
  no_name,
  taken_name,
  twice,
  no_size,
  no_start,
  bad_unit,
  later_not_a_number,
  later_fail,
  singular_start
};

static const skyhook_parameter parameters[] = {{"what", "-", NAN, "see the source", 0, 16}, {0}};

int skyhook_plugin_version(void) { return SKYHOOK_PLUGIN_VERSION; }
const skyhook_parameter* skyhook_plugin_parameters(void) { return parameters; }

static int what_of(const void* instance) { return (int)*(const double*)instance; }

const skyhook_unknown* skyhook_plugin_states(const void* instance) {
  static const skyhook_unknown usual[] = {{"heat", "J", 1, 0}, {0}}, nameless[] = {{"a heat", "J", 1, 0}, {0}},
                               taken[] = {{"fx", "N", 1, 0}, {0}}, sizeless[] = {{"heat", "J", 0, 0}, {0}},
                               startless[] = {{"heat", "J", 1, NAN}, {0}}, unitless[] = {{"heat", "furlong", 1, 0}, {0}};
  static skyhook_unknown many[200];
  static char names[200][8];
  switch (what_of(instance)) {
    case no_name: return nameless;
    case taken_name: return taken;
    case no_size: return sizeless;
    case no_start: return startless;
    case bad_unit: return unitless;
    case too_many:
      for (int i = 0; i < 199; ++i) {
        snprintf(names[i], sizeof names[i], "x%d", i);
        many[i] = (skyhook_unknown){names[i], "-", 1, 0};
      }
      return many;
  }
  return usual;
}

const skyhook_unknown* skyhook_plugin_algebraic(const void* instance) {
  static const skyhook_unknown usual[] = {{"p", "Pa", 1e5, 1e5}, {"q", "m^3/s", 1e-3, 1e-3}, {0}},
                               again[] = {{"heat", "Pa", 1, 0}, {0}};
  return what_of(instance) == twice ? again : usual;
}

int skyhook_plugin_loads(const void* instance, const skyhook_motion* m, const double* c, const double* w,
                         skyhook_wrench* out, double* rates, double* b, char* message) {
  const int what = what_of(instance);
  const double p = w[0] / 1e5, q = w[1] / 1e-3;
  if (what != rate_unwritten) rates[0] = 1 - c[0];
  b[0] = p + q - 2 - m->r[0];
  if (what != b_unwritten) b[1] = p - q;
  if (what == no_equation) b[0] = p - 1, b[1] = p * p - 1;
  if (what == empty_equation) b[1] = m->r[0];
  if (what == dependent) b[1] = 2 * sin(b[0]);
  if (what == singular_start) b[1] = (q - 1) * (q - 1) - m->r[0];
  if (what == rate_not_a_number) rates[0] = NAN;
  if (what == later_not_a_number && m->t > 0.1) b[1] = NAN;
  if (what == later_fail && m->t > 0.1) {
    snprintf(message, SKYHOOK_MESSAGE_SIZE, "the valve is stuck");
    return SKYHOOK_FAIL;
  }
  out->f[0] = -p;
  return SKYHOOK_OK;
}
