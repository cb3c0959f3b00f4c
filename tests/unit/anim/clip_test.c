/* SPDX-License-Identifier: MIT */
/* Tests of core/anim/clip.c and clip_check.c: the published vector, random clips against double
 * precision written another way, each check, memory. */
#include "tests/unit/world/rig.h"

#include <math.h>

#include "core/anim/clip.h"

/* ---- the vector of facts/oni-formats 11 ------------------------------------------------------ */

/* Bytes as the file has them: "C2F5E83F" is 1.82. */
static float from_hex(const char *hex)
{
    uint32_t bits = 0;
    float value;
    for (unsigned i = 0; i < 4; i++) {
        unsigned byte;
        assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
        bits |= (uint32_t)byte << (8 * i);
    }
    memcpy(&value, &bits, sizeof value);
    return value;
}

static oban_clip *make(const oban_clip_def *def)
{
    static rig_memory memory;
    oban_alloc alloc = rig_alloc(&memory);
    oban_clip *clip = NULL;
    assert_int_equal(oban_clip_create(&alloc, def, &clip, NULL), OBAN_OK);
    return clip;
}

static void blackvan_at_frame_0_is_its_start_matrix(void **state)
{
    (void)state;
    static const char *const start[12] = {"C2F5E83F", "ABD7AAB3", "EC891335", "EC891335",
                                          "ED8913B4", "C2F5E8BF", "B1D7AA33", "C2F5E83F",
                                          "EB8913B4", "6B9A9444", "97FD5BC2", "5D06DAC2"};
    float scale = from_hex("C2F5E83F");
    oban_key keys[2] = {{.rotation = {from_hex("F40435BF"), from_hex("6A19C4B3"),
                                      from_hex("CE3C03B4"), from_hex("F30435BF")},
                         .position = {from_hex(start[9]), from_hex(start[10]), from_hex(start[11])},
                         .frame = 0},
                        {.rotation = {0, 0, 0, 1}, .position = {0, 0, 0}, .frame = 500}};
    oban_clip_def def = {.name = oban_text_of("Blackvan_FB"),
                         .base = {{scale, 0, 0, 0, scale, 0, 0, 0, scale, 0, 0, 0}},
                         .frame_length = 80,
                         .frame_count = 501,
                         .keys = keys,
                         .key_count = 2};
    for (int i = 0; i < 12; i++) {
        def.start.m[i] = from_hex(start[i]);
    }
    oban_clip *clip = make(&def);
    oban_mat34 m = oban_clip_matrix(clip, 0);
    for (int i = 0; i < 12; i++) {
        double want = (double)def.start.m[i];
        double slack = fabs(want) > 1 ? 2e-6 * fabs(want) : 2e-6;
        assert_true(fabs((double)m.m[i] - want) <= slack);
    }
    oban_clip_destroy(clip);
}

/* ---- the keys of the XML:OBAN page ----------------------------------------------------------- */

/* `1 1 1 1` is not of length 1: it plays as the 120 degree turn, and is kept as it is. */
static void ones_turn_by_a_third(void **state)
{
    (void)state;
    const oban_key key = {.rotation = {1, 1, 1, 1}, .position = {1, 2, 3}};
    const oban_clip_def def = {.name = oban_text_of("ones"),
                               .base = oban_mat34_identity(),
                               .frame_count = 1,
                               .keys = &key,
                               .key_count = 1};
    const float want[12] = {0, 0, 1, 1, 0, 0, 0, 1, 0, 1, 2, 3};
    oban_clip_report report;
    oban_clip_check(&def, &report);
    assert_int_equal(report.count, 1);
    assert_int_equal(report.findings[0].code, OBAN_CLIP_NOT_UNIT);
    assert_false(report.refused);
    oban_clip *clip = make(&def);
    oban_mat34 m = oban_clip_matrix(clip, 0);
    for (int i = 0; i < 12; i++) {
        assert_true(m.m[i] == want[i]);
    }
    assert_true(clip->keys[0].rotation.x == 1 && clip->keys[0].rotation.w == 1);
    oban_clip_destroy(clip);
}

/* ---- another evaluation, in double precision ------------------------------------------------- */

typedef struct wide {
    double m[12];
} wide;

