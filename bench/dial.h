/* SPDX-License-Identifier: MIT */
/* A WebSocket client's start, and its frames: connect to 127.0.0.1, ask for the upgrade, take the
 * answer; then cut the server's unmasked frames out of the stream. Not here: sending, pings,
 * closing in order (the benches just hang up). Next: load_client.c, lateness.c. */
#ifndef OBAN_BENCH_DIAL_H
#define OBAN_BENCH_DIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Connects and upgrades, blocking. Returns the socket, or ends the program. */
int dial(uint16_t port);

/* The header of a frame as far as it has come. */
typedef struct frame_header {
    unsigned char bytes[10];
    size_t have;
    uint64_t payload;
    bool text;
} frame_header;

/* Reads on from the socket. Returns 1 when the header is whole, 0 when more must come, -1 when the
 * connection has ended. */
int frame_header_read(int fd, frame_header *header);

#endif
