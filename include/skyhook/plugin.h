/* Force laws of your own in a shared library: the C interface of `type: plugin` (Skyhook), version 1.

   A plug-in is a force and a moment between two frames A (`from`) and B (`to`) of a model. Compile it to a shared library,

     cc -O2 -shared -fPIC -I <folder of skyhook/plugin.h> my_law.c -o my_law.so

   and name it in the model file:

     forces:
       strut: {type: plugin, library: my_law.so, from: car.top, to: wheel.hub, parameters: {stiffness: 20 kN/m}}

   A library must export skyhook_plugin_version and skyhook_plugin_evaluate; the other functions are optional. This header is
   plain C99 and can be used from C++; other languages export the same symbols with C calling convention.

   Threads. Several runs may go on in several threads, also with the same instance: evaluate and energy may be called at the
   same time and must not change anything but their outputs. create and destroy are called once for each instance; those of two
   instances may overlap.

   No memory. An integrator tries states, rejects some and goes back in time: an answer may depend on the motion and the
   parameters only, never on earlier calls. It must be smooth where that is possible: its derivatives are found by differences
   of about 1e-8 of the size of the variables, so that numbers rounded to single precision are too rough. */
#ifndef SKYHOOK_PLUGIN_H
#define SKYHOOK_PLUGIN_H

#define SKYHOOK_PLUGIN_VERSION 1

/* Bytes of the buffer behind each `char* message`, the final zero included. */
#define SKYHOOK_MESSAGE_SIZE 256

/* What the functions return. With anything but SKYHOOK_OK write into `message` why, in the user's words. */
enum {
  SKYHOOK_OK = 0,
  SKYHOOK_RETRY = 1, /* no answer for this motion, but perhaps for one nearby: a smaller step is tried */
  SKYHOOK_FAIL = 2   /* the run must end */
};

/* A number that the model file may give under `parameters`. Values arrive in SI units. */
typedef struct skyhook_parameter {
  const char* name; /* letters, digits and _; NULL ends the list */
  const char* unit; /* "N/m", "mm", "deg": its dimension is checked; NULL or "-": none */
  double value;     /* taken where the file gives none, in SI units; NAN: the file must give it */
  const char* help; /* a line for messages; may be NULL */
  double low, high; /* range that is allowed, in SI units, ends included; low >= high (both left out): any */
} skyhook_parameter;

/* The motion of frame B seen from frame A, all components in the axes of A. */
typedef struct skyhook_motion {
  double t;       /* s      time */
  double r[3];    /* m      from the origin of A to that of B */
  double R[3][3]; /*        rotation: R[i][j] is component i of axis j of B */
  double v[3];    /* m/s    dr/dt as an observer on A sees it */
  double w[3];    /* rad/s  angular velocity of B relative to A */
} skyhook_motion;

/* What B receives at its origin, in the axes of A. A receives the opposite. Both are zero when evaluate is called. */
typedef struct skyhook_wrench {
  double f[3]; /* N */
  double n[3]; /* N.m */
} skyhook_wrench;

#if defined(__GNUC__)
#define SKYHOOK_EXPORT __attribute__((visibility("default")))
#else
#define SKYHOOK_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Required. Returns SKYHOOK_PLUGIN_VERSION: for which version of this header the library was compiled. */
SKYHOOK_EXPORT int skyhook_plugin_version(void);

/* Optional. The parameters, ended by one without name. Without this function there are none. */
SKYHOOK_EXPORT const skyhook_parameter* skyhook_plugin_parameters(void);

/* Optional. Makes what one element needs, from the values of its parameters in the order of the list. Whatever is stored in
   *instance comes back in the calls below. Without this function `instance` is the array of the values itself. */
SKYHOOK_EXPORT int skyhook_plugin_create(const double* values, void** instance, char* message);

/* Optional. Called once for each instance that create has made. */
SKYHOOK_EXPORT void skyhook_plugin_destroy(void* instance);

/* Required. The law. No memory needs to be allocated here, and should not be. */
SKYHOOK_EXPORT int skyhook_plugin_evaluate(const void* instance, const skyhook_motion* motion, skyhook_wrench* wrench,
                                           char* message);

/* Optional. Stored energy in J, for the books of energy: what is taken out of it is not counted as loss. */
SKYHOOK_EXPORT double skyhook_plugin_energy(const void* instance, const skyhook_motion* motion);

#ifdef __cplusplus
}
#endif

#endif
