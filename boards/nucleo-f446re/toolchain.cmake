# Cortex-M4F, single precision FPU.
set(TACTUS_CPU_FLAGS "-mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard")
include(${CMAKE_CURRENT_LIST_DIR}/../armv7m/toolchain.cmake)
