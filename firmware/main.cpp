#include "firmware/loop.hpp"

namespace {
tactus::firmware::Loop loop;  // all of the firmware's memory
}

int main() {
  loop.run();
  return 0;
}
