// The listening socket and one connection of the page server.
#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <utility>

namespace skyhook::io::serve {

using Clock = std::chrono::steady_clock;
using Text = std::shared_ptr<const std::string>;

// Owns a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();
  int get() const { return number_; }

 private:
  int number_;
};

// Bound to 127.0.0.1; not valid (-1) if the port is taken. `port` 0 becomes the one that was given.
Descriptor listen_on_loopback(int& port);

// A client: its request is read up to the empty line, then the answer is written, then what it still sends is thrown away
// until it closes (closing earlier would make the system drop the answer on its way).
class Connection {
 public:
  Connection(Descriptor socket, Clock::time_point deadline) : socket_(std::move(socket)), deadline_(deadline) {}

  enum class Stage { reading, writing, draining, done };
  int socket() const { return socket_.get(); }
  Stage stage() const { return stage_; }
  Clock::time_point deadline() const { return deadline_; }

  void read();                                                      // what has arrived
  bool has_head() const { return head_end_ != std::string::npos; }  // the request is complete
  bool is_too_long() const;
  std::string head() const { return received_.substr(0, head_end_); }
  void answer(std::string head, Text body, Clock::time_point deadline);
  void write();  // as much as goes

 private:
  Descriptor socket_;
  Clock::time_point deadline_;
  Stage stage_ = Stage::reading;
  std::string received_, head_;
  std::size_t head_end_ = std::string::npos, sent_ = 0;
  Text body_;
};

}  // namespace skyhook::io::serve
