#include "skyhook/io/serve/page_server.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

#include "skyhook/base/error.h"
#include "skyhook/base/table.h"
#include "skyhook/io/serve/request.h"
#include "skyhook/io/serve/socket.h"

namespace skyhook::io::serve {
namespace {

using Stage = Connection::Stage;

// The page is one file with its script and styles in it, and may ask for nothing but /version.
constexpr const char* security_policy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; "
    "connect-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const char* words_of(int status) {
  switch (status) {
    case 200: return "OK";
    case 400: return "Bad Request";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    default: return "Request Header Fields Too Large";
  }
}

std::string head_of(int status, const char* type, std::size_t bytes) {
  return fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: {}; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n"
      "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
      "Cross-Origin-Resource-Policy: same-origin\r\nContent-Security-Policy: {}\r\n{}\r\n",
      status, words_of(status), type, bytes, security_policy, status == 405 ? "Allow: GET\r\n" : "");
}

Text text(std::string value) { return std::make_shared<const std::string>(std::move(value)); }

Descriptor find_port(int& port, bool or_a_later) {
  const int first = port, last = or_a_later ? std::min(first + 100, 65535) : first;
  for (; port <= last; ++port) {
    Descriptor socket = listen_on_loopback(port);
    if (socket.get() >= 0) return socket;
  }
  throw ModelError({"command line"}, fmt::format("port {} of 127.0.0.1 is taken.", first),
                   "Give another one with --port, or end the program that uses it.");
}

}  // namespace

struct PageServer::Loop {
  ServerOptions options;
  int port;
  Descriptor listener, wake;
  std::mutex mutex;  // of what is shown
  Text page, version_text;
  long version;
  std::atomic<bool> stop = false;
  std::list<Connection> connections;  // of the thread alone, as all below
  std::thread thread;

  Loop(std::string first_page, const ServerOptions& o);
  ~Loop();
  void show_state(const std::string& state, const std::string& message);  // with the mutex held
  void run();
  std::vector<pollfd> waiting_for() const;
  void accept_all();
  void serve(Connection& connection, short ready);
  void answer(Connection& connection, const Judgement& judgement);
};

PageServer::Loop::Loop(std::string first_page, const ServerOptions& o)
    : options(o),
      port(o.port),
      listener(find_port(port, o.or_a_later)),
      wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      page(text(std::move(first_page))),
      version(o.first_version) {
  show_state("running", "");
  thread = std::thread([this] { run(); });
}

PageServer::Loop::~Loop() {
  stop = true;
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(wake.get(), &one, sizeof one);
  thread.join();
}

void PageServer::Loop::show_state(const std::string& state, const std::string& message) {
  version_text = text(fmt::format("{{\"version\": {}, \"state\": {}, \"message\": {}}}\n", version, json_string(state),
                                  json_string(message)));
}

std::vector<pollfd> PageServer::Loop::waiting_for() const {
  std::vector<pollfd> list{{wake.get(), POLLIN, 0}, {listener.get(), POLLIN, 0}};
  for (const Connection& c : connections)
    list.push_back({c.socket(), static_cast<short>(c.stage() == Stage::writing ? POLLOUT : POLLIN), 0});
  return list;
}

void PageServer::Loop::run() {
  while (!stop) {
    std::vector<pollfd> list = waiting_for();
    ::poll(list.data(), list.size(), 500);
    std::size_t k = 2;
    for (Connection& connection : connections) serve(connection, list[k++].revents);
    const auto now = Clock::now();
    connections.remove_if([&](const Connection& c) { return c.stage() == Stage::done || c.deadline() < now; });
    if (list[1].revents != 0) accept_all();
  }
}

void PageServer::Loop::accept_all() {
  const auto deadline =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.head_seconds));
  for (int i = 0; i < options.most_connections; ++i) {
    Descriptor socket(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (socket.get() < 0) return;
    connections.emplace_back(std::move(socket), deadline);
    if (connections.size() <= static_cast<std::size_t>(options.most_connections)) continue;
    connections.erase(std::min_element(connections.begin(), connections.end(),
                                       [](const auto& a, const auto& b) { return a.deadline() < b.deadline(); }));
  }
}

void PageServer::Loop::serve(Connection& connection, short ready) {
  if (ready == 0) return;
  if (connection.stage() == Stage::writing) return connection.write();
  connection.read();
  if (connection.stage() != Stage::reading) return;
  if (connection.has_head()) answer(connection, judge(connection.head(), port));
  if (connection.is_too_long()) answer(connection, {431});
}

void PageServer::Loop::answer(Connection& connection, const Judgement& judgement) {
  const std::scoped_lock lock(mutex);
  Text body = judgement.asked == Asked::page      ? page
              : judgement.asked == Asked::version ? version_text
                                                  : text(std::string(words_of(judgement.status)) + "\n");
  const char* type = judgement.asked == Asked::page      ? "text/html"
                     : judgement.asked == Asked::version ? "application/json"
                                                         : "text/plain";
  const auto seconds = std::chrono::duration<double>(12 * options.head_seconds);
  std::string head = head_of(judgement.status, type, body->size());
  connection.answer(std::move(head), std::move(body),
                    Clock::now() + std::chrono::duration_cast<Clock::duration>(seconds));
}

PageServer::PageServer(std::string first_page, const ServerOptions& options)
    : loop_(std::make_unique<Loop>(std::move(first_page), options)) {}

PageServer::~PageServer() = default;

int PageServer::port() const { return loop_->port; }

long PageServer::version() const {
  const std::scoped_lock lock(loop_->mutex);
  return loop_->version;
}

void PageServer::show(std::string page) {
  const std::scoped_lock lock(loop_->mutex);
  loop_->page = text(std::move(page));
  ++loop_->version;
  loop_->show_state("ready", "");
}

void PageServer::tell(const std::string& state, const std::string& message) {
  const std::scoped_lock lock(loop_->mutex);
  loop_->show_state(state, message);
}

}  // namespace skyhook::io::serve
