/* SPDX-License-Identifier: MIT */
/* Characters that animations carry: behaviour 6. Next: camera_test.c. */
#include "tests/unit/world/rig.h"

static oban_who who(const char *word)
{
    oban_who made;
    assert_true(oban_who_of(oban_text_of(word), &made));
    return made;
}

static oban_status carry(rig *r, const char *word, const char *anim, bool norotation)
{
    oban_command command = rig_command(OBAN_OP_CHR_ENVANIM);
    OBAN_SET(&command, character, who(word));
    OBAN_SET(&command, anim, oban_text_of(anim));
    if (norotation) {
        OBAN_SET(&command, norotation, true);
    }
    oban_world_pass_begin(r->world);
    return oban_world_apply(r->world, &command, &r->result);
}

static oban_status let_go(rig *r, const char *word)
{
    oban_command command = rig_command(OBAN_OP_CHR_ENVANIM_STOP);
    OBAN_SET(&command, character, who(word));
    oban_world_pass_begin(r->world);
    return oban_world_apply(r->world, &command, &r->result);
}

static bool carried(const rig *r, const char *word)
{
    oban_who one = who(word);
    return oban_world_carried(r->world, &one);
}

/* The only character there is; NULL: none. */
static const oban_object *only(const rig *r)
{
    uint32_t end = 0;
    uint32_t first = oban_world_live_of(r->world, OBAN_KIND_CHARACTER, &end);
    assert_true(end - first <= 1);
    return first < end ? oban_world_live_at(r->world, first) : NULL;
}

static void assert_told(rig *r, const char *expected)
{
    char text[512] = "";
    uint32_t count = 0;
    const oban_event *events = oban_world_events(r->world, &count);
    for (uint32_t i = 0; i < count; i++) {
        size_t at = strlen(text);
        assert_int_equal(events[i].kind, OBAN_KIND_CHARACTER);
        bool stop = events[i].type == OBAN_EVENT_STOP;
        if (stop || events[i].type == OBAN_EVENT_START) {
            snprintf(text + at, sizeof text - at, "%s %s %u f%d %s; ", stop ? "stop" : "start",
                     events[i].name != NULL ? events[i].name : "number", events[i].run,
                     events[i].frame, oban_stop_reason_word(events[i].reason));
        }
    }
    assert_string_equal(text, expected);
    oban_world_events_clear(r->world);
}

/* A clip that turns a quarter about y at once, and whose x tells the frame. */
static void open_rig(rig *r)
{
    const oban_key keys[2] = {
        {.rotation = {0, 0.70710677f, 0, 0.70710677f}, .position = {0, 0, 0}, .frame = 0},
        {.rotation = {0, 0.70710677f, 0, 0.70710677f}, .position = {4, 0, 0}, .frame = 4}};
    const oban_clip_def def = {.name = oban_text_of("box"),
                               .flags = OBAN_CLIP_RANDOM_START,
                               .base = oban_mat34_identity(),
                               .start = oban_mat34_identity(),
                               .frame_count = 5,
                               .keys = keys,
                               .key_count = 2};
    oban_clip *clip = NULL;
    rig_open(r);
    assert_int_equal(oban_clip_create(&r->alloc, &def, &clip, NULL), OBAN_OK);
    assert_int_equal(oban_world_clip_add(r->world, clip), OBAN_OK);
    rig_add(r, "round", OBAN_CLIP_LOOP | OBAN_CLIP_AUTOSTART, 3);
}

