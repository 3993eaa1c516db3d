#include "host_sim/link/stream.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

namespace tactus::host::link {

namespace {

using Clock = std::chrono::steady_clock;

std::string error_text(const std::string& what) {
  return what + ": " + std::strerror(errno);
}

// The command is in a file of the preset's build folder: beside the image, or above it.
std::vector<std::string> emulator_command(const std::filesystem::path& image) {
  for (auto folder = std::filesystem::absolute(image).parent_path();; folder = folder.parent_path()) {
    std::ifstream in(folder / "emulator");
    std::vector<std::string> command{std::istream_iterator<std::string>(in), {}};
    if (!command.empty()) return command;
    if (folder == folder.parent_path())
      throw LinkError(image.string() +
                      " is not of an emulated board: no file `emulator` beside it or above.");
  }
}

speed_t speed_of(int baud) {
  switch (baud) {
    case 115'200:
      return B115200;
    case 230'400:
      return B230400;
    case 460'800:
      return B460800;
    case 921'600:
      return B921600;
    case 1'000'000:
      return B1000000;
    case 2'000'000:
      return B2000000;
    default:
      throw LinkError("A baud rate of " + std::to_string(baud) + " is not known.");
  }
}

}  // namespace

std::unique_ptr<Stream> Stream::emulator(const BootOptions& options) {
  std::unique_ptr<Stream> stream(new Stream);
  stream->make_folder();
  if (options.transport == Transport::fifo) {
    stream->connect_fifos();  // before the emulator opens them, so that neither side waits for the other
    stream->start(options, "fifo", "null");
  } else {
    stream->start(options, "uart", "unix:uart,server=on,wait=on");
    stream->connect_socket(options.timeout);
  }
  return stream;
}

std::string Stream::output(const BootOptions& options) {
  Stream stream;
  stream.make_folder();
  stream.start(options, "uart", "null");
  for (const auto end = Clock::now() + options.timeout; stream.alive();) {
    if (Clock::now() > end) throw LinkError(options.image.string() + " did not end in time.");
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return stream.last_words();
}

void Stream::make_folder() {
  std::string folder = (std::filesystem::temp_directory_path() / "tactus-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr)
    throw LinkError(error_text("A folder for the link cannot be made"));
  folder_ = folder;
}

// Both ends are opened for reading and writing: then opening does not wait, and the board sees the end of the
// stream exactly when this process closes it.
void Stream::connect_fifos() {
  const auto open_fifo = [this](const char* name) {
    const std::string path = (folder_ / name).string();
    if (::mkfifo(path.c_str(), 0600) != 0) throw LinkError(error_text(path));
    const int fd = ::open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) throw LinkError(error_text(path));
    return fd;
  };
  out_ = open_fifo("tactus.in");
  in_ = open_fifo("tactus.out");
}

void Stream::connect_socket(std::chrono::milliseconds timeout) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = (folder_ / "uart").string();
  if (path.size() >= sizeof address.sun_path)
    throw LinkError("The path " + path + " is too long for a socket.");
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  for (const auto end = Clock::now() + timeout; Clock::now() < end && alive();) {
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) throw LinkError(error_text("socket"));
    if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
      ::fcntl(fd, F_SETFL, O_NONBLOCK);
      in_ = out_ = fd;
      return;
    }
    ::close(fd);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  throw LinkError("The emulator did not offer its UART. " + last_words());
}

// `link` tells the firmware which way to talk, `serial` what QEMU does with its UART.
void Stream::start(const BootOptions& options, const char* link, const char* serial) {
  if (!std::filesystem::exists(options.image))
    throw LinkError("There is no image " + options.image.string() + ".");
  std::vector<std::string> command = emulator_command(options.image);
  for (const std::string& word :
       {std::string("-display"), std::string("none"), std::string("-monitor"), std::string("none"),
        std::string("-semihosting-config"), std::string("enable=on,target=native,arg=") + link,
        std::string("-serial"), std::string(serial), std::string("-kernel"),
        std::filesystem::absolute(options.image).string()})
    command.push_back(word);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  emulator_ = ::fork();
  if (emulator_ < 0) throw LinkError(error_text("fork"));
  if (emulator_ > 0) return;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // no emulator outlives us
  const int words =
      ::chdir(folder_.c_str()) == 0 ? ::open("words", O_WRONLY | O_CREAT | O_CLOEXEC, 0600) : -1;
  if (words >= 0) {
    ::dup2(words, 1);
    ::dup2(words, 2);
  }
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (nothing >= 0) ::dup2(nothing, 0);
  ::execvp(arguments[0], arguments.data());
  const std::string complaint = error_text(command[0]) + "\n";
  [[maybe_unused]] const ssize_t said = ::write(2, complaint.data(), complaint.size());
  ::_exit(127);
}

