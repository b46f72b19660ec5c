#include "skyhook/io/serve/socket.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace skyhook::io::serve {
namespace {

constexpr std::size_t longest_head = 8192;

bool would_wait(ssize_t n) { return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR); }

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

Descriptor listen_on_loopback(int& port) {
  Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int yes = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);  // a port that was just used is free again
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  socklen_t size = sizeof address;
  auto* any = reinterpret_cast<sockaddr*>(&address);
  if (::bind(socket.get(), any, size) != 0 || ::listen(socket.get(), 64) != 0) return Descriptor();
  if (::getsockname(socket.get(), any, &size) != 0) return Descriptor();
  port = ntohs(address.sin_port);
  return socket;
}

bool Connection::is_too_long() const { return !has_head() && received_.size() >= longest_head; }

void Connection::read() {
  char buffer[4096];
  const ssize_t n = ::recv(socket(), buffer, sizeof buffer, 0);
  if (would_wait(n)) return;
  if (n <= 0) {
    stage_ = Stage::done;
  } else if (stage_ == Stage::reading) {
    received_.append(buffer, static_cast<std::size_t>(n));
    head_end_ = received_.find("\r\n\r\n");
  }
}

void Connection::answer(std::string head, Text body, Clock::time_point deadline) {
  head_ = std::move(head);
  body_ = std::move(body);
  deadline_ = deadline;
  stage_ = Stage::writing;
}

void Connection::write() {
  const bool in_head = sent_ < head_.size();
  const char* data = in_head ? head_.data() + sent_ : body_->data() + (sent_ - head_.size());
  const std::size_t left = in_head ? head_.size() - sent_ : body_->size() - (sent_ - head_.size());
  const ssize_t n = ::send(socket(), data, left, MSG_NOSIGNAL);
  if (would_wait(n)) return;
  if (n < 0) {
    stage_ = Stage::done;
    return;
  }
  sent_ += static_cast<std::size_t>(n);
  if (sent_ < head_.size() + body_->size()) return;
  ::shutdown(socket(), SHUT_WR);
  stage_ = Stage::draining;
  deadline_ = std::min(deadline_, Clock::now() + std::chrono::seconds(2));
}

}  // namespace skyhook::io::serve
