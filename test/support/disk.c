/*
 * A disk that misbehaves on command, for one process and the files of the books alone. Loaded with LD_PRELOAD; the file
 * named by LANGO_TEST_DISK says how the disk is, in one line:
 *   full        writing answers ENOSPC
 *   broken      writing and flushing answer EIO
 *   slow USEC   flushing takes that much longer
 *   anything else: a good disk
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is_of_books(int fd) {
  char link[64], path[512];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return strstr(path, "lango.db") != NULL || strstr(path, "lango.lock") != NULL;
}

static void read_mood(char *mood, size_t size) {
  const char *file = getenv("LANGO_TEST_DISK");
  mood[0] = 0;
  int fd = file == NULL ? -1 : open(file, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  ssize_t length = syscall(SYS_read, fd, mood, size - 1);
  close(fd);
  mood[length < 0 ? 0 : length] = 0;
}

static int refuses_write(int fd) {
  if (!is_of_books(fd)) return 0;
  char mood[32];
  read_mood(mood, sizeof mood);
  if (strncmp(mood, "full", 4) == 0) errno = ENOSPC;
  else if (strncmp(mood, "broken", 6) == 0) errno = EIO;
  else return 0;
  return 1;
}

static int refuses_flush(int fd) {
  if (!is_of_books(fd)) return 0;
  char mood[32];
  read_mood(mood, sizeof mood);
  if (strncmp(mood, "slow ", 5) == 0) usleep((useconds_t)atoi(mood + 5));
  if (strncmp(mood, "broken", 6) != 0) return 0;
  errno = EIO;
  return 1;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *bytes, size_t count) {
  return refuses_write(fd) ? -1 : syscall(SYS_write, fd, bytes, count);
}
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
  return refuses_write(fd) ? -1 : NEXT(pwrite)(fd, bytes, count, at);
}
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
  return refuses_write(fd) ? -1 : NEXT(pwrite64)(fd, bytes, count, at);
}
int fsync(int fd) { return refuses_flush(fd) ? -1 : NEXT(fsync)(fd); }
int fdatasync(int fd) { return refuses_flush(fd) ? -1 : NEXT(fdatasync)(fd); }
