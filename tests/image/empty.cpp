// What a board costs without us: subtracted from an image it leaves the core's share.
int main() {
  return 0;
}
