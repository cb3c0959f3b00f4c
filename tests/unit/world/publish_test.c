/* SPDX-License-Identifier: MIT */
/* Tests of what is published: stamps, what is gone, hidden references, matrices that are not
 * finite. A model client that takes only what the stamps say must hold the same scene. */
#include "tests/unit/world/rig.h"

#include <math.h>

static oban_command env_show(int32_t ref, bool visible)
{
    oban_command command = rig_command(OBAN_OP_ENV_SHOW);
    OBAN_SET(&command, ref, ref);
    OBAN_SET(&command, visible, visible);
    return command;
}

static uint32_t gone_count(const rig *r)
{
    uint32_t count;
    (void)oban_world_gone(r->world, &count);
    return count;
}

static void the_publication_rises_with_each_end(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    assert_int_equal(oban_world_publication(r.world), 0);
    assert_int_equal(oban_world_changed(r.world), 0);
    rig_tick(&r);
    rig_settle(&r); /* while held, too */
    assert_int_equal(oban_world_publication(r.world), 2);
    assert_int_equal(oban_world_tick(r.world), 1);
    assert_int_equal(oban_world_changed(r.world), 0);
    rig_do(&r, rig_on(OBAN_OP_OBJ_CREATE, 1));
    assert_int_equal(oban_world_changed(r.world), 3); /* the one in the making */
    rig_settle(&r);
    rig_ticks(&r, 5);
    assert_int_equal(oban_world_changed(r.world), 3);
    const oban_object *object = rig_object(&r, 1);
    assert_int_equal(object->born, 3);
    assert_int_equal(object->touched, 3);
    for (int i = 0; i < OBAN_STAMP_COUNT; i++) {
        assert_int_equal(object->stamps[i], 3);
    }
    rig_close(&r);
}

static void each_field_has_its_stamp(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_add(&r, "a", OBAN_CLIP_PING_PONG, 10);
    rig_add(&r, "b", 0, 12);
    rig_do(&r, rig_define(1, "a", NULL));
    rig_settle(&r);
    const oban_object *object = rig_object(&r, 1);
    uint64_t next = oban_world_publication(r.world) + 1;

    rig_do(&r, rig_on(OBAN_OP_OBJ_HIDE, 1));
    assert_int_equal(object->stamps[OBAN_STAMP_VISIBLE], next);
    assert_int_equal(object->touched, next);
    rig_settle(&r);

    oban_command command = rig_define(1, NULL, NULL);
    OBAN_SET(&command, name, oban_text_of("n"));
    OBAN_SET(&command, geometry, oban_text_of("g"));
    rig_do(&r, command);
    assert_int_equal(object->stamps[OBAN_STAMP_NAME], ++next);
    assert_int_equal(object->stamps[OBAN_STAMP_GEOMETRY], next);
    rig_settle(&r);
    rig_do(&r, command); /* the same again: nothing */
    assert_int_equal(object->touched, next++);
    rig_settle(&r);

    command = rig_on(OBAN_OP_ENV_ANIM, 1);
    OBAN_SET(&command, stop_frame, 4);
    rig_do(&r, command);
    assert_int_equal(object->stamps[OBAN_STAMP_RUN], ++next);
    assert_int_equal(object->stamps[OBAN_STAMP_STATE], next);
    assert_int_equal(object->stamps[OBAN_STAMP_STOP_FRAME], next);
    assert_true(object->stamps[OBAN_STAMP_FRAMES] < next);
    assert_true(object->stamps[OBAN_STAMP_STEP] < next);
    rig_settle(&r);
    uint64_t run = next;

    rig_ticks(&r, 3); /* only the frame and m */
    next += 3;
    assert_int_equal(object->touched, next);
    assert_int_equal(object->stamps[OBAN_STAMP_STATE], run);
    rig_tick(&r); /* turns at the stop frame: the step */
    assert_int_equal(object->stamps[OBAN_STAMP_STEP], ++next);

    rig_do(&r, rig_setanim(1, "b"));
    assert_int_equal(object->stamps[OBAN_STAMP_FRAMES], ++next);
    rig_settle(&r);
    rig_do(&r, rig_on(OBAN_OP_ENV_PAUSE, 1));
    assert_int_equal(object->stamps[OBAN_STAMP_STATE], ++next);
    rig_settle(&r);
    rig_ticks(&r, 9); /* paused: nothing changes */
    assert_int_equal(object->touched, next);
    assert_int_equal(oban_world_changed(r.world), next);
    rig_close(&r);
}

