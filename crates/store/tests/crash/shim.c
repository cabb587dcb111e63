/* Stands between a store and its disk: counts what is written, ends the process at a given point, lets writes
 * fail, and keeps what would be left of each file if the machine lost its power.
 *
 * A file's content is safe as of its last sync. Its name, or that it has none any more, is safe once its folder
 * was synced afterwards. What is safe is kept in VEZIR_SHIM_SAFE: one file a content, named by a number, and
 * `names`, which says which of them has which name. Nothing is really synced: that takes time and shows nothing.
 *
 *   VEZIR_SHIM_STORE  the store's file; its log and journal lie beside it
 *   VEZIR_SHIM_SAFE   the folder for what is safe; `count` there is how many calls were counted
 *   VEZIR_SHIM_KILL   the number of the call that is not survived; half of a write is still done at even ones
 *   VEZIR_SHIM_FAIL   "write", "sync" or "open": what fails,
 *   VEZIR_SHIM_FROM, VEZIR_SHIM_TO   from which one of its kind, and up to which,
 *   VEZIR_SHIM_ERRNO  and with which error */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILES 256
#define FDS 4096
#define NAME 512

struct file {
    char name[64];
    ino_t inode;
    int linked;
    int safe;
    off_t from, to; /* What was written since the last sync lies between these. */
};

/* What is done under it may call what is counted. */
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static struct file files[FILES];
static int count_files;
static int of_fd[FDS]; /* 0 none, -1 the folder, n file n - 1 */
static long count, kill_at, kinds[3], fail_from, fail_to;
static int fail_kind = -1, fail_errno;
static char store[NAME], folder[NAME], safe[NAME];
static int ready;

enum { WRITE, SYNC, OPEN };

#define REAL(name, type, ...) \
    static type (*real)(__VA_ARGS__); \
    if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

static long number(const char *name) {
    const char *value = getenv(name);
    return value ? atol(value) : 0;
}

static void prepare(void) {
    if (ready) return;
    ready = 1;
    if (!getenv("VEZIR_SHIM_STORE")) return;
    snprintf(store, NAME, "%s", getenv("VEZIR_SHIM_STORE"));
    snprintf(safe, NAME, "%s", getenv("VEZIR_SHIM_SAFE"));
    snprintf(folder, NAME, "%s", store);
    *strrchr(folder, '/') = 0;
    kill_at = number("VEZIR_SHIM_KILL");
    fail_from = number("VEZIR_SHIM_FROM");
    fail_to = number("VEZIR_SHIM_TO");
    fail_errno = (int)number("VEZIR_SHIM_ERRNO");
    const char *kind = getenv("VEZIR_SHIM_FAIL");
    if (kind) fail_kind = kind[0] == 'w' ? WRITE : kind[0] == 's' ? SYNC : OPEN;
}

static int is_store(const char *path) {
    size_t length = strlen(store);
    if (!length || strncmp(path, store, length)) return 0;
    const char *rest = path + length;
    return !*rest || !strcmp(rest, "-wal") || !strcmp(rest, "-journal");
}

static int tracked(int fd) { return fd >= 0 && fd < FDS ? of_fd[fd] : 0; }

/* Counts a call; tells whether it is the one that is not survived. */
static int is_last(void) { return ++count == kill_at; }

static void die(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

static int fails(int kind) {
    long at = ++kinds[kind];
    if (kind != fail_kind || at < fail_from || at >= fail_to) return 0;
    errno = fail_errno;
    return 1;
}

static void name_of(char *path, int file) { snprintf(path, NAME + 32, "%s/%d", safe, file); }

/* Makes safe what was written to a file since its last sync. */
static void keep(int fd, int index) {
    static char buffer[1 << 16];
    struct file *file = &files[index];
    struct stat stat;
    char path[NAME + 32];
    name_of(path, index);
    int copy = openat(AT_FDCWD, path, O_WRONLY | O_CREAT, 0644);
    REAL("pwrite", ssize_t, int, const void *, size_t, off_t);
    fstat(fd, &stat);
    for (off_t at = file->from; at < file->to && at < stat.st_size;) {
        off_t rest = (file->to < stat.st_size ? file->to : stat.st_size) - at;
        ssize_t read = pread(fd, buffer, rest < (off_t)sizeof buffer ? (size_t)rest : sizeof buffer, at);
        if (read <= 0) break;
        if (real(copy, buffer, (size_t)read, at) != read) abort();
        at += read;
    }
    if (truncate(path, stat.st_size)) abort();
    close(copy);
    file->from = file->to = 0;
}

/* Makes safe which files have names. */
static void keep_names(void) {
    char path[NAME + 32], next[NAME + 32];
    snprintf(path, sizeof path, "%s/names", safe);
    snprintf(next, sizeof next, "%s/names.next", safe);
    FILE *names = fopen(next, "w");
    for (int index = 0; index < count_files; index++)
        if (files[index].linked) fprintf(names, "%d %s\n", index, files[index].name);
    fclose(names);
    rename(next, path);
}

static void written(struct file *file, off_t from, off_t to) {
    if (file->from == file->to) {
        file->from = from;
        file->to = to;
    }
    if (from < file->from) file->from = from;
    if (to > file->to) file->to = to;
}

static void opened(int fd, const char *path, int was_there) {
    struct stat stat;
    fstat(fd, &stat);
    for (int index = 0; index < count_files; index++)
        if (files[index].linked && files[index].inode == stat.st_ino) {
            of_fd[fd] = index + 1;
            return;
        }
    if (count_files == FILES) abort();
    struct file *file = &files[count_files++];
    snprintf(file->name, sizeof file->name, "%s", strrchr(path, '/') + 1);
    file->inode = stat.st_ino;
    file->linked = 1;
    file->from = 0;
    file->to = was_there ? stat.st_size : 0;
    of_fd[fd] = count_files;
    keep(fd, count_files - 1);
    /* What was there before this process began is safe. */
    if (was_there) keep_names();
}

static int any_open(const char *call, const char *path, int flags, mode_t mode) {
    int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, call);
    pthread_mutex_lock(&lock);
    prepare();
    int ours = is_store(path), was_there = ours && !access(path, F_OK), fd;
    if (ours && (flags & O_ACCMODE) != O_RDONLY && fails(OPEN))
        fd = -1;
    else
        fd = real(path, flags, mode);
    int error = errno;
    if (fd >= 0 && fd < FDS) {
        of_fd[fd] = 0;
        if (ours) opened(fd, path, was_there);
        if (*folder && !strcmp(path, folder)) of_fd[fd] = -1;
    }
    pthread_mutex_unlock(&lock);
    errno = error;
    return fd;
}