/* q* v q, for q of any length but 0. */
static void wide_turn(const double q[4], const double v[3], double out[3])
{
    double length2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    const double u[3] = {-q[0], -q[1], -q[2]};
    double dot = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    double uu = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
    const double cross[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                             u[0] * v[1] - u[1] * v[0]};
    for (int i = 0; i < 3; i++) {
        out[i] = (2 * dot * u[i] + (q[3] * q[3] - uu) * v[i] + 2 * q[3] * cross[i]) / length2;
    }
}

/* The pose by walking the keys from the front. */
static void wide_pose(const oban_clip_def *def, int32_t frame, double q[4], double p[3])
{
    const oban_key *keys = def->keys;
    uint32_t after = 0;
    while (after < def->key_count && keys[after].frame < frame) {
        after += 1;
    }
    const oban_key *b = &keys[after < def->key_count ? after : def->key_count - 1];
    const oban_key *a = after == 0 || after == def->key_count ? b : b - 1;
    double t = a == b ? 0 : (double)(frame - a->frame) / (double)(b->frame - a->frame);
    const double qa[4] = {(double)a->rotation.x, (double)a->rotation.y, (double)a->rotation.z,
                          (double)a->rotation.w};
    const double qb[4] = {(double)b->rotation.x, (double)b->rotation.y, (double)b->rotation.z,
                          (double)b->rotation.w};
    double na = sqrt(qa[0] * qa[0] + qa[1] * qa[1] + qa[2] * qa[2] + qa[3] * qa[3]);
    double nb = sqrt(qb[0] * qb[0] + qb[1] * qb[1] + qb[2] * qb[2] + qb[3] * qb[3]);
    double dot = qa[0] * qb[0] + qa[1] * qb[1] + qa[2] * qb[2] + qa[3] * qb[3];
    for (int i = 0; i < 4; i++) {
        q[i] = qa[i] / na * (1 - t) + qb[i] / nb * (dot < 0 ? -t : t);
    }
    for (int i = 0; i < 3; i++) {
        p[i] = (double)a->position[i] + ((double)b->position[i] - (double)a->position[i]) * t;
    }
}

static wide wide_matrix(const oban_clip_def *def, int32_t frame, bool rotate)
{
    wide out;
    double q[4];
    double p[3];
    wide_pose(def, frame, q, p);
    for (int column = 0; column < 4; column++) {
        const float *b = def->base.m + 3 * column;
        const double v[3] = {(double)b[0], (double)b[1], (double)b[2]};
        double r[3] = {v[0], v[1], v[2]};
        if (rotate) {
            wide_turn(q, v, r);
        }
        for (int i = 0; i < 3 && column == 3; i++) {
            r[i] += p[i];
        }
        bool local = (def->flags & OBAN_CLIP_LOCAL) != 0;
        out.m[3 * column] = r[0];
        out.m[3 * column + 1] = local ? r[2] : r[1];
        out.m[3 * column + 2] = local ? -r[1] : r[2];
    }
    return out;
}

#define KEYS_MOST 12u

static void random_def(uint64_t *random, oban_clip_def *def, oban_key keys[KEYS_MOST])
{
    int32_t frame = (int32_t)(rig_random(random) % 3);
    bool unit = rig_random(random) % 2 != 0;
    memset(def, 0, sizeof *def);
    def->name = oban_text_of("random");
    def->flags = rig_random(random) % 2 != 0 ? OBAN_CLIP_LOCAL : 0;
    def->key_count = 1 + rig_random(random) % KEYS_MOST;
    def->keys = keys;
    for (int i = 0; i < 12; i++) {
        def->base.m[i] = rig_random_float(random, -2, 2);
    }
    for (uint32_t i = 0; i < def->key_count; i++) {
        oban_quat q = {rig_random_float(random, -1, 1), rig_random_float(random, -1, 1),
                       rig_random_float(random, -1, 1), rig_random_float(random, 0.1f, 1)};
        keys[i].rotation = unit ? oban_quat_normalise(&q) : q;
        for (int axis = 0; axis < 3; axis++) {
            keys[i].position[axis] = rig_random_float(random, -100, 100);
        }
        keys[i].frame = frame;
        frame += 1 + (int32_t)(rig_random(random) % 9);
    }
    def->frame_count = keys[def->key_count - 1].frame + 1;
}

