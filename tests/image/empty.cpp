// What a board costs without us: the loop of firmware/board_only.cpp and its figures around nothing.
// Subtracted from that image it leaves the core's share.
#include "firmware/figures.hpp"

int main() {
  tactus::firmware::Figures figures;
  tactus::firmware::keep_beat(figures, [&figures] {
    const std::uint32_t start = board::counter();
    figures.step.note(board::counts_since(start));
    figures.tick.note(board::counts_since(start));
  });
  tactus::firmware::print(figures, sizeof figures);
  return figures.missed == 0 && figures.uncertified == 0 ? 0 : 1;
}
