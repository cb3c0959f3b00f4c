/* SPDX-License-Identifier: MIT */
/* One HTTP request by plain sockets: connect, send, read the first line.
 * Not here: addresses as text (listen.h).
 * Next: listen.h. */
#include "server/healthcheck.h"

#include "server/listen.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define HEALTH_TIMEOUT_S 2

static int health_socket(int family)
{
    const struct timeval limit = {.tv_sec = HEALTH_TIMEOUT_S};
    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0) { /* on Linux the send limit bounds connect too */
        (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
        (void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    }
    return fd;
}

static int health_connect(int family, const struct sockaddr *address, socklen_t bytes)
{
    int fd = health_socket(family);
    if (fd >= 0 && connect(fd, address, bytes) != 0) {
        int reason = errno;
        close(fd);
        errno = reason;
        return -1;
    }
    return fd;
}

static int health_connect_unix(const oban_address *address)
{
    struct sockaddr_un peer = {.sun_family = AF_UNIX};
    if (strlen(address->host) >= sizeof peer.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(peer.sun_path, address->host, strlen(address->host) + 1);
    return health_connect(AF_UNIX, (const struct sockaddr *)&peer, sizeof peer);
}

static int health_connect_tcp(const oban_address *address)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    char port[8];
    snprintf(port, sizeof port, "%u", (unsigned)address->port);
    if (getaddrinfo(address->host, port, &hints, &found) != 0) {
        errno = EADDRNOTAVAIL;
        return -1;
    }
    int fd = -1;
    for (const struct addrinfo *at = found; at != NULL && fd < 0; at = at->ai_next) {
        fd = health_connect(at->ai_family, at->ai_addr, at->ai_addrlen);
    }
    freeaddrinfo(found);
    return fd;
}

/* The status of the answer, or 0. */
static int health_ask(int fd)
{
    static const char request[] =
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    char answer[16] = {0}; /* HTTP/1.1 200 */
    size_t have = 0;
    if (send(fd, request, sizeof request - 1, MSG_NOSIGNAL) != (ssize_t)(sizeof request - 1)) {
        return 0;
    }
    while (have < 12) {
        ssize_t got = recv(fd, answer + have, 12 - have, 0);
        if (got <= 0) {
            return 0;
        }
        have += (size_t)got;
    }
    bool http = memcmp(answer, "HTTP/1.", 7) == 0 && answer[8] == ' ';
    for (int i = 9; i < 12; i++) {
        http = http && answer[i] >= '0' && answer[i] <= '9';
    }
    return http ? (answer[9] - '0') * 100 + (answer[10] - '0') * 10 + (answer[11] - '0') : 0;
}

bool oban_healthcheck(const char *text, oban_line *message)
{
    oban_address address;
    oban_line_clear(message);
    if (!oban_address_parse(text, &address, message)) {
        return false;
    }
    oban_line_clear(message);
    oban_line_add(message, text);
    int fd = address.unix_path ? health_connect_unix(&address) : health_connect_tcp(&address);
    if (fd < 0) {
        oban_line_add(message, ": cannot connect: ");
        oban_line_add(message, strerror(errno));
        return false;
    }
    int status = health_ask(fd);
    close(fd);
    oban_line_add(message, status == 200 ? ": well"
                           : status == 0 ? ": no answer to /healthz"
                                         : ": not well, it answers ");
    if (status != 200 && status != 0) {
        oban_line_add_i64(message, status);
    }
    return status == 200;
}
