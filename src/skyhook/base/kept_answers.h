// Elements may keep their last answer and give it again where they are asked for the same. What integrators would cost without such memory can be measured:
// answers that were found before the thread has been told to forget count no more.
#pragma once

namespace skyhook {

class KeptAnswers {
 public:
  // Noted beside an answer that is kept: it holds while this stays the same.
  static unsigned number() { return of_thread().number; }
  // Before a residual that differences ask for.
  static void forget_if_told() {
    if (OfThread& kept = of_thread(); kept.is_to_forget) ++kept.number;
  }
  // While it lives, on this thread.
  class Forgetting {
   public:
    explicit Forgetting(bool is_to_forget) : before_(of_thread().is_to_forget) {
      of_thread().is_to_forget = is_to_forget;
    }
    ~Forgetting() { of_thread().is_to_forget = before_; }
    Forgetting(const Forgetting&) = delete;
    Forgetting& operator=(const Forgetting&) = delete;

   private:
    bool before_;
  };

 private:
  struct OfThread {
    unsigned number = 0;
    bool is_to_forget = false;
  };
  static OfThread& of_thread() {
    static thread_local OfThread kept;
    return kept;
  }
};

}  // namespace skyhook
