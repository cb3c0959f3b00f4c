/* SPDX-License-Identifier: MIT */
/* Connecting and cutting frames. Not here: what is done with them. Next: load_client.c. */
#include "bench/dial.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void give_up(const char *what)
{
    fprintf(stderr, "bench: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* Byte by byte, so that nothing of the first frame is taken. */
static void take_answer(int fd)
{
    char answer[2048];
    size_t bytes = 0;
    while (bytes < 4 || memcmp(answer + bytes - 4, "\r\n\r\n", 4) != 0) {
        if (bytes == sizeof answer || recv(fd, answer + bytes, 1, 0) != 1) {
            give_up("no answer to the upgrade");
        }
        bytes += 1;
    }
    if (memcmp(answer, "HTTP/1.1 101", 12) != 0) {
        give_up("the upgrade was refused");
    }
}

int dial(uint16_t port)
{
    char request[256];
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
        give_up("cannot connect");
    }
    int bytes = snprintf(request, sizeof request,
                         "GET /ws HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nUpgrade: websocket\r\n"
                         "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                         "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
                         port);
    if (send(fd, request, (size_t)bytes, MSG_NOSIGNAL) != bytes) {
        give_up("cannot send the upgrade");
    }
    take_answer(fd);
    return fd;
}

static size_t header_bytes(const frame_header *header)
{
    if (header->have < 2) {
        return 2;
    }
    unsigned length = header->bytes[1] & 0x7fu;
    return length == 127 ? 10 : length == 126 ? 4 : 2;
}

static uint64_t payload_bytes(const frame_header *header)
{
    uint64_t length = header->bytes[1] & 0x7fu;
    size_t whole = header_bytes(header);
    if (whole > 2) {
        length = 0;
    }
    for (size_t i = 2; i < whole; i++) {
        length = length << 8 | header->bytes[i];
    }
    return length;
}

int frame_header_read(int fd, frame_header *header)
{
    while (header->have < header_bytes(header)) {
        ssize_t got = recv(fd, header->bytes + header->have, header_bytes(header) - header->have,
                           MSG_DONTWAIT);
        if (got <= 0) {
            return got < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
        }
        header->have += (size_t)got;
    }
    header->payload = payload_bytes(header);
    header->text = (header->bytes[0] & 0x0fu) == 1;
    return 1;
}
