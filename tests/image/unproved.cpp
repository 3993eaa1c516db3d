// An image whose work takes a time that is proved, and others that deadline.py has to refuse, for one reason
// each.
#include "tactus/bound.hpp"

volatile int sink;

#if defined(UNPROVED_POINTER)
void (*volatile pointer)(int) = nullptr;
#endif

[[gnu::noipa]] void work(int n);

#if defined(UNPROVED_RECURSION)
[[gnu::noipa]] void other(int n) {
  work(n - 1);
  sink = n;
}
#endif

void work(int n) {
#if defined(UNPROVED_LOOP)
  for (int i = 0; i < n; ++i) sink = i;
#elif defined(UNPROVED_LOWERED)
  TACTUS_BOUND("n - 1");
  for (int i = 0; i < n; ++i) sink = i;
#else
  TACTUS_BOUND("n");
  for (int i = 0; i < n; ++i) sink = i;
#endif
#if defined(UNPROVED_POINTER)
  if (pointer != nullptr) pointer(n);
  sink = n;
#endif
#if defined(UNPROVED_RECURSION)
  if (n > 0) other(n);
  sink = n;
#endif
}

int main() {
  work(10);
  return 0;
}
