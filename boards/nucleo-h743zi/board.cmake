include(${CMAKE_CURRENT_LIST_DIR}/../armv7m/board.cmake)
tactus_define_board(nucleo-h743zi boards/stm32/timers.cpp boards/stm32/uart.cpp boards/stm32/h7.cpp boards/armv7m/semihosting.cpp)
tactus_flash_board(board/st_nucleo_h743zi.cfg)
