/* SPDX-License-Identifier: MIT */
/* Clips for the tests of 3D formats: one of each kind that is hard for one of them. */
#ifndef OBAN_TESTS_MODEL_CLIPS_H
#define OBAN_TESTS_MODEL_CLIPS_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "proto/format/model.h"

enum { MODEL_CLIPS = 6, MODEL_LOCAL = 3 };

static inline const oban_clip_def *model_clips(void)
{
    static const oban_key still[1] = {{{0.5f, 0.5f, 0.5f, -0.5f}, {1, 2, 3}, 0}};
    static const oban_key path[4] = {{{0, 0, 0, 1}, {0, 0, 0}, 0},
                                     {{0, 0.38268343f, 0, 0.92387953f}, {10, 0, 5}, 7},
                                     {{0, 0.70710677f, 0, 0.70710677f}, {20, 3, 5}, 20},
                                     {{0.5f, -0.5f, 0.5f, -0.5f}, {-20, 3, 5}, 31}};
    static const oban_key wild[3] = {{{0, 0, 0, 1}, {0, 0, 0}, 0},
                                     {{0.9f, 0.1f, 0.3f, 0.3f}, {1000, -2000, 1}, 9},
                                     {{-0.2f, 0.4f, 0.6f, -0.66f}, {1, 1, 1}, 12}};
    static oban_clip_def defs[MODEL_CLIPS];
    if (defs[0].name.bytes == 0) {
        static const char *const names[MODEL_CLIPS] = {"still", "path",    "scaled",
                                                       "local", "sheared", "held"};
        for (int i = 0; i < MODEL_CLIPS; i++) {
            defs[i] = (oban_clip_def){.name = oban_text_of(names[i]),
                                      .flags = i == 2 ? OBAN_CLIP_LOOP : 0,
                                      .start = {{1, 0, 0, 0, 1, 0, 0, 0, 1, 7, 8, 9}},
                                      .base = oban_mat34_identity(),
                                      .frame_length = 80,
                                      .frame_count = 32,
                                      .keys = path,
                                      .key_count = 4};
        }
        defs[0].keys = still;
        defs[0].key_count = 1;
        defs[0].frame_count = 1;
        defs[2].base = (oban_mat34){{1.82f, 0, 0, 0, 1.82f, 0, 0, 0, -1.82f, 0, 0, 0}};
        defs[3].flags = OBAN_CLIP_LOCAL;
        defs[3].half_stop = 15;
        defs[3].keys = wild;
        defs[3].key_count = 3;
        defs[3].frame_count = 13;
        defs[4].base = (oban_mat34){{1, 0.2f, 0, 0, 2, 0.1f, 0.3f, 0, 1, 5, 6, 7}};
        defs[5].frame_count = 50; /* beyond its last key */
        defs[5].keys = wild;
        defs[5].key_count = 3;
    }
    return defs;
}

static inline void *model_resize(void *context, void *old, size_t old_bytes, size_t bytes)
{
    (void)context;
    (void)old_bytes;
    if (bytes == 0) {
        free(old);
        return NULL;
    }
    return realloc(old, bytes);
}

static inline oban_clip *model_clip_of(const oban_clip_def *def)
{
    static const oban_alloc alloc = {model_resize, NULL};
    oban_clip *clip = NULL;
    assert_int_equal(oban_clip_create(&alloc, def, &clip, NULL), OBAN_OK);
    return clip;
}

/* Every number of it. */
static inline void model_assert_same(const oban_clip *clip, const oban_clip_def *def)
{
    oban_clip *was = model_clip_of(def);
    assert_string_equal(clip->name, was->name);
    assert_true(clip->hash == was->hash);
    oban_clip_destroy(was);
}

enum { MODEL_WHOLE, MODEL_BARE, MODEL_RIGID };

/* The same matrices at every frame: 1e-4 relative to their size. `how`: whole; without a base that
 * is more than a scale, which such files hold in another node; made rigid. */
static inline void model_assert_alike(const oban_clip *clip, const oban_clip_def *def, int how)
{
    oban_clip *was = model_clip_of(def);
    bool bare = how == MODEL_BARE && !model_base_is_scale(&def->base);
    assert_string_equal(clip->name, was->name);
    assert_int_equal(clip->frame_count, was->frame_count);
    for (int32_t frame = 0; frame < (int32_t)was->frame_count; frame++) {
        oban_mat34 a = oban_clip_matrix(clip, frame);
        oban_mat34 b = model_matrix(was, frame, bare, how == MODEL_RIGID);
        for (int i = 0; i < 12; i++) {
            float most = i < 9 ? 4e-4f : 2e-3f;
            if (!(fabsf(a.m[i] - b.m[i]) <= most)) {
                print_error("%s frame %d [%d]: %g, not %g\n", was->name, frame, i, (double)a.m[i],
                            (double)b.m[i]);
                fail();
            }
        }
    }
    oban_clip_destroy(was);
}

#endif
