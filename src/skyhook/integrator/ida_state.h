// What `ida` keeps, and its owners of SUNDIALS' objects. For ida.cpp and ida_failure.cpp only: no SUNDIALS type leaves them.
#pragma once
#include <ida/ida.h>
#include <nvector/nvector_serial.h>

#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <string>

#include "skyhook/corrector/differences.h"
#include "skyhook/integrator/ida.h"
#include "skyhook/integrator/ida_start.h"
#include "skyhook/math/klu.h"

namespace skyhook::integrator {

struct Free {
  void operator()(SUNContext c) const { SUNContext_Free(&c); }
  void operator()(N_Vector v) const { N_VDestroy(v); }
  void operator()(SUNMatrix m) const { SUNMatFreeEmpty(m); }
  void operator()(SUNLinearSolver s) const { SUNLinSolFreeEmpty(s); }
};
struct FreeIda {
  void operator()(void* memory) const { IDAFree(&memory); }
};
template <class Pointer>
using Owned = std::unique_ptr<std::remove_pointer_t<Pointer>, Free>;

template <class T>
T* required(T* pointer) {
  if (!pointer) throw std::bad_alloc();
  return pointer;
}

inline Owned<SUNContext> new_context() {
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  return Owned<SUNContext>(required(context));
}

inline Span values(const Owned<N_Vector>& v) {
  return {N_VGetArrayPointer(v.get()), std::size_t(N_VGetLength(v.get()))};
}

struct Ida::State {
  State(const DaeProblem& problem, Options options, double t, CSpan y, CSpan yp);
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  StepResult step(double t_limit);
  void restart(Jump jump, double at, CSpan y_at, CSpan yp_at);
  void interpolate(double at, Span y_at, Span yp_at) const;

  // what IDA calls back
  int residual(double at, CSpan y_at, CSpan yp_at, Span F);
  int jacobian(double at, double alpha, CSpan y_at, CSpan yp_at, CSpan F);
  int weights(CSpan y_at, Span w) const;
  int factor();
  template <class Function>
  int guarded(Function&& function);

  void create_ida();
  void create_linear_solver();
  double choose_first_step(double span) const;
  StepResult start(double t_limit);
  void begin_alone();
  void hand_over();
  void set_limit(double t_limit);
  int call_ida(double t_limit);
  void read_cost();
  StepResult arrived(StepStatus status, double at) const;
  int dominant_variable() const;
  Eval exact_jacobian(const Point& point, double alpha);
  Eval difference_jacobian(const Point& point, CSpan F, double alpha);
  int verdict(Eval eval, const std::string& blame_if_none);
  int blame_row(CSpan F);
  int blame_entry();
  double current_step() const;

  StepResult failed(int flag, const Cost& before);
  std::string what_failed(int flag, const Cost& before) const;
  std::string largest_residual();

  const DaeProblem& problem;
  const Structure& structure;
  Options options;
  std::unique_ptr<Workspace> workspace;
  Csc J, dF_dyp;
  Klu klu;
  std::optional<DifferenceJacobian> differences;
  Cost cost, cost_before;  // before: of all that IDA has not counted since it began anew
  double t, limit = std::numeric_limits<double>::quiet_NaN();
  double due = 0;           // of the step at hand, as of Bdf::step()
  double begin_step = 0;    // 0: to be chosen
  double longest_step = 0;  // since the last restart, or before the one just asked for; 0: none yet
  IdaStart starter;
  bool last_is_start = false;  // the last step was the starter's
  double last_start = 0;       // its length
  bool hands_over = false;     // IDA is told the starter's values instead of solving for them
  double end_of_start = 0;     // s
  bool has_matrix = true;      // that IDA may solve with
  std::string blame;           // of the last failed evaluation in this step
  std::exception_ptr thrown;   // by the problem: must not pass through IDA's C code

  Owned<SUNContext> context = new_context();  // before all that live in it
  Owned<N_Vector> y, yp, id, error, weight;
  Owned<SUNMatrix> matrix;
  Owned<SUNLinearSolver> linear_solver;
  std::unique_ptr<void, FreeIda> ida;
};

}  // namespace skyhook::integrator
