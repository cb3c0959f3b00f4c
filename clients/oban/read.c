/* SPDX-License-Identifier: MIT */
/* See read.h. */
#include "clients/oban/read.h"

#include "clients/obanctl/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_FIRST_BYTES ((size_t)64 << 10)

/* Up to `room` bytes; fewer at the end. -1 with errno. */
static ssize_t fill(int fd, char *bytes, size_t room)
{
    size_t done = 0;

    while (done < room) {
        ssize_t n = read(fd, bytes + done, room - done);

        if (n == 0) {
            break;
        }
        if (n > 0) {
            done += (size_t)n;
        } else if (errno != EINTR) {
            return -1;
        }
    }
    return (ssize_t)done;
}

/* What has no size beforehand: the room doubles until the end, or until it is too much. */
static bool read_stream(int fd, char **bytes, size_t *size, const char **why)
{
    size_t room = READ_FIRST_BYTES;

    *size = 0;
    *bytes = memory_take(room + 1);
    for (;;) {
        ssize_t n = fill(fd, *bytes + *size, room - *size);

        if (n < 0) {
            *why = strerror(errno);
            return false;
        }
        *size += (size_t)n;
        if (*size < room) {
            return true;
        }
        if (room > READ_BYTES_MAX) {
            *why = "is over 256 MiB";
            return false;
        }
        room *= 2;
        *bytes = memory_resize(*bytes, room + 1);
    }
}

static bool read_regular(int fd, size_t expected, char **bytes, size_t *size, const char **why)
{
    ssize_t n;

    *bytes = memory_take(expected + 1);
    n = fill(fd, *bytes, expected);
    if (n != (ssize_t)expected) {
        *why = n < 0 ? strerror(errno) : "has shrunk while it was read";
        return false;
    }
    *size = expected;
    return true;
}

static bool read_open(int fd, bool standard, char **bytes, size_t *size, const char **why)
{
    struct stat found;

    if (fstat(fd, &found) != 0) {
        *why = strerror(errno);
        return false;
    }
    if (S_ISREG(found.st_mode) && found.st_size > (off_t)READ_BYTES_MAX) {
        *why = "is over 256 MiB";
        return false;
    }
    if (standard) {
        return read_stream(fd, bytes, size, why);
    }
    if (!S_ISREG(found.st_mode)) {
        *why = S_ISDIR(found.st_mode) ? "is a folder" : "is no regular file";
        return false;
    }
    return read_regular(fd, (size_t)found.st_size, bytes, size, why);
}

bool read_file(const char *path, char **bytes, size_t *size, const char **why)
{
    bool standard = strcmp(path, "-") == 0;
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    bool good = false;

    *bytes = NULL;
    if (fd < 0) {
        *why = strerror(errno);
        return false;
    }
    good = read_open(fd, standard, bytes, size, why);
    if (!good) {
        free(*bytes);
        *bytes = NULL;
    } else {
        (*bytes)[*size] = '\0';
    }
    if (!standard) {
        (void)close(fd);
    }
    return good;
}

const char *read_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}
