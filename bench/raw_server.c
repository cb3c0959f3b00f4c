/* SPDX-License-Identifier: MIT */
/* The bound of fan-out: a server that does nothing but send() one shared buffer, framed once, to
 * each client 60 times a second. It answers any request with an upgrade and never reads again.
 *   raw_server PORT FILE      FILE holds the message
 * Not here: WebSocket beyond one frame. Next: load_client.c. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define CLIENTS_MAX 4096

enum { TAG_LISTEN = -1, TAG_TICK = -2 };

static int clients[CLIENTS_MAX];
static int client_count;
static unsigned char *frame;
static size_t frame_bytes;

static void must(int good, const char *what)
{
    if (!good) {
        fprintf(stderr, "raw_server: %s: %s\n", what, strerror(errno));
        exit(1);
    }
}

static void load_frame(const char *path)
{
    static unsigned char message[1 << 20];
    FILE *file = fopen(path, "rb");
    must(file != NULL, path);
    size_t bytes = fread(message, 1, sizeof message, file);
    fclose(file);
    must(bytes >= 126 && bytes < sizeof message, "a message of 126 bytes to 1 MiB is needed");
    size_t header = bytes < 65536 ? 4 : 10;
    frame = calloc(1, header + bytes);
    must(frame != NULL, "no memory");
    frame[0] = 0x81;
    frame[1] = header == 4 ? 126 : 127;
    for (size_t i = 2; i < header; i++) {
        size_t shift = 8 * (header - 1 - i);
        frame[i] = (unsigned char)(bytes >> shift);
    }
    memcpy(frame + header, message, bytes);
    frame_bytes = header + bytes;
}

static int listen_at(uint16_t port)
{
    int on = 1;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    must(bind(fd, (struct sockaddr *)&address, sizeof address) == 0, "bind");
    must(listen(fd, 4096) == 0, "listen");
    return fd;
}

static void watch(int epoll, int fd, int tag)
{
    struct epoll_event event = {.events = EPOLLIN, .data.fd = tag};
    must(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0, "epoll_ctl");
}

static void take_clients(int listener, int epoll)
{
    int on = 1;
    int fd;
    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        watch(epoll, fd, fd);
    }
}

/* The request, or the end. */
static void take_bytes(int epoll, int fd)
{
    static const char answer[] = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                                 "Connection: Upgrade\r\n\r\n";
    char request[4096];
    ssize_t got = recv(fd, request, sizeof request, 0);
    if (got > 0 && client_count < CLIENTS_MAX) {
        must(send(fd, answer, sizeof answer - 1, MSG_NOSIGNAL) > 0, "send");
        clients[client_count++] = fd;
    } else if (got == 0 || errno != EAGAIN) {
        for (int i = 0; i < client_count; i++) {
            clients[i] = clients[i] == fd ? clients[--client_count] : clients[i];
        }
        epoll_ctl(epoll, EPOLL_CTL_DEL, fd, NULL);
        close(fd);
    }
}

/* A client that cannot take all would get half a frame: then the run is void. */
static void tick(int timer)
{
    uint64_t times;
    must(read(timer, &times, sizeof times) == sizeof times, "timer");
    for (int i = 0; i < client_count; i++) {
        ssize_t sent = send(clients[i], frame, frame_bytes, MSG_NOSIGNAL);
        must(sent == (ssize_t)frame_bytes || (sent < 0 && errno != EAGAIN), "a client is full");
    }
}

int main(int argc, char **argv)
{
    must(argc == 3, "usage: raw_server PORT FILE");
    load_frame(argv[2]);
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    int listener = listen_at((uint16_t)strtoul(argv[1], NULL, 10));
    struct itimerspec period = {{0, 1000000000 / 60}, {0, 1000000000 / 60}};
    timerfd_settime(timer, 0, &period, NULL);
    watch(epoll, listener, TAG_LISTEN);
    watch(epoll, timer, TAG_TICK);
    for (;;) {
        struct epoll_event events[64];
        int count = epoll_wait(epoll, events, 64, -1);
        for (int i = 0; i < count; i++) {
            int tag = events[i].data.fd;
            if (tag == TAG_LISTEN) {
                take_clients(listener, epoll);
            } else if (tag == TAG_TICK) {
                tick(timer);
            } else {
                take_bytes(epoll, tag);
            }
        }
    }
}
