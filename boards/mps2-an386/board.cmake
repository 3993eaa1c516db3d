include(${CMAKE_CURRENT_LIST_DIR}/../armv7m/board.cmake)
tactus_define_board(mps2-an386 boards/mps2/board.cpp boards/armv7m/semihosting.cpp)
tactus_emulate_board(qemu-system-arm -M mps2-an386 -icount shift=6)
