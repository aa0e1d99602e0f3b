// SPDX-License-Identifier: Apache-2.0
// Makes a program's files slow: LD_PRELOAD it. Each write of a regular file, and each flush, first waits so many milliseconds as the
// file SLOWDISK_FILE says; not at all while that is not there. Sockets and pipes stay as they are. A throttled device would not do:
// Atomix's storage node writes its log without a flush, so the system's cache would take it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static void wait_as_told(void) {
    const char *name = getenv("SLOWDISK_FILE");
    FILE *file = name ? fopen(name, "r") : NULL;
    if (!file) return;
    long millis = 0;
    if (fscanf(file, "%ld", &millis) != 1) millis = 0;
    fclose(file);
    struct timespec time = {millis / 1000, millis % 1000 * 1000000};
    nanosleep(&time, NULL);
}

static void before(int fd) {
    struct stat what;
    if (!fstat(fd, &what) && S_ISREG(what.st_mode)) wait_as_told();
}

#define REAL(result, name, ...) static result (*real)(__VA_ARGS__); if (!real) real = (result (*)(__VA_ARGS__)) dlsym(RTLD_NEXT, #name)

ssize_t write(int fd, const void *from, size_t count) {
    REAL(ssize_t, write, int, const void *, size_t);
    before(fd);
    return real(fd, from, count);
}

ssize_t pwrite64(int fd, const void *from, size_t count, off64_t offset) {
    REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t);
    before(fd);
    return real(fd, from, count, offset);
}

int fsync(int fd) {
    REAL(int, fsync, int);
    before(fd);
    return real(fd);
}

int fdatasync(int fd) {
    REAL(int, fdatasync, int);
    before(fd);
    return real(fd);
}

int msync(void *start, size_t length, int flags) {
    REAL(int, msync, void *, size_t, int);
    wait_as_told();
    return real(start, length, flags);
}
