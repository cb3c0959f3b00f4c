/* SPDX-License-Identifier: MIT */
/* See refusal.h. */
#include "clients/obanctl/refusal.h"

#include "proto/json/json.h"

#include <errno.h>
#include <netdb.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

enum { ANSWER_BYTES = 16384, PATIENCE_S = 2 };

static void set_patience(int fd)
{
    struct timeval patience = {.tv_sec = PATIENCE_S};

    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    (void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
}

/* Returns a connected socket, or -1 with errno. */
static int connect_one(int family, const struct sockaddr *to, socklen_t bytes)
{
    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int error;

    if (fd < 0) {
        return -1;
    }
    set_patience(fd);
    if (connect(fd, to, bytes) == 0) {
        return fd;
    }
    error = errno == EINPROGRESS ? ETIMEDOUT : errno;
    (void)close(fd);
    errno = error;
    return -1;
}

static int connect_unix(const ctl_address *address)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};

    (void)snprintf(to.sun_path, sizeof to.sun_path, "%.*s", (int)sizeof to.sun_path - 1,
                   address->host);
    return connect_one(AF_UNIX, (const struct sockaddr *)&to, sizeof to);
}

static int connect_tcp(const ctl_address *address, const char **why)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    char port[8];
    int status;
    int fd = -1;

    (void)snprintf(port, sizeof port, "%u", (unsigned)address->port);
    status = getaddrinfo(address->host, port, &hints, &found);
    if (status != 0) {
        *why = gai_strerror(status);
        return -1;
    }
    for (const struct addrinfo *one = found; one != NULL && fd < 0; one = one->ai_next) {
        fd = connect_one(one->ai_family, one->ai_addr, one->ai_addrlen);
    }
    freeaddrinfo(found);
    return fd;
}

/* Asks for a WebSocket and reads until the answer ends. Returns the bytes. */
static size_t ask(int fd, const ctl_address *address, char answer[ANSWER_BYTES])
{
    char request[2048];
    size_t bytes = 0;
    ssize_t got = 1;
    int wanted = snprintf(request, sizeof request,
                          "GET %s HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\n"
                          "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                          "Sec-WebSocket-Key: b2JhbmN0bCBhc2tzIHdoeQ==\r\n"
                          "Sec-WebSocket-Protocol: oban.v1\r\n\r\n",
                          address->path, address->authority);

    if (wanted <= 0 || (size_t)wanted >= sizeof request ||
        send(fd, request, (size_t)wanted, MSG_NOSIGNAL) != wanted) {
        return 0;
    }
    while (got > 0 && bytes < ANSWER_BYTES - 1) {
        got = recv(fd, answer + bytes, ANSWER_BYTES - 1 - bytes, 0);
        bytes += got > 0 ? (size_t)got : 0;
        answer[bytes] = '\0';
        if (strncmp(answer, "HTTP/1.1 101", 12) == 0) {
            break;
        }
    }
    return bytes;
}

/* Adds the message of a {code, message} body, or else the words of the status line. */
static void add_reason(const char *answer, size_t bytes, oban_line *why)
{
    const char *body = strstr(answer, "\r\n\r\n");
    const char *words = strchr(answer + 9, ' ');
    oban_json *root = NULL;
    oban_json_fault fault;
    const oban_json *message = NULL;

    if (body != NULL &&
        oban_json_parse(body + 4, bytes - (size_t)(body + 4 - answer), &root, &fault) == OBAN_OK &&
        oban_json_type_of(root) == OBAN_JSON_OBJECT) {
        message = oban_json_member(root, "message");
    }
    if (message != NULL && oban_json_type_of(message) == OBAN_JSON_STRING) {
        oban_line_add(why, ": ");
        oban_line_add(why, oban_json_string(message));
    } else if (words != NULL) {
        oban_line_add_text(why, (oban_text){words, (uint32_t)strcspn(words, "\r\n")});
    }
    oban_json_free(root);
}

/* The three digits of "HTTP/1.1 404 ...", or 0. */
static unsigned status_of(const char *answer, size_t bytes)
{
    unsigned status = 0;

    if (bytes < 12 || strncmp(answer, "HTTP/1.", 7) != 0 || answer[8] != ' ') {
        return 0;
    }
    for (int i = 9; i < 12; ++i) {
        if (answer[i] < '0' || answer[i] > '9') {
            return 0;
        }
        status = status * 10 + (unsigned)(answer[i] - '0');
    }
    return status;
}

static bool read_answer(const char *answer, size_t bytes, oban_line *why)
{
    unsigned status = status_of(answer, bytes);

    if (status == 0) {
        oban_line_add(why, bytes == 0 ? "the handshake is not answered"
                                      : "what answers there does not speak HTTP");
        return bytes > 0;
    }
    if (status == 101) {
        oban_line_add(why, "its answer to the WebSocket handshake is not a good one");
        return false;
    }
    oban_line_add(why, "HTTP ");
    oban_line_add_u64(why, status);
    add_reason(answer, bytes, why);
    return true;
}

bool refusal_explain(const ctl_address *address, oban_line *why)
{
    const char *trouble = NULL;
    char answer[ANSWER_BYTES] = "";
    bool explained;
    int fd = address->is_unix ? connect_unix(address) : connect_tcp(address, &trouble);

    oban_line_clear(why);
    if (fd < 0) {
        oban_line_add(why, trouble != NULL ? trouble : strerror(errno));
        return true;
    }
    explained = read_answer(answer, ask(fd, address, answer), why);
    (void)close(fd);
    return explained;
}