#define OPENS(name) \
    int name(const char *path, int flags, ...) { \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        return any_open(#name, path, flags, mode); \
    }
OPENS(open)
OPENS(open64)

int close(int fd) {
    REAL("close", int, int);
    pthread_mutex_lock(&lock);
    if (fd >= 0 && fd < FDS) of_fd[fd] = 0;
    int closed = real(fd);
    pthread_mutex_unlock(&lock);
    return closed;
}

static ssize_t any_write(int fd, const void *bytes, size_t size, off_t at) {
    REAL("pwrite", ssize_t, int, const void *, size_t, off_t);
    int last = is_last();
    if (last && count % 2 == 0 && real(fd, bytes, size / 2, at) < 0) abort();
    if (last) die();
    if (fails(WRITE)) return -1;
    ssize_t done = real(fd, bytes, size, at);
    if (done > 0) written(&files[of_fd[fd] - 1], at, at + done);
    return done;
}

#define PWRITES(name) \
    ssize_t name(int fd, const void *bytes, size_t size, off_t at) { \
        REAL("pwrite", ssize_t, int, const void *, size_t, off_t); \
        if (tracked(fd) <= 0) return real(fd, bytes, size, at); \
        pthread_mutex_lock(&lock); \
        ssize_t done = any_write(fd, bytes, size, at); \
        int error = errno; \
        pthread_mutex_unlock(&lock); \
        errno = error; \
        return done; \
    }
PWRITES(pwrite)
PWRITES(pwrite64)

ssize_t write(int fd, const void *bytes, size_t size) {
    REAL("write", ssize_t, int, const void *, size_t);
    if (tracked(fd) <= 0) return real(fd, bytes, size);
    pthread_mutex_lock(&lock);
    ssize_t done = any_write(fd, bytes, size, lseek(fd, 0, SEEK_CUR));
    int error = errno;
    if (done > 0) lseek(fd, done, SEEK_CUR);
    pthread_mutex_unlock(&lock);
    errno = error;
    return done;
}

#define TRUNCATES(name) \
    int name(int fd, off_t size) { \
        REAL("ftruncate", int, int, off_t); \
        if (tracked(fd) <= 0) return real(fd, size); \
        pthread_mutex_lock(&lock); \
        if (is_last()) die(); \
        /* Cutting a file off needs no space. */ \
        int done = fail_errno != ENOSPC && fails(WRITE) ? -1 : real(fd, size); \
        int error = errno; \
        pthread_mutex_unlock(&lock); \
        errno = error; \
        return done; \
    }
TRUNCATES(ftruncate)
TRUNCATES(ftruncate64)

static int any_sync(int fd) {
    pthread_mutex_lock(&lock);
    if (is_last()) die();
    int index = of_fd[fd] - 1, done = 0;
    if (fails(SYNC)) {
        /* A disk that fails once may forget what it was given, and say nothing of it later. */
        if (index >= 0) files[index].from = files[index].to = 0;
        done = -1;
    } else if (index >= 0) {
        keep(fd, index);
    } else {
        keep_names();
    }
    int error = errno;
    pthread_mutex_unlock(&lock);
    errno = error;
    return done;
}

#define SYNCS(name) \
    int name(int fd) { \
        REAL(#name, int, int); \
        return tracked(fd) ? any_sync(fd) : real(fd); \
    }
SYNCS(fsync)
SYNCS(fdatasync)

int unlink(const char *path) {
    REAL("unlink", int, const char *);
    pthread_mutex_lock(&lock);
    prepare();
    int ours = is_store(path);
    if (ours && is_last()) die();
    int done = real(path), error = errno;
    if (ours && !done)
        for (int index = 0; index < count_files; index++)
            if (!strcmp(files[index].name, strrchr(path, '/') + 1)) files[index].linked = 0;
    pthread_mutex_unlock(&lock);
    errno = error;
    return done;
}

__attribute__((destructor)) static void tell(void) {
    if (!*safe) return;
    char path[NAME + 32];
    snprintf(path, sizeof path, "%s/count", safe);
    FILE *told = fopen(path, "w");
    fprintf(told, "%ld %ld %ld %ld\n", count, kinds[WRITE], kinds[SYNC], kinds[OPEN]);
    fclose(told);
}
