/* What a plug-in must not do beside crashing: end the program, print between its words, close its files, tell no energy. */
#define _GNU_SOURCE
#include <err.h>
#include <math.h>
#include <skyhook/plugin.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { by_exit = 1, by_exit_at_once, by_err, printing, no_energy, closing, in_child, infinite_energy };

static const skyhook_parameter parameters[] = {{"what", "-", NAN, "see the source", 1, 8}, {0}};

int skyhook_plugin_version(void) { return SKYHOOK_PLUGIN_VERSION; }
const skyhook_parameter* skyhook_plugin_parameters(void) { return parameters; }

double skyhook_plugin_energy(const void* instance, const skyhook_motion* m) {
  const int what = (int)*(const double*)instance;
  return what == no_energy ? NAN : what == infinite_energy && m->t > 0.1 ? INFINITY : 0;
}

/* A child of its own may end as it likes. */
static int answer_of_child(void) {
  int status = -1;
  const pid_t child = fork();
  if (child == 0) exit(7);
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 7 ? SKYHOOK_OK : SKYHOOK_FAIL;
}

int skyhook_plugin_evaluate(const void* instance, const skyhook_motion* m, skyhook_wrench* out, char* message) {
  (void)out, (void)message;
  if (m->t < 0.1) return SKYHOOK_OK;
  switch ((int)*(const double*)instance) {
    case by_exit: exit(0);
    case by_exit_at_once: _exit(0);
    case by_err: errx(0, "I have had enough");
    case printing: printf("words of a plug-in\n"), (void)!write(1, "more words\n", 11); break;
    case closing:
      for (int file = 0; file < 20; ++file) close(file);
      break;
    case in_child: return answer_of_child();
  }
  return SKYHOOK_OK;
}