// By termios, not by a library: libserialport refuses pseudo terminals.
std::unique_ptr<Stream> Stream::serial(const std::string& device, int baud) {
  std::unique_ptr<Stream> stream(new Stream);
  const int fd = ::open(device.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) throw LinkError(error_text(device));
  stream->in_ = stream->out_ = fd;
  termios settings{};
  if (::tcgetattr(fd, &settings) != 0) throw LinkError(device + " is not a serial port.");
  ::cfmakeraw(&settings);
  settings.c_cflag |= CLOCAL | CREAD;
  ::cfsetspeed(&settings, speed_of(baud));
  if (::tcsetattr(fd, TCSANOW, &settings) != 0) throw LinkError(error_text(device));
  ::tcflush(fd, TCIOFLUSH);
  return stream;
}

Stream::~Stream() {
  if (in_ >= 0) ::close(in_);
  if (out_ >= 0 && out_ != in_) ::close(out_);
  if (emulator_ > 0) {
    // The firmware leaves by itself when its FIFO ends; one that listens to a UART has to be stopped.
    for (int i = 0; i < 20 && ::waitpid(emulator_, nullptr, WNOHANG) == 0; ++i) {
      if (i == 10) ::kill(emulator_, SIGTERM);
      if (i == 19) {
        ::kill(emulator_, SIGKILL);
        ::waitpid(emulator_, nullptr, 0);
        break;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  if (!folder_.empty()) {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
}

bool Stream::alive() {
  if (emulator_ <= 0) return in_ >= 0;
  if (::waitpid(emulator_, nullptr, WNOHANG) == 0) return true;
  emulator_ = -1;
  return false;
}

std::string Stream::last_words() const {
  std::ifstream in(folder_ / "words");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

bool Stream::read(std::vector<std::uint8_t>& to, std::chrono::nanoseconds timeout) {
  const auto end = Clock::now() + timeout;
  for (;;) {
    std::uint8_t chunk[4096];
    const ssize_t n = ::read(in_, chunk, sizeof chunk);
    if (n > 0) {
      to.insert(to.end(), chunk, chunk + n);
      return true;
    }
    if (n < 0 && errno != EAGAIN && errno != EINTR) throw LinkError(error_text("The link broke"));
    if (n == 0 || (emulator_ != -1 && !alive())) throw LinkError("The board is gone. " + last_words());
    const auto left = end - Clock::now();
    if (left.count() <= 0) return false;
    constexpr std::chrono::nanoseconds kLongest = std::chrono::milliseconds(200);
    const timespec wait{0, std::min(left, kLongest).count()};
    pollfd ready{in_, POLLIN, 0};
    ::ppoll(&ready, 1, &wait, nullptr);
  }
}

void Stream::write(const std::uint8_t* bytes, std::size_t size, std::chrono::milliseconds timeout,
                   std::vector<std::uint8_t>& in) {
  const auto end = Clock::now() + timeout;
  while (size > 0) {
    const ssize_t n = ::write(out_, bytes, size);
    if (n > 0) {
      bytes += n;
      size -= static_cast<std::size_t>(n);
      continue;
    }
    if (n < 0 && errno != EAGAIN && errno != EINTR) throw LinkError(error_text("The link broke"));
    if (!alive()) throw LinkError("The board is gone. " + last_words());
    if (Clock::now() > end) throw LinkError("The board takes no more bytes.");
    pollfd ready[] = {{out_, POLLOUT, 0}, {in_, POLLIN, 0}};
    ::poll(ready, 2, 200);
    if ((ready[1].revents & POLLIN) != 0) read(in, std::chrono::milliseconds(0));
  }
}

}  // namespace tactus::host::link
