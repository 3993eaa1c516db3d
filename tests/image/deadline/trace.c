/* A plugin of QEMU that counts what deadline.py has bounded: how often loops go round each time they are
   entered, how often places in them are reached, and how many instructions calls of functions take with all
   that they call, less those of interrupts.

       qemu-system-arm ... -plugin trace.so,plan=PLAN,out=OUT

   A line of the plan is a kind and addresses: "function F", "call C" (the instruction), "loop HEADER
   LATCH..." (the last instructions of the blocks that lead back), "place P HEADER", "handler H RETURN...",
   "phase F", "question Q" and "root R", the clock's function and who asks it. Each call of the function of a
   phase begins a new table in OUT, of the same kinds: "function F calls largest sum", "loop HEADER entries
   largest", "place P times largest", and "gap FROM TO times largest" from a question, or 0 for the root's
   start, to the next, or 0 for its end. QEMU's header is not packaged in Debian 12, so what is used of it is
   declared here. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
typedef uint64_t Id;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
EXPORT int qemu_plugin_version = 1;
void qemu_plugin_register_vcpu_tb_trans_cb(Id, void (*)(Id, struct qemu_plugin_tb*));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb*, void (*)(unsigned, void*), int flags,
                                          void*);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn*, void (*)(unsigned, void*), int flags,
                                            void*);
void qemu_plugin_register_atexit_cb(Id, void (*)(Id, void*), void*);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb*);
struct qemu_plugin_insn* qemu_plugin_tb_get_insn(const struct qemu_plugin_tb*, size_t);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn*);

enum { kFlash = 1 << 20, kMost = 8192, kDepth = 256 };
enum Kind { FUNCTION, CALL, BACK, LOOP, LATCH, PLACE, HANDLER, LEAVE, PHASE };

/* What is to be done at an address; several in a list, in the order of Kind. */
struct Event {
  enum Kind kind;
  uint32_t address;
  struct Event* loop; /* of a latch or place */
  struct Event* next;
  uint64_t at; /* loop: when its latch last ran */
  uint64_t current, most, times, sum;
};
static struct Event events[kMost], *first[kFlash / 2];
static int used;

static uint64_t counted, block, away,
    came; /* instructions before this block, in it, of interrupts, and when one came */
static uint64_t called = UINT64_MAX;
static uint32_t back_to;
static struct {
  struct Event* function;
  uint64_t began;
  uint32_t back;
} stack[kDepth];
static int depth;
static struct Event *question, *root; /* functions */
static uint32_t from;                 /* the last question, and when it was answered */
static uint64_t since;
static struct {
  uint32_t from, to;
  uint64_t times, most;
} gaps[256];
static FILE* out;

static struct Event* add(enum Kind kind, uint32_t address) {
  if (address >= kFlash || used == kMost) abort();
  struct Event** at = &first[address / 2];
  while (*at && (*at)->kind <= kind) {
    if ((*at)->kind == kind && kind != LATCH && kind != PLACE) return *at;
    at = &(*at)->next;
  }
  struct Event* e = &events[used++];
  *e = (struct Event){.kind = kind, .address = address, .next = *at};
  return *at = e;
}

static void note_gap(uint32_t to, uint64_t took) {
  int k = 0;
  while (k < 255 && gaps[k].times && (gaps[k].from != from || gaps[k].to != to)) ++k;
  gaps[k].from = from;
  gaps[k].to = to;
  ++gaps[k].times;
  if (took > gaps[k].most) gaps[k].most = took;
}

static void print_phase(void) {
  fprintf(out, "phase\n");
  for (int k = 0; k < 256 && gaps[k].times; ++k)
    fprintf(out, "gap %" PRIx32 " %" PRIx32 " %" PRIu64 " %" PRIu64 "\n", gaps[k].from, gaps[k].to,
            gaps[k].times, gaps[k].most);
  memset(gaps, 0, sizeof gaps);
  for (struct Event* e = events; e < events + used; ++e) {
    const char* name = e->kind == FUNCTION ? "function"
                       : e->kind == LOOP   ? "loop"
                       : e->kind == PLACE  ? "place"
                                           : NULL;
    if (name && e->times)
      fprintf(out, "%s %" PRIx32 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", name, e->address, e->times,
              e->most, e->sum);
    e->most = e->times = e->sum = 0;
  }
}

static void note(struct Event* e, uint64_t value) {
  if (value > e->most) e->most = value;
}