static void compare(const oban_mat34 *got, const wide *want)
{
    for (int i = 0; i < 12; i++) {
        double slack = i < 9 ? 1e-5 : 1e-4;
        if (!(fabs((double)got->m[i] - want->m[i]) < slack)) {
            fail_msg("number %d is %.9g, not %.9g", i, (double)got->m[i], want->m[i]);
        }
    }
}

static void random_clips_agree_with_double(void **state)
{
    (void)state;
    uint64_t random = 7;
    for (int round = 0; round < 500; round++) {
        oban_clip_def def;
        oban_key keys[KEYS_MOST];
        random_def(&random, &def, keys);
        oban_clip *clip = make(&def);
        for (int32_t frame = -2; frame < def.frame_count + 3; frame++) {
            wide turned = wide_matrix(&def, frame, true);
            wide plain = wide_matrix(&def, frame, false);
            oban_mat34 a = oban_clip_matrix(clip, frame);
            oban_mat34 b = oban_clip_matrix_without_rotation(clip, frame);
            compare(&a, &turned);
            compare(&b, &plain);
        }
        oban_clip_destroy(clip);
    }
}

/* ---- rules of behaviour 2 -------------------------------------------------------------------- */

static void at_a_key_its_numbers_are_used_bit_for_bit(void **state)
{
    (void)state;
    uint64_t random = 11;
    for (int round = 0; round < 200; round++) {
        oban_clip_def def;
        oban_key keys[KEYS_MOST];
        random_def(&random, &def, keys);
        for (uint32_t i = 0; i < def.key_count; i++) {
            keys[i].rotation = oban_quat_normalise(&keys[i].rotation);
            keys[i].rotation.w *= 1.00005f; /* within 1e-4 of length 1: as stored */
        }
        def.flags = 0;
        def.base = oban_mat34_identity();
        oban_clip *clip = make(&def);
        for (uint32_t i = 0; i < def.key_count; i++) {
            oban_mat34 want = oban_quat_matrix(&keys[i].rotation, 2.0f, keys[i].position);
            oban_mat34 got = oban_clip_matrix(clip, keys[i].frame);
            for (int n = 0; n < 12; n++) {
                assert_true(got.m[n] == want.m[n]);
            }
        }
        oban_clip_destroy(clip);
    }
}

static void outside_the_keys_the_nearest_end_holds(void **state)
{
    (void)state;
    const oban_key keys[2] = {{.rotation = {0, 0, 0, 1}, .position = {1, 0, 0}, .frame = 5},
                              {.rotation = {0, 0, 0, 1}, .position = {2, 0, 0}, .frame = 9}};
    const oban_clip_def def = {.name = oban_text_of("late"),
                               .base = oban_mat34_identity(),
                               .frame_count = 20,
                               .keys = keys,
                               .key_count = 2};
    oban_clip *clip = make(&def);
    assert_true(oban_clip_matrix(clip, INT32_MIN).m[9] == 1);
    assert_true(oban_clip_matrix(clip, 0).m[9] == 1);
    assert_true(oban_clip_matrix(clip, 5).m[9] == 1);
    assert_true(oban_clip_matrix(clip, 7).m[9] == 1.5f);
    assert_true(oban_clip_matrix(clip, 9).m[9] == 2);
    assert_true(oban_clip_matrix(clip, 10).m[9] == 2);
    assert_true(oban_clip_matrix(clip, INT32_MAX).m[9] == 2);
    oban_clip_destroy(clip);
}

static void keys_at_the_ends_of_int32_do_not_overflow(void **state)
{
    (void)state;
    const oban_key keys[2] = {
        {.rotation = {0, 0, 0, 1}, .position = {-1, 0, 0}, .frame = INT32_MIN},
        {.rotation = {0, 0, 0, 1}, .position = {1, 0, 0}, .frame = INT32_MAX}};
    const oban_clip_def def = {.name = oban_text_of("wide"),
                               .base = oban_mat34_identity(),
                               .frame_count = 2,
                               .keys = keys,
                               .key_count = 2};
    oban_clip *clip = make(&def);
    assert_true(oban_clip_matrix(clip, 0).m[9] == 0);
    oban_clip_destroy(clip);
}

