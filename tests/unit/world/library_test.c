/* SPDX-License-Identifier: MIT */
/* Tests of the library of clips: order, finding, what is near, limits. */
#include "tests/unit/world/rig.h"

static const char *found(rig *r, const char *name, bool *other_case)
{
    const oban_clip *clip = oban_world_clip_find(r->world, oban_text_of(name), other_case);
    return clip != NULL ? clip->name : "";
}

static void clips_stand_in_byte_order(void **state)
{
    (void)state;
    static const char *const in[] = {"b", "a", "B", "ab", "a2", "\xc3\xa4", "a10"};
    static const char *const order[] = {"B", "a", "a10", "a2", "ab", "b", "\xc3\xa4"};
    rig r;
    rig_open(&r);
    for (size_t i = 0; i < 7; i++) {
        rig_add(&r, in[i], 0, 2);
    }
    assert_int_equal(oban_world_clip_count(r.world), 7);
    for (uint32_t i = 0; i < 7; i++) {
        assert_string_equal(oban_world_clip_at(r.world, i)->name, order[i]);
    }
    rig_close(&r);
}

static void names_are_found_exactly_then_in_other_case(void **state)
{
    (void)state;
    rig r;
    bool other;
    rig_open(&r);
    rig_add(&r, "Door", 0, 2);
    rig_add(&r, "door", 0, 2);
    rig_add(&r, "Van", 0, 2);
    rig_add(&r, "OBANvan", 0, 2);
    assert_string_equal(found(&r, "door", &other), "door");
    assert_false(other);
    assert_string_equal(found(&r, "DOOR", &other), "Door"); /* the first in byte order */
    assert_true(other);
    assert_string_equal(found(&r, "OBANvan", &other), "OBANvan"); /* the whole name first */
    assert_false(other);
    assert_string_equal(found(&r, "OBANDoor", &other), "Door");
    assert_false(other);
    assert_string_equal(found(&r, "OBANdOOR", &other), "Door");
    assert_true(other);
    assert_string_equal(found(&r, "OBANVan", &other), "OBANvan"); /* whole, in other case */
    assert_true(other);
    assert_string_equal(found(&r, "OBAN", &other), "");
    assert_string_equal(found(&r, "Doo", &other), "");
    assert_string_equal(found(&r, "Doors", &other), "");
    assert_string_equal(found(&r, "", &other), "");
    rig_close(&r);
}

static void assert_missing(rig *r, const char *name, const char *want)
{
    oban_line line;
    oban_line_clear(&line);
    oban_world_clip_missing(r->world, oban_text_of(name), &line);
    assert_string_equal(line.data, want);
}

static void what_is_missing_has_near_names(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    assert_missing(&r, "truck", "no animation 'truck'; none is loaded");
    rig_add(&r, "Truck", 0, 2);
    assert_missing(&r, "truk", "no animation 'truk'; the nearest is 'Truck'");
    assert_missing(&r, "forklift", "no animation 'forklift'");
    assert_missing(&r, "", "no animation ''");
    rig_add(&r, "truce", 0, 2);
    assert_missing(&r, "TRUCKS", "no animation 'TRUCKS'; the nearest are 'Truck' and 'truce'");
    rig_add(&r, "trunk", 0, 2);
    rig_add(&r, "tru", 0, 2);
    assert_missing(&r, "truc", "no animation 'truc'; the nearest are 'Truck', 'tru' and 'truce'");
    rig_close(&r);
}

/* The two-word column against the whole table. */
static uint32_t slow_distance(const char *a, const char *b)
{
    uint32_t rows[2][80];
    uint32_t n = (uint32_t)strlen(b);
    for (uint32_t j = 0; j <= n; j++) {
        rows[0][j] = j;
    }
    for (uint32_t i = 1; a[i - 1] != '\0'; i++) {
        uint32_t *row = rows[i % 2];
        const uint32_t *up = rows[(i + 1) % 2];
        row[0] = i;
        for (uint32_t j = 1; j <= n; j++) {
            uint32_t best = up[j - 1] + (a[i - 1] != b[j - 1]);
            best = up[j] + 1 < best ? up[j] + 1 : best;
            row[j] = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
        }
    }
    return rows[strlen(a) % 2][n];
}

static void random_name(uint64_t *random, char *name, uint32_t most)
{
    uint32_t bytes = 1 + rig_random(random) % most;
    for (uint32_t i = 0; i < bytes; i++) {
        name[i] = (char)('a' + rig_random(random) % 3);
    }
    name[bytes] = '\0';
}

/* Some letters changed, some taken out. */
static void mistype(uint64_t *random, const char *name, char *typed)
{
    uint32_t at = 0;
    for (; *name != '\0'; name++) {
        uint32_t what = rig_random(random) % 6;
        if (what != 0) {
            typed[at++] = what == 1 ? 'x' : *name;
        }
    }
    typed[at] = '\0';
}

static void nearness_is_the_edit_distance(void **state)
{
    (void)state;
    uint64_t random = 17;
    int told = 0;
    for (int round = 0; round < 3000; round++) {
        rig r;
        char name[80];
        char typed[80];
        char want[400];
        uint32_t most = round % 2 != 0 ? 63 : 12;
        random_name(&random, name, most);
        random_name(&random, typed, most);
        if (round % 3 == 0) {
            mistype(&random, name, typed);
        }
        if (strcmp(name, typed) == 0 || typed[0] == '\0') {
            continue;
        }
        bool near = slow_distance(typed, name) <= 1 + strlen(typed) / 3;
        told += near;
        (void)sprintf(want, near ? "no animation '%s'; the nearest is '%s'" : "no animation '%s'",
                      typed, name);
        rig_open(&r);
        rig_add(&r, name, 0, 2);
        assert_missing(&r, typed, want);
        rig_close(&r);
    }
    assert_in_range(told, 300, 2700);
}

static void a_name_counts_once_and_anims_max_holds(void **state)
{
    (void)state;
    rig r;
    char name[16];
    rig_open(&r); /* anims_max 100 */
    for (int i = 0; i < 100; i++) {
        (void)sprintf(name, "clip%d", i);
        rig_add(&r, name, 0, 2);
    }
    oban_clip *same = rig_clip(&r.alloc, "clip7", 0, 3);
    oban_clip *more = rig_clip(&r.alloc, "more", 0, 3);
    assert_int_equal(oban_world_clip_add(r.world, same), OBAN_BAD_CLIP);
    assert_int_equal(oban_world_clip_add(r.world, more), OBAN_LIMIT);
    assert_int_equal(oban_world_clip_count(r.world), 100);
    oban_clip_destroy(same);
    oban_clip_destroy(more);
    rig_close(&r);
}

static void no_memory_leaves_the_clip_with_its_owner(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    oban_clip *clip = rig_clip(&r.alloc, "a", 0, 3);
    r.memory.fail_at = r.memory.taken;
    assert_int_equal(oban_world_clip_add(r.world, clip), OBAN_NO_MEMORY);
    assert_int_equal(oban_world_clip_count(r.world), 0);
    r.memory.fail_at = UINT64_MAX;
    assert_int_equal(oban_world_clip_add(r.world, clip), OBAN_OK);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clips_stand_in_byte_order),
        cmocka_unit_test(names_are_found_exactly_then_in_other_case),
        cmocka_unit_test(what_is_missing_has_near_names),
        cmocka_unit_test(nearness_is_the_edit_distance),
        cmocka_unit_test(a_name_counts_once_and_anims_max_holds),
        cmocka_unit_test(no_memory_leaves_the_clip_with_its_owner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