static void once_more_at_the_stop_and_then_no_more(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_add(&r, "a", 0, 5);
    rig_do(&r, rig_on(OBAN_OP_OBJ_CREATE, 1));
    rig_do(&r, rig_setanim(1, "a"));
    rig_settle(&r);
    for (int i = 0; i < 5; i++) { /* the last of them is the stop, and shows frame 4 again */
        rig_tick(&r);
        assert_int_equal(rig_object(&r, 1)->touched, oban_world_publication(r.world));
    }
    uint64_t last = oban_world_publication(r.world);
    rig_ticks(&r, 5);
    assert_int_equal(rig_object(&r, 1)->touched, last);
    rig_close(&r);
}

static void m_is_touched_only_when_a_bit_differs(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_do(&r, rig_on(OBAN_OP_OBJ_CREATE, 1));
    rig_settle(&r);
    uint64_t born = rig_object(&r, 1)->touched;
    oban_command command = rig_on(OBAN_OP_OBJ_PLACE, 1);
    OBAN_SET(&command, matrix, oban_mat34_identity());
    rig_do(&r, command);
    rig_settle(&r);
    assert_int_equal(rig_object(&r, 1)->touched, born);
    command.matrix.m[1] = -0.0f;
    rig_do(&r, command);
    assert_int_equal(rig_object(&r, 1)->touched, born + 2);
    rig_close(&r);
}

/* ---- gone ------------------------------------------------------------------------------------ */

static void what_was_seen_and_killed_is_gone(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_do(&r, rig_range(OBAN_OP_OBJ_CREATE, 1, 3));
    rig_settle(&r); /* publication 1 */
    uint32_t h = rig_object(&r, 2)->h;
    rig_ticks(&r, 4);
    rig_do(&r, rig_on(OBAN_OP_OBJ_KILL, 2));
    assert_int_equal(oban_world_changed(r.world), 6);
    rig_do(&r, rig_on(OBAN_OP_OBJ_CREATE, 9));
    rig_do(&r, rig_on(OBAN_OP_OBJ_KILL, 9)); /* nobody has seen it */
    uint32_t count;
    const oban_gone *gone = oban_world_gone(r.world, &count);
    assert_int_equal(count, 1);
    assert_int_equal(gone->kind, OBAN_KIND_OBJECT);
    assert_int_equal(gone->number, 2);
    assert_int_equal(gone->part, 0);
    assert_int_equal(gone->life, 1);
    assert_int_equal(gone->h, h);
    assert_int_equal(gone->born, 1);
    assert_int_equal(gone->gone, 6);
    assert_int_equal(oban_world_changed(r.world), 6);
    rig_close(&r);
}

