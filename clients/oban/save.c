/* SPDX-License-Identifier: MIT */
/* See save.h. */
#include "clients/oban/save.h"

#include "clients/oban/tell.h"
#include "clients/obanctl/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The name of the half-written file, for the handler; "" when there is none. */
static char temporary[PATH_MAX];
static volatile sig_atomic_t temporary_there;

static const int end_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU};
#define END_SIGNALS (sizeof end_signals / sizeof end_signals[0])

static char **made_folders;
static size_t made_count;

/* ---- signals --------------------------------------------------------------------------------- */

static void on_signal(int number)
{
    if (temporary_there) {
        (void)unlink(temporary);
    }
    (void)raise(number); /* SA_RESETHAND: now it ends the program */
}

void save_setup(void)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    (void)sigemptyset(&action.sa_mask);
    action.sa_handler = on_signal;
    action.sa_flags = (int)SA_RESETHAND;
    for (size_t i = 0; i < END_SIGNALS; i++) {
        struct sigaction old;

        /* Whoever started us with a signal ignored (nohup) wants it so. */
        if (sigaction(end_signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) {
            (void)sigaction(end_signals[i], &action, NULL);
        }
    }
    /* Too large a file is an error of write, which is told. */
    action.sa_handler = SIG_IGN;
    action.sa_flags = 0;
    (void)sigaction(SIGXFSZ, &action, NULL);
}

/* ---- one file -------------------------------------------------------------------------------- */

static bool write_all(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t n = write(fd, bytes, size);

        if (n >= 0) {
            bytes += n;
            size -= (size_t)n;
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

static bool complain(const char *path)
{
    tell(path, NULL, "cannot be written: %s", strerror(errno));
    return false;
}

static bool write_through(const char *path, const void *bytes, size_t size)
{
    int fd = strcmp(path, "-") == 0 ? dup(STDOUT_FILENO) : open(path, O_WRONLY | O_CLOEXEC);
    bool good = fd >= 0 && write_all(fd, bytes, size);

    if (!good) {
        (void)complain(path);
    }
    if (fd >= 0 && close(fd) != 0 && good) {
        good = complain(path);
    }
    return good;
}

/* Opens a new file beside the target. -1 with errno. */
static int open_temporary(const char *path)
{
    const char *slash = strrchr(path, '/');
    int folder = slash != NULL ? (int)(slash - path) + 1 : 0;
    int bytes = snprintf(temporary, sizeof temporary, "%.*s.oban-XXXXXX", folder, path);
    sigset_t held;
    sigset_t before;
    int fd;

    if (bytes < 0 || (size_t)bytes >= sizeof temporary) {
        errno = ENAMETOOLONG;
        return -1;
    }
    /* Between its making and its being noted no signal may come. */
    (void)sigemptyset(&held);
    for (size_t i = 0; i < END_SIGNALS; i++) {
        (void)sigaddset(&held, end_signals[i]);
    }
    (void)sigprocmask(SIG_BLOCK, &held, &before);
    fd = mkostemp(temporary, O_CLOEXEC);
    temporary_there = fd >= 0;
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    return fd;
}

/* The new name is taken in one step, and only when nothing has it, unless by force. */
static bool put_in_place(const char *path, bool force)
{
    if (force) {
        return rename(temporary, path) == 0;
    }
    if (renameat2(AT_FDCWD, temporary, AT_FDCWD, path, RENAME_NOREPLACE) == 0) {
        return true;
    }
    if (errno != EINVAL && errno != ENOSYS) {
        return false;
    }
    if (link(temporary, path) != 0) { /* for file systems without the call above */
        return false;
    }
    (void)unlink(temporary);
    return true;
}

static mode_t new_mode(void)
{
    mode_t mask = umask(0);
    (void)umask(mask);
    return 0666 & ~mask;
}

static bool replace(const char *path, const void *bytes, size_t size, bool force, mode_t mode)
{
    int fd = open_temporary(path);

    if (fd < 0) {
        return complain(path);
    }
    bool good = write_all(fd, bytes, size) && fchmod(fd, mode) == 0;
    int error = errno;
    if (close(fd) != 0 && good) {
        good = false;
        error = errno;
    }
    if (good && !put_in_place(path, force)) {
        good = false;
        error = errno;
    }
    if (!good) {
        (void)unlink(temporary);
    }
    temporary_there = 0;
    errno = error;
    if (!good && errno == EEXIST) {
        tell(path, NULL, "is there already; --force overwrites it");
        return false;
    }
    return good || complain(path);
}

/* A link is followed to the file that is to be replaced. */
static bool replace_behind_link(const char *path, const void *bytes, size_t size, mode_t mode)
{
    char *target = realpath(path, NULL);

    if (target == NULL) {
        tell(path, NULL, "is a symbolic link that leads nowhere");
        return false;
    }
    bool good = replace(target, bytes, size, true, mode);
    free(target);
    return good;
}

bool save_file(const char *path, const void *bytes, size_t size, bool force)
{
    struct stat found;
    struct stat link_found;

    if (strcmp(path, "-") == 0) {
        return write_through(path, bytes, size);
    }
    if (lstat(path, &link_found) != 0) {
        return errno == ENOENT ? replace(path, bytes, size, false, new_mode()) : complain(path);
    }
    if (stat(path, &found) == 0 && (S_ISCHR(found.st_mode) || S_ISFIFO(found.st_mode))) {
        return write_through(path, bytes, size);
    }
    if (stat(path, &found) == 0 && !S_ISREG(found.st_mode)) {
        tell(path, NULL, "is %s, not a file", S_ISDIR(found.st_mode) ? "a folder" : "a device");
        return false;
    }
    if (!force) {
        tell(path, NULL, "is there already; --force overwrites it");
        return false;
    }
    return S_ISLNK(link_found.st_mode)
               ? replace_behind_link(path, bytes, size, found.st_mode & 0777)
               : replace(path, bytes, size, true, found.st_mode & 0777);
}

/* ---- folders --------------------------------------------------------------------------------- */

bool save_is_folder(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

/* One folder, whose parent is there. */
static bool make_one(const char *path)
{
    if (mkdir(path, 0777) == 0) {
        made_folders = memory_resize(made_folders, (made_count + 1) * sizeof *made_folders);
        made_folders[made_count++] = memory_string(path);
        return true;
    }
    if (errno == EEXIST && save_is_folder(path)) {
        return true;
    }
    tell(path, NULL, "cannot be made: %s", strerror(errno == EEXIST ? ENOTDIR : errno));
    return false;
}

bool save_folder(const char *path)
{
    char *part = memory_string(path);
    bool good = true;

    for (char *at = part + 1; good && *part != '\0' && *at != '\0'; at++) {
        if (*at == '/' && at[-1] != '/') {
            *at = '\0';
            good = save_is_folder(part) || make_one(part);
            *at = '/';
        }
    }
    good = good && (save_is_folder(part) || make_one(part));
    free(part);
    return good;
}

bool save_folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder;

    if (slash == NULL || slash == path) {
        return true;
    }
    folder = memory_string(path);
    folder[slash - path] = '\0';
    bool good = save_folder(folder);
    free(folder);
    return good;
}

void save_tidy(void)
{
    for (size_t i = made_count; i > 0; i--) {
        (void)rmdir(made_folders[i - 1]); /* fails when something lies in it */
        free(made_folders[i - 1]);
    }
    free(made_folders);
    made_folders = NULL;
    made_count = 0;
}
