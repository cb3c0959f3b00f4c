/* SPDX-License-Identifier: MIT */
/* obanctl follow: the scene as it moves, as a live table or as JSON lines. What arrives is merged
 * at once; what is shown is thinned out to the rate, and the newest is always shown in the end.
 * Next: scene.h, table.h. */
#include "clients/obanctl/command.h"
#include "clients/obanctl/memory.h"
#include "clients/obanctl/scene.h"
#include "clients/obanctl/screen.h"
#include "clients/obanctl/signals.h"
#include "clients/obanctl/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIVE_RATE_HZ 15.0
#define METER_US 1000000
#define CLOCK_US 1000000 /* the live table is drawn at least so often */
#define SILENT_US 3000000

/* Ticks per second, over the last one to two seconds. */
typedef struct meter {
    uint64_t tick;
    int64_t at_us; /* 0: not started */
    uint64_t older_tick;
    int64_t older_us;
    double rate_hz; /* negative: not known yet */
} meter;

typedef struct following {
    ctl_session *session;
    ctl_scene scene;
    ctl_selection chosen;
    bool live;
    bool ready;  /* the first snapshot is whole */
    bool paused; /* as hello and time events say */
    bool due;    /* something has not been shown yet */
    bool told;   /* what is missing has been complained of */
    double nominal_hz;
    meter meter;
    int64_t interval_us;
    int64_t end_us;
    int64_t shown_us;
    int64_t heard_us;
    int64_t snapshot_deadline_us;
    uint64_t shown;
    ctl_page json;
} following;

bool follow_check(const ctl_options *options)
{
    ctl_selection words = {NULL, 0};
    bool good = true;
    oban_line fault;

    for (int i = 0; i < options->arg_count && good; ++i) {
        good = selection_add(&words, options->args[i], &fault);
        if (!good) {
            page_complain("follow: %s", fault.data);
        }
    }
    selection_fini(&words);
    return good;
}

/* ---- the meter ------------------------------------------------------------------------------- */

static void meter_start(meter *meter_, uint64_t tick, int64_t now_us)
{
    *meter_ = (meter){tick, now_us, tick, now_us, -1.0};
}

static void meter_note(meter *meter_, uint64_t tick, int64_t now_us)
{
    if (tick < meter_->tick) {
        meter_start(meter_, tick, now_us);
        return;
    }
    if (now_us - meter_->at_us >= METER_US) {
        meter_->rate_hz =
            (double)(tick - meter_->older_tick) * 1e6 / (double)(now_us - meter_->older_us);
        meter_->older_tick = meter_->tick;
        meter_->older_us = meter_->at_us;
        meter_->tick = tick;
        meter_->at_us = now_us;
    }
}

/* ---- showing --------------------------------------------------------------------------------- */

static const char *state_word(const following *state, int64_t now_us, char room[64])
{
    if (!state->ready) {
        return "waiting for the snapshot";
    }
    if (state->paused) {
        return "time is held";
    }
    if (now_us - state->heard_us >= SILENT_US) {
        (void)snprintf(room, 64, "silent for %lld s",
                       (long long)((now_us - state->heard_us) / 1000000));
        return room;
    }
    return "live";
}

static void draw_head(const following *state, ctl_page *page, const table_view *view)
{
    int64_t now_us = connection_now_us();
    char room[64];
    char rate[32] = "";
    char counts[128];
    char line[1024];

    scene_counts(&state->scene, counts, sizeof counts);
    if (state->meter.rate_hz >= 0.0) {
        (void)snprintf(rate, sizeof rate, " (%.1f ticks/s)", state->meter.rate_hz);
    }
    (void)snprintf(line, sizeof line, "%s: %s, tick %llu%s, %s",
                   state->session->options->address.url, state_word(state, now_us, room),
                   (unsigned long long)state->scene.tick, rate, counts);
    if (state->scene.skipped > 0) {
        size_t used = strlen(line);

        (void)snprintf(line + used, sizeof line - used, ", %llu ticks skipped",
                       (unsigned long long)state->scene.skipped);
    }
    table_line(page, view, "\033[1m", line);
}

static bool show_live(following *state)
{
    ctl_page *out = &state->session->out;
    table_view view = {
        .colours = screen_has_colours(), .held = state->paused, .rate_hz = state->nominal_hz};

    screen_size(&view.columns, &view.rows);
    page_add(out, "\033[H");
    draw_head(state, out, &view);
    --view.rows;
    table_draw(out, &state->scene, &state->chosen, &view);
    return session_write(state->session);
}

static bool show_json(following *state)
{
    oban_writer *json = &state->json.text;

    oban_writer_clear(json);
    oban_writer_object_begin(json);
    oban_writer_key(json, "tick");
    oban_writer_u64(json, state->scene.tick);
    scene_write(&state->scene, &state->chosen, json);
    oban_writer_object_end(json);
    page_json_line(&state->session->out, json->data, json->bytes);
    return session_write(state->session);
}

/* Shows what is due, if the rate allows. Returns false when the following is done. */
static bool show(following *state, bool whatever_the_rate)
{
    int64_t now_us = connection_now_us();
    uint64_t count = state->session->options->count;

    if (!state->ready || !state->due ||
        (!whatever_the_rate && now_us - state->shown_us < state->interval_us)) {
        return true;
    }
    state->due = false;
    state->shown_us = now_us;
    if (!(state->live ? show_live(state) : show_json(state))) {
        return false;
    }
    return ++state->shown != count;
}

/* ---- what arrives ---------------------------------------------------------------------------- */

