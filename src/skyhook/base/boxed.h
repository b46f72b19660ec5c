// A value on the heap that is copied with its owner: for what is made late, replaced as a whole, or known by its base class alone.
#pragma once
#include <memory>
#include <utility>

namespace skyhook {

// T is copied by its clone() where it has one, else by its copy constructor: it needs no assignment. Empty if nothing was put in.
template <class T>
class Boxed {
 public:
  Boxed() = default;
  Boxed(std::unique_ptr<T> value) : value_(std::move(value)) {}
  Boxed(const Boxed& other) : value_(other.copy()) {}
  Boxed& operator=(const Boxed& other) {
    value_ = other.copy();
    return *this;
  }
  Boxed(Boxed&&) noexcept = default;
  Boxed& operator=(Boxed&&) noexcept = default;
  ~Boxed() = default;

  template <class... Arguments>
  T& emplace(Arguments&&... arguments) {
    value_ = std::make_unique<T>(std::forward<Arguments>(arguments)...);
    return *value_;
  }
  void reset() { value_.reset(); }

  explicit operator bool() const { return value_ != nullptr; }
  T* get() const { return value_.get(); }
  T& operator*() const { return *value_; }
  T* operator->() const { return value_.get(); }

 private:
  std::unique_ptr<T> copy() const {
    if (!value_) return nullptr;
    if constexpr (requires { value_->clone(); })
      return value_->clone();
    else
      return std::make_unique<T>(*value_);
  }
  std::unique_ptr<T> value_;
};

}  // namespace skyhook
