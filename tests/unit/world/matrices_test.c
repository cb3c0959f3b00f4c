/* SPDX-License-Identifier: MIT */
/* Phase 4 goes by way of the batch: after every pass each object's m has the very bits that its
 * clip gives by itself, while objects come, go and change places in the index of the living. Next:
 * ../anim/batch_test.c. */
#include "tests/unit/world/random_run.h"

enum { PASSES = 4000 };

/* How many objects were compared. */
static uint32_t check_matrices(const oban_world *world)
{
    uint32_t compared = 0;
    for (uint32_t i = 0; i < oban_world_live_count(world); i++) {
        const oban_object *object = oban_world_live_at(world, i);
        if (!object->posed || object->broken) {
            continue;
        }
        oban_mat34 m = object->norotation
                           ? oban_clip_matrix_without_rotation(object->clip, object->player.frame)
                           : oban_clip_matrix(object->clip, object->player.frame);
        if ((object->clip->flags & OBAN_CLIP_LOCAL) != 0 ||
            oban_kind_of(object->number) == OBAN_KIND_DOOR) {
            m = oban_mat34_multiply(&object->origin, &m);
        }
        assert_memory_equal(m.m, object->m.m, sizeof m.m);
        compared += 1;
    }
    return compared;
}

static void test_random_run(void **state)
{
    rig r;
    uint64_t random = 20261130;
    uint64_t compared = 0;
    uint32_t most = 0;
    (void)state;
    run_open(&r);
    for (int pass = 0; pass < PASSES; pass++) {
        run_tick(&r, &random);
        compared += check_matrices(r.world);
        most = oban_world_live_count(r.world) > most ? oban_world_live_count(r.world) : most;
    }
    assert_true(compared > 10000);
    assert_true(most > 16); /* more than two tiles of the batch */
    oban_world_destroy(r.world);
    assert_int_equal(r.memory.bytes, 0);
}

/* More than one stretch and many tiles, all moving, and every third one killed on the way. */
static void test_many(void **state)
{
    rig r;
    (void)state;
    rig_open(&r);
    for (uint32_t i = 0; i < RUN_CLIPS; i++) {
        assert_int_equal(oban_world_clip_add(r.world, run_clip(&r.alloc, i)), OBAN_OK);
    }
    for (int32_t i = 0; i < 300; i++) {
        oban_command create = rig_command(OBAN_OP_OBJ_CREATE);
        OBAN_SET(&create, object, i);
        assert_int_equal(oban_world_apply(r.world, &create, &r.result), OBAN_OK);
        oban_command play = rig_command(OBAN_OP_ENV_SETANIM);
        OBAN_SET(&play, object, i);
        OBAN_SET(&play, anim, oban_text_of(run_clips[(uint32_t)i % RUN_CLIPS]));
        assert_int_equal(oban_world_apply(r.world, &play, &r.result), OBAN_OK);
        oban_world_events_clear(r.world);
    }
    for (int32_t tick = 0; tick < 100; tick++) {
        oban_world_tick_begin(r.world);
        oban_command kill = rig_command(OBAN_OP_OBJ_KILL);
        OBAN_SET(&kill, object, 3 * tick);
        assert_int_equal(oban_world_apply(r.world, &kill, &r.result), OBAN_OK);
        oban_world_tick_end(r.world);
        assert_int_equal(check_matrices(r.world), 299 - tick);
    }
    oban_world_destroy(r.world);
    assert_int_equal(r.memory.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_run),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
