/* SPDX-License-Identifier: MIT */
/* Many clients in one process that read all and look at nothing: recv(MSG_TRUNC) throws the bytes
 * away in the kernel, so that the server's cost shows and not the client's. The first client cuts
 * its stream into frames and counts them; the others must get as many bytes. load_client PORT
 * CLIENTS Says "ready" when all are connected; to each line on stdin answers "BYTES_FIRST
 * BYTES_LEAST BYTES_MOST BYTES_ALL FRAMES_FIRST", all since the start; ends with stdin. Not here:
 * what the bytes mean (run.py checks that elsewhere). Next: raw_server.c. */
#include "bench/dial.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#define EVENTS 256
#define DISCARD_BYTES ((size_t)1 << 22)

typedef struct load_client {
    int fd;
    uint64_t bytes;
    frame_header header; /* of the first only */
    uint64_t left;       /* of the present frame's payload */
    uint64_t frames;
} load_client;

static load_client *clients;
static uint32_t client_count;

static void lost(void)
{
    fprintf(stderr, "load_client: the server closed a connection\n");
    exit(1);
}

/* Returns how many bytes were thrown away; 0: none there. */
static uint64_t discard(load_client *client, uint64_t most)
{
    ssize_t got = recv(client->fd, NULL, most, MSG_TRUNC | MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
        lost();
    }
    client->bytes += got > 0 ? (uint64_t)got : 0;
    return got > 0 ? (uint64_t)got : 0;
}

/* The first client: header, payload, header, ... until nothing is there. */
static void read_frames(load_client *client)
{
    for (;;) {
        if (client->left == 0) {
            int whole = frame_header_read(client->fd, &client->header);
            if (whole < 0) {
                lost();
            }
            if (whole == 0) {
                return;
            }
            client->bytes += client->header.have;
            client->left = client->header.payload;
            client->frames += client->header.text;
            client->header = (frame_header){.have = 0};
        }
        uint64_t got = client->left > 0 ? discard(client, client->left) : 0;
        if (got == 0 && client->left > 0) {
            return;
        }
        client->left -= got;
    }
}

static void report(void)
{
    uint64_t least = UINT64_MAX;
    uint64_t most = 0;
    uint64_t all = 0;
    for (uint32_t i = 0; i < client_count; i++) {
        uint64_t bytes = clients[i].bytes;
        least = bytes < least ? bytes : least;
        most = bytes > most ? bytes : most;
        all += bytes;
    }
    printf("%llu %llu %llu %llu %llu\n", (unsigned long long)clients[0].bytes,
           (unsigned long long)least, (unsigned long long)most, (unsigned long long)all,
           (unsigned long long)clients[0].frames);
    fflush(stdout);
}

/* Returns false at the end of stdin. */
static bool take_command(void)
{
    char line[64];
    ssize_t got = read(STDIN_FILENO, line, sizeof line);
    if (got > 0) {
        report();
    }
    return got > 0;
}

static void add(int epoll, int fd, uint32_t index)
{
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = index};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) != 0) {
        perror("load_client: epoll_ctl");
        exit(1);
    }
}

static void serve(int epoll)
{
    struct epoll_event events[EVENTS];
    for (;;) {
        int count = epoll_wait(epoll, events, EVENTS, -1);
        for (int i = 0; i < count; i++) {
            uint32_t index = events[i].data.u32;
            if (index == client_count) {
                if (!take_command()) {
                    return;
                }
            } else if (index == 0) {
                read_frames(&clients[0]);
            } else {
                discard(&clients[index], DISCARD_BYTES);
            }
        }
    }
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: load_client PORT CLIENTS\n");
        return 64;
    }
    uint16_t port = (uint16_t)strtoul(argv[1], NULL, 10);
    client_count = (uint32_t)strtoul(argv[2], NULL, 10);
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    clients = calloc(client_count, sizeof *clients);
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    if (clients == NULL || epoll < 0 || client_count == 0) {
        return 1;
    }
    for (uint32_t i = 0; i < client_count; i++) {
        clients[i].fd = dial(port);
        add(epoll, clients[i].fd, i);
    }
    add(epoll, STDIN_FILENO, client_count);
    printf("ready\n");
    fflush(stdout);
    serve(epoll);
    return 0;
}
