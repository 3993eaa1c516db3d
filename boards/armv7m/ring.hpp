// Bytes between one interrupt handler and one thread: single producer, single consumer, no lock.
#pragma once

#include <cstddef>
#include <cstdint>

namespace armv7m {

template <std::uint32_t kSize>
class Ring {
  static_assert((kSize & (kSize - 1)) == 0, "a power of two");

 public:
  bool push(std::uint8_t byte) {
    const std::uint32_t head = head_;
    if (head - tail_ == kSize) {
      lost_ = lost_ + 1;
      return false;
    }
    bytes_[head % kSize] = byte;
    __asm volatile("" ::: "memory");  // the byte before the index that shows it
    head_ = head + 1;
    return true;
  }

  std::size_t pop(std::uint8_t* to, std::size_t capacity) {
    std::size_t n = 0;
    std::uint32_t tail = tail_;
    const std::uint32_t head = head_;
    while (n < capacity && tail != head) to[n++] = bytes_[tail++ % kSize];
    __asm volatile("" ::: "memory");
    tail_ = tail;
    return n;
  }

  bool empty() const { return head_ == tail_; }
  std::uint32_t room() const { return kSize - (head_ - tail_); }
  std::uint32_t lost() const { return lost_; }

 private:
  std::uint8_t bytes_[kSize] = {};
  volatile std::uint32_t head_ = 0, tail_ = 0, lost_ = 0;
};

}  // namespace armv7m
