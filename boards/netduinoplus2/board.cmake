include(${CMAKE_CURRENT_LIST_DIR}/../armv7m/board.cmake)
tactus_define_board(netduinoplus2 boards/stm32/timers.cpp boards/stm32/uart.cpp boards/stm32/f4.cpp boards/armv7m/semihosting.cpp)
tactus_emulate_board(qemu-system-arm -M netduinoplus2 -icount shift=4)