static void handle(struct Event* e, uint64_t now) {
  switch (e->kind) {
    case PHASE:
      print_phase();
      break;
    case FUNCTION:
      if (now == called + 1 && depth < kDepth) {
        if (e == root) from = 0, since = now - away;
        if (e == question) note_gap(back_to - 4, now - away - since);
        stack[depth].function = e;
        stack[depth].began = now - away;
        stack[depth++].back = back_to;
      }
      break;
    case CALL:
      called = now;
      back_to = e->address + 4;
      break;
    case BACK:
      while (depth && stack[depth - 1].back == e->address) {
        struct Event* f = stack[--depth].function;
        note(f, now - away - stack[depth].began);
        f->sum += now - away - stack[depth].began;
        ++f->times;
        if (f == root) note_gap(0, now - away - since);
        if (f == question) from = e->address - 4, since = now - away;
      }
      break;
    case LATCH:
      e->loop->at = now;
      break;
    case LOOP:
      if (now == e->at + 1) {
        ++e->current;
      } else {
        e->current = 1;
        ++e->times;
        for (struct Event* p = events; p < events + used; ++p)
          if (p->kind == PLACE && p->loop == e) p->current = 0;
      }
      note(e, e->current);
      break;
    case PLACE:
      ++e->times;
      note(e, ++e->current);
      break;
    case HANDLER:
      came = now;
      break;
    case LEAVE:
      away += now + 1 - came;
      break;
  }
}

static void run_block(unsigned cpu, void* count) {
  (void)cpu;
  counted += block;
  block = (uintptr_t)count;
}

static void run_instruction(unsigned cpu, void* place) {
  (void)cpu;
  const uintptr_t p = (uintptr_t)place; /* address, and its number in the block above it */
  for (struct Event* e = first[(p & (kFlash - 1)) / 2]; e; e = e->next) handle(e, counted + p / kFlash);
}

static void translate(Id id, struct qemu_plugin_tb* tb) {
  (void)id;
  const size_t n = qemu_plugin_tb_n_insns(tb);
  qemu_plugin_register_vcpu_tb_exec_cb(tb, run_block, 0, (void*)(uintptr_t)n);
  for (size_t i = 0; i < n; ++i) {
    struct qemu_plugin_insn* instruction = qemu_plugin_tb_get_insn(tb, i);
    const uint64_t address = qemu_plugin_insn_vaddr(instruction);
    if (address < kFlash && first[address / 2])
      qemu_plugin_register_vcpu_insn_exec_cb(instruction, run_instruction, 0,
                                             (void*)(uintptr_t)(address + i * kFlash));
  }
}

static void finish(Id id, void* data) {
  (void)id, (void)data;
  print_phase();
  fclose(out);
}

static bool read_plan(const char* path) {
  FILE* plan = fopen(path, "r");
  if (!plan) return false;
  static char line[4096];
  while (fgets(line, sizeof line, plan)) {
    const char* kind = strtok(line, " \n");
    uint32_t address[64];
    int n = 0;
    for (const char* word; n < 64 && (word = strtok(NULL, " \n"));)
      address[n++] = (uint32_t)strtoul(word, NULL, 16);
    if (!kind || n == 0) return false;
    if (!strcmp(kind, "function")) add(FUNCTION, address[0]);
    if (!strcmp(kind, "question")) question = add(FUNCTION, address[0]);
    if (!strcmp(kind, "root")) root = add(FUNCTION, address[0]);
    if (!strcmp(kind, "phase")) add(PHASE, address[0]);
    if (!strcmp(kind, "call")) add(CALL, address[0]), add(BACK, address[0] + 4);
    if (!strcmp(kind, "place")) add(PLACE, address[0])->loop = add(LOOP, address[1]);
    if (!strcmp(kind, "loop"))
      for (int k = 1; k < n; ++k) add(LATCH, address[k])->loop = add(LOOP, address[0]);
    if (!strcmp(kind, "handler")) add(HANDLER, address[0]);
    if (!strcmp(kind, "handler"))
      for (int k = 1; k < n; ++k) add(LEAVE, address[k]);
  }
  fclose(plan);
  return true;
}

EXPORT int qemu_plugin_install(Id id, const void* info, int argc, char** argv) {
  (void)info;
  const char *plan = NULL, *output = NULL;
  for (int i = 0; i < argc; ++i) {
    if (!strncmp(argv[i], "plan=", 5)) plan = argv[i] + 5;
    if (!strncmp(argv[i], "out=", 4)) output = argv[i] + 4;
  }
  if (!plan || !output || !(out = fopen(output, "w")) || !read_plan(plan)) {
    fprintf(stderr, "trace: needs plan=FILE with a plan and out=FILE\n");
    return 1;
  }
  qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
  qemu_plugin_register_atexit_cb(id, finish, NULL);
  return 0;
}
