// A client of the page server that can also misbehave: it sends bytes as they are and returns all that comes back.
#pragma once
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <string>

namespace skyhook::io::serve::testing {

struct Client {
  int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  bool connected = false;

  explicit Client(int port, const char* host = "127.0.0.1") {
    const timeval patience{10, 0};
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    inet_pton(AF_INET, host, &address.sin_addr);
    connected = connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client() { close(socket); }

  void send(const std::string& bytes) const { ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL); }
  std::string receive() const {  // until the server closes
    std::string all;
    char buffer[65536];
    for (ssize_t n; (n = recv(socket, buffer, sizeof buffer, 0)) > 0;) all.append(buffer, static_cast<std::size_t>(n));
    return all;
  }
};

inline std::string ask(int port, const std::string& request) {
  const Client client(port);
  client.send(request);
  return client.receive();
}

inline std::string get(int port, const std::string& target, const std::string& host = "") {
  const std::string name = host.empty() ? "127.0.0.1:" + std::to_string(port) : host;
  return ask(port, "GET " + target + " HTTP/1.1\r\nHost: " + name + "\r\nAccept: */*\r\n\r\n");
}

inline std::string body_of(const std::string& answer) {
  const std::size_t at = answer.find("\r\n\r\n");
  return at == std::string::npos ? "" : answer.substr(at + 4);
}

}  // namespace skyhook::io::serve::testing
