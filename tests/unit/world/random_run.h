/* SPDX-License-Identifier: MIT */
/* A world with clips of every kind, and commands of every kind by chance: the same from the same
 * seed, on every machine. Shared by state_test.c and memory_test.c. */
#ifndef TESTS_WORLD_RANDOM_RUN_H
#define TESTS_WORLD_RANDOM_RUN_H

#include "tests/unit/world/rig.h"

enum { RUN_NUMBERS = 40 };

static const char *const run_clips[] = {"plain", "loop",  "pong",  "random",
                                        "auto",  "local", "mirror"};
#define RUN_CLIPS (sizeof run_clips / sizeof run_clips[0])

static UNUSED oban_clip *run_clip(const oban_alloc *alloc, uint32_t i)
{
    static const uint32_t flags[RUN_CLIPS] = {0,
                                              OBAN_CLIP_LOOP,
                                              OBAN_CLIP_PING_PONG,
                                              OBAN_CLIP_RANDOM_START,
                                              OBAN_CLIP_AUTOSTART | OBAN_CLIP_RANDOM_START,
                                              OBAN_CLIP_LOCAL,
                                              OBAN_CLIP_LOCAL | OBAN_CLIP_LOOP |
                                                  OBAN_CLIP_AUTOSTART};
    uint64_t random = 1000 + i;
    oban_key keys[9];
    for (int32_t k = 0; k < 9; k++) {
        keys[k].rotation =
            (oban_quat){rig_random_float(&random, -1, 1), rig_random_float(&random, -1, 1),
                        rig_random_float(&random, -1, 1), rig_random_float(&random, 0.1f, 1)};
        for (int axis = 0; axis < 3; axis++) {
            keys[k].position[axis] = rig_random_float(&random, -500, 500);
        }
        keys[k].frame = k * (3 + (int32_t)i);
    }
    oban_clip_def def = {.name = oban_text_of(run_clips[i]),
                         .flags = flags[i],
                         .start = rig_at((float)i, 1, 2),
                         .base = {{1.82f, 0.1f, 0, 0, 1.82f, 0, 0.3f, 0, 1.82f, 0.5f, 1, 2}},
                         .frame_length = 80,
                         .frame_count = keys[8].frame + 1,
                         .keys = keys,
                         .key_count = 9};
    if (i == 6) {
        def.base.m[0] = -1.82f;
    }
    oban_clip *clip = NULL;
    assert_int_equal(oban_clip_create(alloc, &def, &clip, NULL), OBAN_OK);
    return clip;
}

static UNUSED void run_open(rig *r)
{
    rig_open_with(r, 60, false);
    for (uint32_t i = 0; i < RUN_CLIPS; i++) {
        assert_int_equal(oban_world_clip_add(r->world, run_clip(&r->alloc, i)), OBAN_OK);
    }
}

static UNUSED oban_mat34 run_matrix(uint64_t *random)
{
    oban_mat34 m;
    for (int i = 0; i < 12; i++) {
        m.m[i] = rig_random_float(random, -2, 2);
    }
    return m;
}

/* Fills in any field that the op may have; out of range now and then. */
static UNUSED oban_command run_command(uint64_t *random)
{
    static const char *const texts[] = {"", "van", "a longer name than the others", "van.glb"};
    oban_command command = rig_command((oban_op)(rig_random(random) % OBAN_OP_COUNT));
    int32_t object = (int32_t)(rig_random(random) % RUN_NUMBERS);
    OBAN_SET(&command, object, object);
    OBAN_SET(&command, ref, (int32_t)(rig_random(random) % 20));
    OBAN_SET(&command, visible, rig_random(random) % 2 != 0);
    OBAN_SET(&command, anim, oban_text_of(run_clips[rig_random(random) % RUN_CLIPS]));
    OBAN_SET(&command, mode, (oban_camera_part)(rig_random(random) % 3));
    OBAN_SET(&command, frames, (int32_t)(rig_random(random) % 30));
    OBAN_SET(&command, matrix, run_matrix(random));
    if (rig_random(random) % 3 != 0) {
        OBAN_SET(&command, to, object - 1 + (int32_t)(rig_random(random) % 8));
    }
    if (rig_random(random) % 6 == 0) {
        OBAN_SET(&command, part, rig_random(random) % 3);
    }
    if (rig_random(random) % 12 == 0) {
        OBAN_SET(&command, life, 1 + rig_random(random) % 3);
    }
    if (rig_random(random) % 3 == 0) {
        OBAN_SET(&command, stop_frame, (int32_t)(rig_random(random) % 40));
    }
    if (rig_random(random) % 2 == 0) {
        OBAN_SET(&command, name, oban_text_of(texts[rig_random(random) % 4]));
        OBAN_SET(&command, geometry, oban_text_of(texts[rig_random(random) % 4]));
    }
    if (rig_random(random) % 3 == 0) {
        OBAN_SET(&command, create, rig_random(random) % 2 != 0);
        OBAN_SET(&command, play, rig_random(random) % 2 != 0);
    }
    if (command.op == OBAN_OP_GS_FOV_SET || rig_random(random) % 3 == 0) {
        OBAN_SET(&command, fov, rig_random_float(random, 1, 179));
    }
    static const char *const people[] = {"0", "char_1", "konoko", "shinatama"};
    oban_who who;
    (void)oban_who_of(oban_text_of(people[rig_random(random) % 4]), &who);
    OBAN_SET(&command, character, who);
    OBAN_SET(&command, door, (int32_t)(rig_random(random) % 3));
    OBAN_SET(&command, leaf, rig_random(random) % 2);
    OBAN_SET(&command, norotation, rig_random(random) % 2 != 0);
    OBAN_SET(&command, speed, rig_random_float(random, -5, 5));
    if (rig_random(random) % 2 == 0) {
        OBAN_SET(&command, stop_angle, rig_random_float(random, 0, 90));
    }
    if (rig_random(random) % 30 == 0) {
        OBAN_SET(&command, anim, oban_text_of("no such clip"));
    }
    return command;
}

/* One tick, or one pass while time is held, with up to three commands. */
static UNUSED void run_tick(rig *r, uint64_t *random)
{
    bool held = rig_random(random) % 8 == 0;
    oban_world_events_clear(r->world);
    if (!held) {
        r->memory.closed = 1;
        oban_world_tick_begin(r->world);
        r->memory.closed = 0;
    }
    for (uint32_t n = rig_random(random) % 4; n > 0; n--) {
        oban_command command = run_command(random);
        (void)oban_world_apply(r->world, &command, &r->result);
    }
    r->memory.closed = 1;
    oban_world_tick_end(r->world);
    r->memory.closed = 0;
    oban_world_gone_prune(r->world, NULL, 0);
}

#endif