/* From frame 0, also with a random start; to the end, and gone with the tick after. */
static void carried_to_the_end(void **state)
{
    (void)state;
    rig r;
    open_rig(&r);
    assert_int_equal(carry(&r, "konoko", "box", false), OBAN_OK);
    assert_int_equal(r.result.items[0].ends, 5);
    assert_true(carried(&r, "konoko"));
    assert_false(carried(&r, "shinatama"));
    assert_told(&r, "start konoko 1 f0 none; ");
    rig_settle(&r);
    assert_true(only(&r)->m.m[9] == 0.0f && only(&r)->m.m[0] < 0.01f);
    rig_ticks(&r, 4);
    assert_true(only(&r)->m.m[9] == 4.0f);
    rig_tick(&r);
    assert_false(carried(&r, "konoko"));
    assert_told(&r, "stop konoko 1 f4 end; ");
    assert_non_null(only(&r));
    rig_tick(&r);
    assert_null(only(&r));
    assert_told(&r, "");
    uint32_t gone = 0;
    assert_string_equal(oban_world_gone(r.world, &gone)[0].name, "konoko");
    assert_int_equal(gone, 1);
    /* Again: another life. */
    assert_int_equal(carry(&r, "konoko", "box", false), OBAN_OK);
    assert_int_equal(r.result.items[0].life, 2);
    rig_close(&r);
}

static void norotation(void **state)
{
    (void)state;
    rig r;
    open_rig(&r);
    assert_int_equal(carry(&r, "0", "box", true), OBAN_OK);
    rig_ticks(&r, 2);
    oban_mat34 wanted = rig_at(2, 0, 0);
    assert_true(oban_mat34_same(&only(&r)->m, &wanted));
    assert_true(only(&r)->norotation);
    assert_int_equal(carry(&r, "char_0", "box", false), OBAN_OK); /* the same one */
    rig_settle(&r);
    assert_false(only(&r)->norotation);
    assert_true(only(&r)->m.m[0] < 0.01f);
    rig_close(&r);
}

static void replaced_and_let_go(void **state)
{
    (void)state;
    rig r;
    open_rig(&r);
    (void)carry(&r, "7", "round", false);
    rig_ticks(&r, 8); /* a loop goes on; a clip that starts by itself does so for objects alone */
    assert_true(carried(&r, "char_7"));
    oban_world_events_clear(r.world);
    assert_int_equal(carry(&r, "7", "box", false), OBAN_OK);
    assert_told(&r, "stop number 1 f2 replaced; start number 2 f0 none; ");
    rig_tick(&r);
    assert_int_equal(let_go(&r, "7"), OBAN_OK);
    assert_int_equal(r.result.kind, OBAN_RESULT_STOPPED);
    assert_told(&r, "stop number 2 f1 command; ");
    rig_ticks(&r, 2);
    assert_null(only(&r));
    assert_int_equal(let_go(&r, "7"), OBAN_OK);
    assert_string_equal(r.result.warnings[0].data, "character 7 is not carried by an animation");
    rig_close(&r);
}

static void words(void **state)
{
    (void)state;
    oban_who made;
    assert_int_equal(who("0").number, 0);
    assert_int_equal(who("char_65535").number, 65535);
    assert_int_equal(who("char_x").number, -1);
    assert_int_equal(who("Konoko 2").number, -1);
    assert_false(oban_who_of(oban_text_of(""), &made));
    assert_false(oban_who_of(oban_text_of("65536"), &made));
    assert_false(oban_who_of(oban_text_of("99999999999999999999"), &made));
}

static void what_is_refused(void **state)
{
    (void)state;
    rig r;
    open_rig(&r);
    uint64_t hash = oban_world_hash(r.world);
    assert_int_equal(carry(&r, "konoko", "nothing", false), OBAN_NO_ANIM);
    assert_true(oban_world_hash(r.world) == hash);
    for (int i = 0; i < 4096; i++) {
        char name[16];
        snprintf(name, sizeof name, "one%d", i);
        assert_int_equal(carry(&r, name, "round", false), OBAN_OK);
        oban_world_events_clear(r.world);
    }
    assert_int_equal(carry(&r, "one more", "round", false), OBAN_LIMIT);
    assert_int_equal(carry(&r, "one9", "box", false), OBAN_OK);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(carried_to_the_end),  cmocka_unit_test(norotation),
        cmocka_unit_test(replaced_and_let_go), cmocka_unit_test(words),
        cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
