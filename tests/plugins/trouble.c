/* Everything that a plug-in must not do, from a given time on. */
#include <math.h>
#include <skyhook/plugin.h>
#include <stdio.h>
#include <stdlib.h>

enum { segfault = 1, stop, division, hang, not_a_number, retry, fail, recursion };

static const skyhook_parameter parameters[] = {
    {"what", "-", NAN, "1 segfault, 2 abort, 3 division, 4 hang, 5 NaN, 6 retry, 7 fail, 8 recursion", 1, 8},
    {"after", "s", 0, "when it begins", 0, 0},
    {0}};

int skyhook_plugin_version(void) { return SKYHOOK_PLUGIN_VERSION; }
const skyhook_parameter* skyhook_plugin_parameters(void) { return parameters; }

static int deeper(volatile int* last) {
  volatile int here[1000] = {*last};
  return *last == 1 ? 0 : deeper(here) + here[0];
}

int skyhook_plugin_evaluate(const void* instance, const skyhook_motion* m, skyhook_wrench* out, char* message) {
  const double* p = instance;
  volatile int zero = 0; /* volatile: a compiler must not see what is coming */
  if (m->t < p[1]) return SKYHOOK_OK;
  switch ((int)p[0]) {
    case segfault: *(volatile int*)(size_t)zero = 1; break;
    case stop: abort();
    case division: zero = 1000 / zero; break;
    case hang:
      while (!zero) {
      }
      break;
    case recursion: return deeper(&zero);
    case not_a_number: out->f[1] = NAN; break;
    case retry: snprintf(message, SKYHOOK_MESSAGE_SIZE, "no data beyond %g s", p[1]); return SKYHOOK_RETRY;
    case fail: snprintf(message, SKYHOOK_MESSAGE_SIZE, "the licence has expired"); return SKYHOOK_FAIL;
  }
  return SKYHOOK_OK;
}