static void of_keys_at_one_frame_the_first_counts(void **state)
{
    (void)state;
    const oban_key keys[4] = {{.rotation = {0, 0, 0, 1}, .position = {0, 0, 0}, .frame = 0},
                              {.rotation = {0, 0, 0, 1}, .position = {9, 0, 0}, .frame = 0},
                              {.rotation = {0, 0, 0, 1}, .position = {4, 0, 0}, .frame = 4},
                              {.rotation = {0, 0, 0, 1}, .position = {8, 0, 0}, .frame = 4}};
    const oban_clip_def def = {.name = oban_text_of("twice"),
                               .base = oban_mat34_identity(),
                               .frame_count = 5,
                               .keys = keys,
                               .key_count = 4};
    oban_clip *clip = make(&def);
    for (int32_t frame = 0; frame < 6; frame++) {
        assert_true(oban_clip_matrix(clip, frame).m[9] == (frame < 5 ? (float)frame : 4.0f));
    }
    assert_int_equal(clip->key_count, 4); /* what is stored is kept */
    oban_clip_destroy(clip);
}

static void local_puts_the_quarter_turn_in_front(void **state)
{
    (void)state;
    const oban_key key = {.rotation = {0, 0, 0, 1}, .position = {1, 2, 3}};
    oban_clip_def def = {.name = oban_text_of("door"),
                         .flags = OBAN_CLIP_LOCAL,
                         .base = oban_mat34_identity(),
                         .frame_count = 1,
                         .keys = &key,
                         .key_count = 1};
    const float want[12] = {1, 0, 0, 0, 0, -1, 0, 1, 0, 1, 3, -2};
    oban_clip *clip = make(&def);
    oban_mat34 m = oban_clip_matrix(clip, 0);
    for (int i = 0; i < 12; i++) {
        assert_true(m.m[i] == want[i]);
    }
    oban_clip_destroy(clip);
}

/* ---- the checks ------------------------------------------------------------------------------ */

/* One thing is broken in a good clip; exactly one finding must come, and say this. */
typedef struct check_case {
    oban_clip_finding_code code;
    const char *line;
    void (*spoil)(oban_clip_def *def, oban_key *keys);
} check_case;

static void spoil_no_keys(oban_clip_def *def, oban_key *keys)
{
    (void)keys;
    def->key_count = 0;
}

static void spoil_too_many(oban_clip_def *def, oban_key *keys)
{
    (void)keys;
    def->key_count = 65536; /* refused before any of them is looked at */
}

static void spoil_no_frames(oban_clip_def *def, oban_key *keys)
{
    (void)keys;
    def->frame_count = 0;
}

static void spoil_fall(oban_clip_def *def, oban_key *keys)
{
    (void)def;
    keys[1].frame = 6;
    keys[2].frame = 5;
    def->frame_count = 6;
}

static void spoil_position(oban_clip_def *def, oban_key *keys)
{
    (void)def;
    keys[1].position[2] = NAN;
    keys[2].rotation.y = INFINITY;
}

static void spoil_start(oban_clip_def *def, oban_key *keys)
{
    (void)keys;
    def->start.m[11] = INFINITY;
}

static void spoil_base(oban_clip_def *def, oban_key *keys)
{
    (void)keys;
    def->base.m[0] = NAN;
}

static void spoil_zero(oban_clip_def *def, oban_key *keys)
{
    (void)def;
    keys[2].rotation = (oban_quat){0, 0, -0.0f, 0};
}

static void spoil_name(oban_clip_def *def, oban_key *keys)
{
    (void)keys;
    def->name = oban_text_of("a\nb");
}

static void spoil_unit(oban_clip_def *def, oban_key *keys)
{
    (void)def;
    keys[0].rotation.w = 1.0002f;
    keys[1].rotation.w = 0.9998f;
    keys[2].rotation.w = 1.00009f;
}

static void spoil_count(oban_clip_def *def, oban_key *keys)
{
    (void)keys;
    def->frame_count = 9;
}

static void spoil_first(oban_clip_def *def, oban_key *keys)
{
    (void)def;
    keys[0].frame = 2;
    keys[1].frame = 3;
}

static void spoil_same(oban_clip_def *def, oban_key *keys)
{
    (void)def;
    keys[1].frame = 0;
}