static void begin_session(following *state)
{
    const oban_json *paused = oban_json_member(state->session->root, "paused");
    int64_t rate_hz = session_number(state->session, "rate_hz");

    scene_clear(&state->scene);
    state->ready = false;
    state->snapshot_deadline_us = session_deadline(state->session);
    state->paused =
        paused != NULL && oban_json_type_of(paused) == OBAN_JSON_BOOL && oban_json_bool(paused);
    state->nominal_hz = rate_hz > 0 ? (double)rate_hz : 60.0;
}

static void note_event(following *state)
{
    const oban_json *change = oban_json_member(state->session->root, "change");

    if (change != NULL && oban_json_type_of(change) == OBAN_JSON_STRING) {
        const char *word = oban_json_string(change);

        state->paused =
            strcmp(word, "paused") == 0 || (state->paused && strcmp(word, "resumed") != 0);
        state->due = state->due || state->live;
    }
}

static bool merge(following *state)
{
    oban_line fault;

    if (scene_merge(&state->scene, state->session->root, &fault)) {
        return true;
    }
    session_fail_message(state->session, fault.data);
    return false;
}

/* Whether the range is a number alone, for the first time. */
static bool is_new_number(const ctl_selection *chosen, size_t index)
{
    const selection_range *one = &chosen->ranges[index];

    for (size_t i = 0; i < index; ++i) {
        if (chosen->ranges[i].from == one->from && chosen->ranges[i].to == one->from) {
            return false;
        }
    }
    return one->from == one->to;
}

/* Says once which numbers have no object. A live table steps aside for that. */
static void tell_missing(following *state)
{
    bool aside = false;

    for (size_t i = 0; i < state->chosen.count && !state->told; ++i) {
        int64_t object = state->chosen.ranges[i].from;

        if (is_new_number(&state->chosen, i) && !scene_has(&state->scene, object)) {
            screen_leave();
            aside = state->live;
            page_complain("no object %lld now; waiting for it", (long long)object);
        }
    }
    state->told = true;
    if (aside) {
        screen_enter();
    }
}

/* Takes in a message. Returns false when the following is done. */
static bool take_message(following *state)
{
    state->heard_us = connection_now_us();
    switch (state->session->kind) {
    case MESSAGE_HELLO:
        begin_session(state);
        return true;
    case MESSAGE_SNAPSHOT:
        return merge(state);
    case MESSAGE_SNAPSHOT_END:
        state->ready = true;
        state->due = true;
        meter_start(&state->meter, state->scene.tick, state->heard_us);
        tell_missing(state);
        return show(state, !state->live);
    case MESSAGE_FRAME:
        if (!merge(state)) {
            return false;
        }
        meter_note(&state->meter, state->scene.tick, state->heard_us);
        state->due = true;
        return show(state, false);
    case MESSAGE_EVENT:
        note_event(state);
        return true;
    default:
        return true;
    }
}

/* ---- the loop -------------------------------------------------------------------------------- */

/* When to wake up if nothing arrives. */
static int64_t next_deadline(const following *state)
{
    int64_t deadline_us = state->end_us;
    int64_t own_us = CONNECTION_FOREVER;

    if (!state->ready) {
        own_us = state->snapshot_deadline_us;
    } else if (state->due) {
        own_us = state->shown_us + state->interval_us;
    } else if (state->live) {
        own_us = state->shown_us + CLOCK_US;
    }
    return own_us < deadline_us ? own_us : deadline_us;
}

/* Ctrl-Z: the terminal is given back until the program goes on. */
static void suspend(following *state)
{
    if (state->live && signals_suspended()) {
        screen_leave();
        signals_suspend();
        screen_enter();
    }
}

/* The deadline has come, or a signal. Returns false when the following is done. */
static bool take_time(following *state)
{
    suspend(state);
    if (state->ready) {
        meter_note(&state->meter, state->scene.tick, connection_now_us());
    }
    state->due = state->due || state->live; /* the clock, or another size */
    return show(state, false);
}

/* Whether the time is up, for all or for the snapshot. */
static bool time_is_up(following *state)
{
    int64_t now_us = connection_now_us();

    if (!state->ready && now_us >= state->snapshot_deadline_us) {
        session_fail(state->session, EXIT_LOST, "no whole snapshot came in time (see --timeout)");
        return true;
    }
    if (now_us >= state->end_us) {
        (void)show(state, true);
        return true;
    }
    return false;
}

static void loop(following *state)
{
    bool going = true;

    while (going) {
        session_news news = session_next(state->session, next_deadline(state));

        going = news == SESSION_MESSAGE ? take_message(state)
                : news == SESSION_TIME  ? take_time(state)
                                        : false;
        going = going && !time_is_up(state);
    }
}

void follow_run(ctl_session *session)
{
    const ctl_options *options = session->options;
    following state = {.session = session, .live = !options->json && screen_is_live()};
    double rate_hz = options->rate_hz;
    oban_line ignored; /* follow_check has complained */

    if (state.live && (rate_hz <= 0.0 || rate_hz > LIVE_RATE_HZ)) {
        rate_hz = LIVE_RATE_HZ;
    }
    state.interval_us = rate_hz > 0.0 ? (int64_t)(1e6 / rate_hz) : 0;
    state.end_us = session_seconds(options->for_s);
    state.snapshot_deadline_us = session_deadline(session);
    scene_init(&state.scene);
    page_init(&state.json);
    for (int i = 0; i < options->arg_count; ++i) {
        (void)selection_add(&state.chosen, options->args[i], &ignored);
    }
    signals_start(session->connection);
    if (state.live) {
        signals_start_screen();
        screen_enter();
    }
    loop(&state);
    screen_leave();
    page_fini(&state.json);
    selection_fini(&state.chosen);
    scene_fini(&state.scene);
}
