/* SPDX-License-Identifier: MIT */
/* How late ticks are, and at what rate they come in the long run, as one client of the real daemon
 * sees it: the time at which each frame is here, against the tick number that it holds. lateness
 * PORT SECONDS The scene must hold something that always moves, so that each tick has its frame.
 * Not here: CPU (run.py). Next: dial.h. */
#include "bench/dial.h"
#include "bench/measure.h"

#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define FRAMES_MAX (60u * 3600u)

static double ticks[FRAMES_MAX];
static double times[FRAMES_MAX]; /* in seconds */
static double late[FRAMES_MAX];
static uint32_t count;

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void note(const char *text, double time)
{
    static const char start[] = "{\"op\":\"frame\",\"tick\":";
    if (memcmp(text, start, sizeof start - 1) == 0 && count < FRAMES_MAX) {
        ticks[count] = (double)strtoull(text + sizeof start - 1, NULL, 10);
        times[count] = time;
        count += 1;
    }
}

/* One whole message; its time is that of its first bytes. */
static void read_message(int fd)
{
    static char text[1 << 20];
    frame_header header = {.have = 0};
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    int whole;
    poll(&ready, 1, 5000);
    double time = now_s();
    while ((whole = frame_header_read(fd, &header)) == 0) {
        if (poll(&ready, 1, 5000) == 0) {
            wrong("no frame for 5 seconds");
        }
    }
    if (whole < 0 || header.payload >= sizeof text ||
        recv(fd, text, header.payload, MSG_WAITALL) != (ssize_t)header.payload) {
        wrong("the connection ended, or a message is too long");
    }
    text[header.payload] = '\0';
    note(text, time);
}

/* The slope of tick over time, by least squares: what one late frame at an end does to it is
 * little. */
static double rate_hz(void)
{
    double time_mean = 0;
    double tick_mean = 0;
    double above = 0;
    double below = 0;
    for (uint32_t i = 0; i < count; i++) {
        time_mean += (times[i] - times[0]) / count;
        tick_mean += (ticks[i] - ticks[0]) / count;
    }
    for (uint32_t i = 0; i < count; i++) {
        double time = times[i] - times[0] - time_mean;
        above += time * (ticks[i] - ticks[0] - tick_mean);
        below += time * time;
    }
    return above / below;
}

/* Against the earliest frame, in ms: the clock's true zero is the daemon's own. */
static void report_lateness(void)
{
    double least = 1e9;
    double missing = ticks[count - 1] - ticks[0] + 1 - count;
    for (uint32_t i = 0; i < count; i++) {
        late[i] = (times[i] - times[0] - (ticks[i] - ticks[0]) / 60.0) * 1e3;
        least = late[i] < least ? late[i] : least;
        if (i > 0 && ticks[i] <= ticks[i - 1]) {
            wrong("the ticks do not rise");
        }
    }
    double middle = median(late, count); /* sorts */
    figure("ticks.late_p50_ms", middle - least);
    figure("ticks.late_p99_ms", late[count - 1 - count / 100] - least);
    figure("ticks.late_max_ms", late[count - 1] - least);
    figure("ticks.missing", missing);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        wrong("usage: lateness PORT SECONDS");
    }
    int fd = dial((uint16_t)strtoul(argv[1], NULL, 10));
    double end = now_s() + strtod(argv[2], NULL);
    while (now_s() < end) {
        read_message(fd);
    }
    close(fd);
    if (count < 60) {
        wrong("fewer than 60 frames came");
    }
    figure("ticks.hz", rate_hz());
    figure("ticks.frames", count);
    report_lateness();
    return 0;
}