static const check_case check_cases[OBAN_CLIP_FINDING_COUNT] = {
    {OBAN_CLIP_NO_KEYS, "has no keys", spoil_no_keys},
    {OBAN_CLIP_TOO_MANY_KEYS, "has 65536 keys, the limit is 65535", spoil_too_many},
    {OBAN_CLIP_NO_FRAMES, "has a frame count of 0; it must be 1 to 65535", spoil_no_frames},
    {OBAN_CLIP_FRAMES_FALL, "key 2 is at frame 5, before the key in front of it at 6", spoil_fall},
    {OBAN_CLIP_NOT_FINITE, "key 1 holds a number that is not finite (and 1 other key)",
     spoil_position},
    {OBAN_CLIP_START_NOT_FINITE, "the start matrix holds a number that is not finite", spoil_start},
    {OBAN_CLIP_BASE_NOT_FINITE, "the base matrix holds a number that is not finite", spoil_base},
    {OBAN_CLIP_ZERO_ROTATION, "key 2 has a quaternion of length 0", spoil_zero},
    {OBAN_CLIP_BAD_NAME, "has no name, or one over 63 bytes, not UTF-8 or with control characters",
     spoil_name},
    {OBAN_CLIP_NOT_UNIT,
     "key 0 has a quaternion that is not of length 1; it is normalised to play (and 1 other key)",
     spoil_unit},
    {OBAN_CLIP_FRAME_COUNT, "has a frame count of 9, but its last key is at frame 7", spoil_count},
    {OBAN_CLIP_FIRST_KEY, "has its first key at frame 2, not at 0", spoil_first},
    {OBAN_CLIP_SAME_FRAME, "key 1 is at frame 0 like the key in front of it; the first counts",
     spoil_same},
};

static void good_def(oban_clip_def *def, oban_key keys[3])
{
    for (int32_t i = 0; i < 3; i++) {
        keys[i] = (oban_key){.rotation = {0, 0, 0, 1}, .frame = i == 2 ? 7 : i};
    }
    *def = (oban_clip_def){.name = oban_text_of("good"),
                           .start = oban_mat34_identity(),
                           .base = oban_mat34_identity(),
                           .frame_count = 8,
                           .keys = keys,
                           .key_count = 3};
}

static void each_check_finds_its_fault_and_no_other(void **state)
{
    (void)state;
    for (unsigned i = 0; i < OBAN_CLIP_FINDING_COUNT; i++) {
        rig_memory memory;
        oban_alloc alloc = rig_alloc(&memory);
        oban_clip_report report;
        oban_clip_def def;
        oban_key keys[3];
        oban_line line;
        oban_clip *clip = NULL;
        bool refuses = oban_clip_finding_refuses(check_cases[i].code);
        assert_int_equal(check_cases[i].code, i);
        good_def(&def, keys);
        check_cases[i].spoil(&def, keys);
        assert_int_equal(oban_clip_create(&alloc, &def, &clip, &report),
                         refuses ? OBAN_BAD_CLIP : OBAN_OK);
        assert_int_equal(report.refused, refuses);
        assert_int_equal(report.count, 1);
        assert_int_equal(report.findings[0].code, i);
        oban_clip_finding_line(&report.findings[0], &line);
        assert_string_equal(line.data, check_cases[i].line);
        assert_true(refuses == (clip == NULL));
        oban_clip_destroy(clip);
        assert_int_equal(memory.bytes, 0);
    }
}

static void the_faults_of_behaviour_3_refuse(void **state)
{
    (void)state;
    const bool refused[OBAN_CLIP_FINDING_COUNT] = {true, true, true,  true,  true,  true, true,
                                                   true, true, false, false, false, false};
    for (unsigned i = 0; i < OBAN_CLIP_FINDING_COUNT; i++) {
        assert_int_equal(oban_clip_finding_refuses((oban_clip_finding_code)i), refused[i]);
    }
}