static void gone_is_kept_while_a_client_may_show_it(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_ticks(&r, 3);
    rig_do(&r, rig_on(OBAN_OP_OBJ_CREATE, 1));
    rig_settle(&r); /* born in publication 4 */
    rig_ticks(&r, 3);
    rig_do(&r, rig_on(OBAN_OP_OBJ_KILL, 1));
    rig_settle(&r); /* gone in publication 8 */
    static const struct {
        uint64_t seen[3];
        uint32_t kept;
    } cases[] = {
        {{7, 8, 20}, 1},
        {{4, 8, 8}, 1},
        {{3, 20, 5}, 1},
        {{3, 8, 9}, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(gone_count(&r), 1);
        oban_world_gone_prune(r.world, cases[i].seen, 3);
        assert_int_equal(gone_count(&r), cases[i].kept);
    }
    rig_do(&r, rig_on(OBAN_OP_OBJ_CREATE, 1));
    rig_settle(&r);
    rig_do(&r, rig_on(OBAN_OP_OBJ_KILL, 1));
    assert_int_equal(gone_count(&r), 1);
    oban_world_gone_prune(r.world, NULL, 0); /* no client at all */
    assert_int_equal(gone_count(&r), 0);
    rig_close(&r);
}

/* ---- references ------------------------------------------------------------------------------ */

static void references_are_hidden_and_shown(void **state)
{
    (void)state;
    rig r;
    uint32_t count;
    uint64_t touched;
    rig_open(&r);
    rig_do(&r, rig_on(OBAN_OP_OBJ_CREATE, 7)); /* another name space */
    rig_settle(&r);
    rig_do(&r, env_show(7, true)); /* shown already */
    assert_events(&r, "");
    rig_do(&r, env_show(7, false));
    assert_int_equal(r.result.kind, OBAN_RESULT_REF);
    assert_int_equal(r.result.ref, 7);
    assert_false(r.result.visible);
    rig_do(&r, env_show(3, false));
    rig_do(&r, env_show(7, false));
    assert_events(&r, "hidden ref 7; hidden ref 3");
    assert_true(rig_object(&r, 7)->visible);
    const int32_t *refs = oban_world_hidden_refs(r.world, &count, &touched);
    assert_int_equal(count, 2);
    assert_int_equal(refs[0], 3);
    assert_int_equal(refs[1], 7);
    assert_int_equal(touched, 2);
    assert_int_equal(oban_world_changed(r.world), 2);
    rig_settle(&r);
    rig_do(&r, env_show(3, true));
    assert_events(&r, "shown ref 3");
    (void)oban_world_hidden_refs(r.world, &count, &touched);
    assert_int_equal(count, 1);
    assert_int_equal(touched, 3);
    rig_close(&r);
}

static void so_many_references_and_no_more(void **state)
{
    (void)state;
    rig r;
    uint32_t count;
    uint64_t touched;
    rig_open(&r);
    for (int32_t i = 0; i < (int32_t)OBAN_REFS_HIDDEN_MAX; i++) {
        rig_do(&r, env_show(i, false));
        oban_world_events_clear(r.world);
    }
    rig_refused(&r, env_show((int32_t)OBAN_REFS_HIDDEN_MAX, false), OBAN_LIMIT, "ref",
                "refs_hidden_max is 65536: so many references are hidden already");
    rig_do(&r, env_show(5, false)); /* one that is */
    rig_do(&r, env_show(5, true));
    rig_do(&r, env_show(INT32_MAX, false));
    const int32_t *refs = oban_world_hidden_refs(r.world, &count, &touched);
    assert_int_equal(count, OBAN_REFS_HIDDEN_MAX);
    for (uint32_t i = 1; i < count; i++) {
        assert_true(refs[i - 1] < refs[i]);
    }
    rig_close(&r);
}

/* ---- what is not finite ---------------------------------------------------------------------- */

/* Goes from 0 at frame 0 to what overflows with the origin at frame 4, and back. */
static void add_overflowing(rig *r)
{
    oban_key keys[3];
    for (int32_t i = 0; i < 3; i++) {
        keys[i] = (oban_key){.rotation = {0, 0, 0, 1}, .frame = 4 * i};
    }
    keys[1].position[0] = 2e38f;
    const oban_clip_def def = {.name = oban_text_of("far"),
                               .flags = OBAN_CLIP_LOCAL | OBAN_CLIP_LOOP,
                               .start = oban_mat34_identity(),
                               .base = oban_mat34_identity(),
                               .frame_count = 9,
                               .keys = keys,
                               .key_count = 3};
    oban_clip *clip = NULL;
    assert_int_equal(oban_clip_create(&r->alloc, &def, &clip, NULL), OBAN_OK);
    assert_int_equal(oban_world_clip_add(r->world, clip), OBAN_OK);
}

static void a_matrix_that_is_not_finite_is_told_once_and_gone(void **state)
{
    (void)state;
    rig r;
    uint32_t count;
    oban_mat34 origin = rig_at(2.5e38f, 0, 0);
    rig_open(&r);
    add_overflowing(&r);
    rig_do(&r, rig_define(1, "far", &origin));
    rig_do(&r, rig_on(OBAN_OP_ENV_ANIM, 1));
    rig_settle(&r);
    const oban_object *object = rig_object(&r, 1);
    static const char *const told[] = {"", "warning 1", "", "", "", "", ""};
    for (int i = 0; i < 7; i++) { /* frames 1 to 7; 2 to 6 are out of range */
        oban_mat34 before = object->m;
        rig_tick(&r);
        assert_events(&r, told[i]);
        bool out = i >= 1 && i <= 5;
        assert_int_equal(object->broken, out);
        assert_true(oban_mat34_finite(&object->m));
        assert_true(!out || oban_mat34_same(&object->m, &before)); /* keeps the last */
        const oban_event *event = oban_world_events(r.world, &count);
        if (count > 0) {
            assert_int_equal(event->kind, OBAN_KIND_OBJECT);
            assert_non_null(event->message);
        }
        (void)oban_world_gone(r.world, &count); /* for who reads frames it goes, once */
        assert_int_equal(count, i >= 1);
        if (i == 6) { /* and comes back as new */
            assert_int_equal(object->born, oban_world_publication(r.world));
        }
        if (i == 5) { /* while it is broken: placed elsewhere, it is whole */
            oban_mat34 m = oban_world_object_matrix(r.world, object);
            assert_true(oban_mat34_finite(&m));
        }
    }
    rig_ticks(&r, 3); /* round again, into frame 1 */
    assert_events(&r, "");
    rig_tick(&r); /* frame 2: told again, for it was whole between */
    assert_events(&r, "warning 1");
    oban_command command = rig_on(OBAN_OP_ENV_STOP, 1);
    rig_do(&r, command);
    command = rig_on(OBAN_OP_OBJ_PLACE, 1);
    OBAN_SET(&command, matrix, oban_mat34_identity());
    rig_do(&r, command);
    assert_false(object->broken);
    rig_close(&r);
}

/* ---- a client that takes only what the stamps say -------------------------------------------- */

/* What a client holds of one object. */
typedef struct held {
    bool there;
    uint32_t life;
    uint32_t run;
    int32_t frame;
    int32_t step;
    int32_t stop_frame;
    uint32_t frames;
    bool playing;
    bool paused;
    bool visible;
    const oban_clip *clip;
    oban_mat34 m;
} held;

enum { CLIENT_NUMBERS = 12 };

typedef struct client {
    uint64_t seen;
    held objects[CLIENT_NUMBERS];
} client;

static uint32_t frames_of(const oban_object *object)
{
    return object->clip != NULL ? object->clip->frame_count : 0;
}

/* Takes the newest publication: gone first, then each object touched since the one last seen. */
static void client_take(client *c, const rig *r)
{
    uint32_t count;
    const oban_gone *gone = oban_world_gone(r->world, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (gone[i].born <= c->seen && c->seen < gone[i].gone) {
            held *h = &c->objects[gone[i].number];
            assert_true(h->there && h->life == gone[i].life);
            h->there = false;
        }
    }
    for (uint32_t i = 0; i < oban_world_live_count(r->world); i++) {
        const oban_object *o = oban_world_live_at(r->world, i);
        held *h = &c->objects[o->number];
        bool all = o->born > c->seen;
        if (o->touched <= c->seen) {
            continue;
        }
        assert_true(oban_world_changed(r->world) > c->seen);
        assert_true(all || (h->there && h->life == o->life));
        *h = all ? (held){.there = true, .life = o->life} : *h;
        h->clip = o->clip;
        h->frame = o->player.frame;
        h->m = o->m;
        h->run = o->stamps[OBAN_STAMP_RUN] > c->seen ? o->player.run : h->run;
        h->step = o->stamps[OBAN_STAMP_STEP] > c->seen ? o->player.step : h->step;
        h->frames = o->stamps[OBAN_STAMP_FRAMES] > c->seen ? frames_of(o) : h->frames;
        h->visible = o->stamps[OBAN_STAMP_VISIBLE] > c->seen ? o->visible : h->visible;
        if (o->stamps[OBAN_STAMP_STOP_FRAME] > c->seen) {
            h->stop_frame = o->player.stop_frame;
        }
        if (o->stamps[OBAN_STAMP_STATE] > c->seen) {
            h->playing = o->player.playing;
            h->paused = o->player.paused;
        }
    }
    c->seen = oban_world_publication(r->world);
}

static void client_check(const client *c, const rig *r)
{
    for (int32_t number = 0; number < CLIENT_NUMBERS; number++) {
        const held *h = &c->objects[number];
        const oban_object *o = oban_world_object(r->world, number, 0);
        assert_true(h->there == (o != NULL));
        if (o != NULL) {
            assert_true(h->life == o->life && h->run == o->player.run);
            assert_true(h->frame == o->player.frame && h->step == o->player.step);
            assert_true(h->stop_frame == o->player.stop_frame && h->frames == frames_of(o));
            assert_true(h->playing == o->player.playing && h->paused == o->player.paused);
            assert_true(h->visible == o->visible && h->clip == o->clip);
            assert_true(oban_mat34_same(&h->m, &o->m));
        }
    }
}

static void random_command(rig *r, uint64_t *random)
{
    static const oban_op ops[] = {OBAN_OP_OBJ_CREATE, OBAN_OP_OBJ_CREATE, OBAN_OP_OBJ_KILL,
                                  OBAN_OP_OBJ_SHOW,   OBAN_OP_OBJ_HIDE,   OBAN_OP_ENV_ANIM,
                                  OBAN_OP_ENV_STOP,   OBAN_OP_ENV_PAUSE,  OBAN_OP_ENV_RESUME};
    static const char *const clips[] = {"a", "pong", "door"};
    int32_t number = (int32_t)(rig_random(random) % CLIENT_NUMBERS);
    oban_command command = rig_range(ops[rig_random(random) % 9], number, number);
    if (command.op == OBAN_OP_ENV_ANIM) {
        OBAN_SET(&command, stop_frame, (int32_t)(rig_random(random) % 4));
    }
    if (rig_random(random) % 4 == 0) {
        command = rig_setanim(number, clips[rig_random(random) % 3]);
    }
    if (rig_random(random) % 8 == 0) {
        oban_mat34 matrix = rig_at(rig_random_float(random, -9, 9), 0, 0);
        command = rig_define(number, clips[rig_random(random) % 3], &matrix);
    }
    (void)rig_apply(r, command);
}

static void frames_alone_are_enough_to_hold_the_scene(void **state)
{
    (void)state;
    enum { CLIENTS = 4 };
    rig r;
    client clients[CLIENTS];
    uint64_t random = 5;
    rig_open(&r);
    rig_add(&r, "a", 0, 6);
    rig_add(&r, "pong", OBAN_CLIP_PING_PONG | OBAN_CLIP_AUTOSTART, 4);
    rig_add(&r, "door", OBAN_CLIP_LOCAL, 8);
    memset(clients, 0, sizeof clients);
    for (int i = 0; i < 4000; i++) {
        uint64_t seen[CLIENTS];
        oban_world_events_clear(r.world);
        if (rig_random(&random) % 4 != 0) {
            oban_world_tick_begin(r.world);
        }
        for (uint32_t n = rig_random(&random) % 4; n > 0; n--) {
            random_command(&r, &random);
        }
        oban_world_tick_end(r.world);
        for (uint32_t c = 0; c < CLIENTS; c++) { /* the later ones skip more */
            if (rig_random(&random) % (c * c + 1) == 0) {
                client_take(&clients[c], &r);
                client_check(&clients[c], &r);
            }
            seen[c] = clients[c].seen;
        }
        oban_world_gone_prune(r.world, seen, CLIENTS);
    }
    assert_true(gone_count(&r) < 200);
    rig_close(&r);
}

static void types_and_kinds_have_their_words(void **state)
{
    (void)state;
    assert_string_equal(oban_event_type_word(OBAN_EVENT_STOP), "stop");
    assert_string_equal(oban_event_type_word(OBAN_EVENT_TIME), "time");
    assert_string_equal(oban_kind_word(OBAN_KIND_OBJECT), "object");
    assert_string_equal(oban_kind_word(OBAN_KIND_CAMERA), "camera");
    assert_string_equal(oban_kind_word(OBAN_KIND_REF), "ref");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_publication_rises_with_each_end),
        cmocka_unit_test(each_field_has_its_stamp),
        cmocka_unit_test(once_more_at_the_stop_and_then_no_more),
        cmocka_unit_test(m_is_touched_only_when_a_bit_differs),
        cmocka_unit_test(what_was_seen_and_killed_is_gone),
        cmocka_unit_test(gone_is_kept_while_a_client_may_show_it),
        cmocka_unit_test(references_are_hidden_and_shown),
        cmocka_unit_test(so_many_references_and_no_more),
        cmocka_unit_test(a_matrix_that_is_not_finite_is_told_once_and_gone),
        cmocka_unit_test(frames_alone_are_enough_to_hold_the_scene),
        cmocka_unit_test(types_and_kinds_have_their_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
