/*
 * Preloaded into a process, lets one chosen system call below one folder fail.
 *
 * SESSIONS_FAULTS_ROOT names the folder and SESSIONS_FAULTS_CONTROL a file of 32-bit words, which is mapped here and
 * written by the program under test (src/fault-control.ts):
 *
 *   0 armed   1 which call   2 how many of them to let through   3 how it fails   4 whether it has failed
 *   16 + n    how often call n was made while armed
 *
 * It includes nothing, so that a bare compiler without the C library's headers can build it, and it declares functions
 * that take "..." with the arguments that their callers pass. That is the same call on the Linux machines that Node runs on.
 */
typedef unsigned long size_t;
typedef long ssize_t;

extern void *dlsym(void *handle, const char *name);
extern char *getenv(const char *name);
extern int *__errno_location(void);
extern int strncmp(const char *one, const char *other, size_t length);
extern size_t strlen(const char *text);
extern int pthread_mutex_lock(void *mutex);
extern int pthread_mutex_unlock(void *mutex);
extern int system(const char *command);

#define NEXT ((void *)-1L)
#define ENOSPC_NUMBER 28
#define UNLOCK 2

/* The order of CALLS in src/fault.ts. */
enum call { OPEN, READ, WRITE, SYNC, TRUNCATE, REMOVE, NAME, STAT, LIST, LOCK, MAP, CLOSE, WATCH };

/* In place of an error number: how a write stops short. */
enum { SHORT = -1, SHORT_THEN_FULL = -2, SHORT_THEN_OTHER_WRITER = -3 };

enum { ARMED, CHOSEN, LET_THROUGH, KIND, FAILED, NEXT_WRITE_FAILS, COUNTS = 16, WORDS = 64 };

#define DESCRIPTORS 65536

static volatile int *control;
static const char *root;
static size_t root_length;
static char tracked[DESCRIPTORS];
static long mutex[16]; /* all zeros is an initialised mutex */

static void *next(const char *name) {
  return dlsym(NEXT, name);
}

/* Declares `really`, the function that this file stands in for. Looked up once: calls come from signal handlers, too. */
#define REALLY(result, name, ...)               \
  static result (*really)(__VA_ARGS__);         \
  if (!really) really = next(name)

__attribute__((constructor)) static void begin(void) {
  int (*really_open)(const char *, int, int) = next("open64");
  void *(*map)(void *, size_t, int, int, int, long) = next("mmap64");
  const char *path = getenv("SESSIONS_FAULTS_CONTROL");
  root = getenv("SESSIONS_FAULTS_ROOT");
  if (!path || !root) return;
  root_length = strlen(root);
  int file = really_open(path, 2, 0);
  if (file < 0) return;
  void *words = map(0, WORDS * sizeof(int), 3, 1, file, 0);
  if (words != (void *)-1L) control = words;
}

static int below(const char *path) {
  return control && path && strncmp(path, root, root_length) == 0;
}

static int ours(int file) {
  return control && file >= 0 && file < DESCRIPTORS && tracked[file];
}

static int failed_with(int number) {
  *__errno_location() = number;
  return -1;
}

/* 0: go on. Otherwise how this call fails. */
static int fault(enum call call) {
  int kind = 0;
  if (!control || !control[ARMED]) return 0;
  pthread_mutex_lock(mutex);
  control[COUNTS + call]++;
  if (call == WRITE && control[NEXT_WRITE_FAILS]) {
    control[NEXT_WRITE_FAILS] = 0;
    kind = ENOSPC_NUMBER;
  } else if (!control[FAILED] && control[CHOSEN] == (int)call && control[LET_THROUGH]-- == 0) {
    control[FAILED] = 1;
    kind = control[KIND];
  }
  pthread_mutex_unlock(mutex);
  return kind;
}

/* 1: the call has failed, and errno says how. */
static int fails(enum call call) {
  int kind = fault(call);
  if (kind > 0) failed_with(kind);
  return kind > 0;
}

static int opened(const char *path, int file) {
  if (file >= 0 && file < DESCRIPTORS) tracked[file] = below(path);
  return file;
}