static void names_and_counts_are_taken_up_to_their_limits(void **state)
{
    (void)state;
    static const char longest[] =
        "123456789.123456789.123456789.123456789.123456789.123456789.123x";
    const struct {
        oban_text name;
        bool good;
    } names[] = {
        {{longest, 63}, true},    {{longest, 64}, false},  {{longest, 0}, false},
        {{NULL, 0}, false},       {{"\xc3\xa4", 2}, true}, {{"\xc3", 1}, false},
        {{"a\0b", 3}, false},     {{"a\x7f", 2}, false},   {{"a b", 3}, true},
        {{"\xc2\x85", 2}, false}, {{"\xff", 1}, false},
    };
    oban_clip_report report;
    oban_clip_def def;
    oban_key keys[3];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        good_def(&def, keys);
        def.name = names[i].name;
        oban_clip_check(&def, &report);
        assert_int_equal(report.refused, !names[i].good);
    }
    const int32_t counts[] = {-1, 0, 1, 65535, 65536};
    for (size_t i = 0; i < 5; i++) {
        good_def(&def, keys);
        def.frame_count = counts[i];
        oban_clip_check(&def, &report);
        assert_int_equal(report.refused, counts[i] < 1 || counts[i] > 65535);
    }
}

/* ---- making ---------------------------------------------------------------------------------- */

static void the_hash_is_of_all_but_the_name(void **state)
{
    (void)state;
    uint64_t hashes[9];
    oban_key keys[3];
    for (int i = 0; i < 9; i++) {
        oban_clip_def def;
        good_def(&def, keys);
        def.name = i == 1 ? oban_text_of("other") : def.name;
        def.flags = i == 2 ? 1 : 0;
        def.frame_length = i == 3 ? 80 : 0;
        def.half_stop = i == 4 ? 3 : 0;
        def.start.m[9] = i == 5 ? 1 : 0;
        def.base.m[9] = i == 6 ? 1 : 0;
        keys[1].position[0] = i == 7 ? 1 : 0;
        def.frame_count = i == 8 ? 9 : 8;
        oban_clip *clip = make(&def);
        hashes[i] = clip->hash;
        oban_clip_destroy(clip);
        for (int j = 0; j < i; j++) {
            assert_true((hashes[i] == hashes[j]) == (i == 1 && j == 0));
        }
    }
}

static void what_is_borrowed_is_copied(void **state)
{
    (void)state;
    oban_clip_def def;
    oban_key keys[3];
    char name[] = "mine";
    good_def(&def, keys);
    def.name = (oban_text){name, 4};
    oban_clip *clip = make(&def);
    memset(name, 'x', 4);
    memset(keys, 0xff, sizeof keys);
    assert_string_equal(clip->name, "mine");
    assert_int_equal(clip->keys[2].frame, 7);
    oban_clip_destroy(clip);
}

static void memory_running_out_leaves_nothing(void **state)
{
    (void)state;
    oban_status status = OBAN_NO_MEMORY;
    uint64_t fails = 0;
    for (; status != OBAN_OK; fails++) {
        rig_memory memory;
        oban_alloc alloc = rig_alloc(&memory);
        oban_clip_def def;
        oban_key keys[3];
        oban_clip *clip = NULL;
        good_def(&def, keys);
        memory.fail_at = fails;
        status = oban_clip_create(&alloc, &def, &clip, NULL);
        assert_true(status == OBAN_OK || status == OBAN_NO_MEMORY);
        assert_true((clip != NULL) == (status == OBAN_OK));
        oban_clip_destroy(clip);
        assert_int_equal(memory.bytes, 0);
    }
    assert_true(fails > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blackvan_at_frame_0_is_its_start_matrix),
        cmocka_unit_test(ones_turn_by_a_third),
        cmocka_unit_test(random_clips_agree_with_double),
        cmocka_unit_test(at_a_key_its_numbers_are_used_bit_for_bit),
        cmocka_unit_test(outside_the_keys_the_nearest_end_holds),
        cmocka_unit_test(keys_at_the_ends_of_int32_do_not_overflow),
        cmocka_unit_test(of_keys_at_one_frame_the_first_counts),
        cmocka_unit_test(local_puts_the_quarter_turn_in_front),
        cmocka_unit_test(each_check_finds_its_fault_and_no_other),
        cmocka_unit_test(the_faults_of_behaviour_3_refuse),
        cmocka_unit_test(names_and_counts_are_taken_up_to_their_limits),
        cmocka_unit_test(the_hash_is_of_all_but_the_name),
        cmocka_unit_test(what_is_borrowed_is_copied),
        cmocka_unit_test(memory_running_out_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
