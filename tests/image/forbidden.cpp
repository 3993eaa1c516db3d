// Images that must not pass: each uses one thing that core and firmware may not, and the check has to find
// it.
#if defined(FORBIDDEN_NEW)
int* volatile kept;
int main() {
  kept = new int(7);
  return *kept;
}
#elif defined(FORBIDDEN_THROW)
int main(int argc, char**) {
  if (argc == 0) throw argc;
  return 0;
}
#elif defined(FORBIDDEN_TYPEID)
#include <typeinfo>
struct Base {
  virtual int one() const { return 1; }
};
struct Derived : Base {
  int one() const override { return 2; }
};
int main(int argc, char**) {
  static Base base;
  static Derived derived;
  Base* const some = argc == 0 ? &base : &derived;
  return typeid(*some) == typeid(Base);
}
#elif defined(FORBIDDEN_PRINTF)
#include <cstdio>
int main(int argc, char**) {
  return std::printf("%d\n", argc);
}
#endif