#define OPEN_FUNCTION(name)                                   \
  int name(const char *path, int flags, int mode) {           \
    REALLY(int, #name, const char *, int, int);               \
    if (below(path) && fails(OPEN)) return -1;                \
    return opened(path, really(path, flags, mode));           \
  }
OPEN_FUNCTION(open)
OPEN_FUNCTION(open64)

ssize_t read(int file, void *bytes, size_t length) {
  REALLY(ssize_t, "read", int, void *, size_t);
  if (ours(file) && fails(READ)) return -1;
  return really(file, bytes, length);
}
ssize_t pread64(int file, void *bytes, size_t length, long from) {
  REALLY(ssize_t, "pread64", int, void *, size_t, long);
  if (ours(file) && fails(READ)) return -1;
  return really(file, bytes, length, from);
}

/* How much of a write to let through; -1: nothing, and errno says why. */
static ssize_t writable(size_t length) {
  int kind = fault(WRITE);
  if (kind > 0) return failed_with(kind);
  if (kind == SHORT_THEN_FULL) control[NEXT_WRITE_FAILS] = 1;
  return kind == 0 ? (ssize_t)length : (ssize_t)(length / 2);
}

static void other_writer(void) {
  const char *command = getenv("SESSIONS_FAULTS_OTHER_WRITER");
  if (control[KIND] == SHORT_THEN_OTHER_WRITER && control[FAILED] == 1 && command) {
    control[FAILED] = 2;
    if (system(command) != 0) control[FAILED] = 3;
  }
}

ssize_t write(int file, const void *bytes, size_t length) {
  REALLY(ssize_t, "write", int, const void *, size_t);
  if (!ours(file)) return really(file, bytes, length);
  ssize_t some = writable(length);
  if (some < 0) return some;
  ssize_t written = really(file, bytes, some);
  if ((size_t)some < length) other_writer();
  return written;
}
ssize_t pwrite64(int file, const void *bytes, size_t length, long at) {
  REALLY(ssize_t, "pwrite64", int, const void *, size_t, long);
  if (!ours(file)) return really(file, bytes, length, at);
  ssize_t some = writable(length);
  return some < 0 ? some : really(file, bytes, some, at);
}

#define FILE_FUNCTION(name, call)                             \
  int name(int file) {                                        \
    REALLY(int, #name, int);                                  \
    if (ours(file) && fails(call)) return -1;                 \
    return really(file);                                      \
  }
FILE_FUNCTION(fsync, SYNC)
FILE_FUNCTION(fdatasync, SYNC)

int ftruncate64(int file, long length) {
  REALLY(int, "ftruncate64", int, long);
  if (ours(file) && fails(TRUNCATE)) return -1;
  return really(file, length);
}

#define PATH_FUNCTION(name, call)                             \
  int name(const char *path) {                                \
    REALLY(int, #name, const char *);                         \
    if (below(path) && fails(call)) return -1;                \
    return really(path);                                      \
  }
PATH_FUNCTION(unlink, REMOVE)
PATH_FUNCTION(rmdir, REMOVE)

#define TWO_PATHS_FUNCTION(name, call)                        \
  int name(const char *from, const char *to) {                \
    REALLY(int, #name, const char *, const char *);           \
    if (below(to) && fails(call)) return -1;                  \
    return really(from, to);                                  \
  }
TWO_PATHS_FUNCTION(rename, NAME)
TWO_PATHS_FUNCTION(link, NAME)

int mkdir(const char *path, unsigned mode) {
  REALLY(int, "mkdir", const char *, unsigned);
  if (below(path) && fails(NAME)) return -1;
  return really(path, mode);
}

int access(const char *path, int mode) {
  REALLY(int, "access", const char *, int);
  if (below(path) && fails(STAT)) return -1;
  return really(path, mode);
}

#define STAT_PATH_FUNCTION(name)                              \
  int name(const char *path, void *found) {                   \
    REALLY(int, #name, const char *, void *);                 \
    if (below(path) && fails(STAT)) return -1;                \
    return really(path, found);                               \
  }
STAT_PATH_FUNCTION(stat64)
STAT_PATH_FUNCTION(lstat64)

int fstat64(int file, void *found) {
  REALLY(int, "fstat64", int, void *);
  if (ours(file) && fails(STAT)) return -1;
  return really(file, found);
}

/* The number of a closed file may be used again, for a pipe or a socket. */
static void forget(int file) {
  if (file >= 0 && file < DESCRIPTORS) tracked[file] = 0;
}

/* The file is closed all the same, as Linux does it. */
int close(int file) {
  REALLY(int, "close", int);
  int kind = ours(file) ? fault(CLOSE) : 0;
  forget(file);
  int result = really(file);
  return kind > 0 ? failed_with(kind) : result;
}

/*
 * Node asks by number for statx, which its oldest C library has no function for, and for close. It aborts where a close
 * fails, so those succeed.
 */
#if defined(__x86_64__)
#define STATX_NUMBER 332
#define CLOSE_NUMBER 3
#else
#define STATX_NUMBER 291
#define CLOSE_NUMBER 57
#endif
long syscall(long number, long a, long b, long c, long d, long e, long f) {
  REALLY(long, "syscall", long, long, long, long, long, long, long);
  if (number == CLOSE_NUMBER) forget((int)a);
  if (number == STATX_NUMBER) {
    const char *path = (const char *)b;
    int named = path && *path;
    if ((named ? below(path) : ours((int)a)) && fails(STAT)) return -1;
  }
  return really(number, a, b, c, d, e, f);
}

int scandir64(const char *path, void *names, void *filter, void *order) {
  REALLY(int, "scandir64", const char *, void *, void *, void *);
  if (below(path) && fails(LIST)) return -1;
  return really(path, names, filter, order);
}
void *opendir(const char *path) {
  REALLY(void *, "opendir", const char *);
  if (below(path) && fails(LIST)) return 0;
  return really(path);
}

/* Of these only F_GETLK, F_SETLK and F_SETLKW that take a lock. Giving one back does not fail on a local disk. */
int fcntl64(int file, int command, long argument) {
  REALLY(int, "fcntl64", int, int, long);
  int locks = command >= 5 && command <= 7 && ours(file) && *(short *)argument != UNLOCK;
  if (locks && fails(LOCK)) return -1;
  return really(file, command, argument);
}

void *mmap64(void *at, size_t length, int protection, int flags, int file, long from) {
  REALLY(void *, "mmap64", void *, size_t, int, int, int, long);
  if (ours(file) && fails(MAP)) return (void *)-1L;
  return really(at, length, protection, flags, file, from);
}

int inotify_add_watch(int watcher, const char *path, unsigned mask) {
  REALLY(int, "inotify_add_watch", int, const char *, unsigned);
  if (below(path) && fails(WATCH)) return -1;
  return really(watcher, path, mask);
}
