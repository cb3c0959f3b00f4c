/* SPDX-License-Identifier: MIT */
/* What is wrong with a clip: the checks at load, and their findings as text.
 * Not here: making one (clip.c). Next: clip.c. */
#include "core/anim/clip.h"
#include "core/base/assert.h"

#include <math.h>
#include <string.h>

static const struct {
    bool refused;
    const char *text;
} clip_findings[OBAN_CLIP_FINDING_COUNT] = {
#define OBAN_X(name, refused, text) {refused, text},
    OBAN_CLIP_FINDINGS(OBAN_X)
#undef OBAN_X
};

bool oban_clip_finding_refuses(oban_clip_finding_code code)
{
    OBAN_ASSERT((unsigned)code < OBAN_CLIP_FINDING_COUNT);
    return clip_findings[code].refused;
}

static const char *const clip_fixes[OBAN_CLIP_FINDING_COUNT] = {
    [OBAN_CLIP_NO_KEYS] = "give it a key at frame 0",
    [OBAN_CLIP_TOO_MANY_KEYS] = "cut it in parts",
    [OBAN_CLIP_NO_FRAMES] = "set the frame count to the last key's frame + 1",
    [OBAN_CLIP_FRAMES_FALL] = "put the keys in the order of their frames",
    [OBAN_CLIP_NOT_FINITE] = "give the key finite numbers, not NaN or infinity",
    [OBAN_CLIP_START_NOT_FINITE] = "give the start matrix finite numbers",
    [OBAN_CLIP_BASE_NOT_FINITE] = "give the base matrix finite numbers",
    [OBAN_CLIP_ZERO_ROTATION] = "write 0 0 0 1 for no rotation",
    [OBAN_CLIP_BAD_NAME] = "give it a name of 1 to 63 bytes of plain UTF-8",
    [OBAN_CLIP_NOT_UNIT] = "divide the quaternion by its length, which makes it a unit one",
    [OBAN_CLIP_FRAME_COUNT] =
        "set the frame count to the last key's frame + 1: the game crashes on another",
    [OBAN_CLIP_FIRST_KEY] = "set the first key's frame to 0",
    [OBAN_CLIP_SAME_FRAME] = "take one of the keys away",
};

const char *oban_clip_finding_fix(oban_clip_finding_code code)
{
    OBAN_ASSERT((unsigned)code < OBAN_CLIP_FINDING_COUNT);
    return clip_fixes[code];
}

/* One finding of each code while the check runs; those with `count` 0 and not `found` are none. */
typedef struct clip_notes {
    bool found[OBAN_CLIP_FINDING_COUNT];
    oban_clip_finding findings[OBAN_CLIP_FINDING_COUNT];
} clip_notes;

static void clip_note(clip_notes *notes, oban_clip_finding_code code, int64_t a, int64_t b)
{
    notes->found[code] = true;
    notes->findings[code] = (oban_clip_finding){code, 0, 0, a, b};
}

/* As above about one key: the first stays, the others are counted. */
static void clip_note_key(clip_notes *notes, oban_clip_finding_code code, uint32_t key, int64_t a,
                          int64_t b)
{
    if (!notes->found[code]) {
        clip_note(notes, code, a, b);
        notes->findings[code].key = key;
    }
    notes->findings[code].count += 1;
}

static bool clip_name_good(oban_text name)
{
    uint32_t at = 0;
    if (name.bytes == 0 || name.bytes > OBAN_CLIP_NAME_MAX) {
        return false;
    }
    while (at < name.bytes) {
        uint32_t code = 0;
        uint32_t bytes = oban_utf8_decode(name.data + at, name.bytes - at, &code);
        if (bytes == 0 || code < 0x20 || (code >= 0x7f && code < 0xa0)) {
            return false;
        }
        at += bytes;
    }
    return true;
}

static bool clip_key_finite(const oban_key *key)
{
    const oban_quat *q = &key->rotation;
    const float *p = key->position;
    oban_mat34 all = {{q->x, q->y, q->z, q->w, p[0], p[1], p[2], 0, 0, 0, 0, 0}};
    return oban_mat34_finite(&all);
}

static void clip_check_rotation(clip_notes *notes, uint32_t i, const oban_quat *q)
{
    float off = sqrtf(oban_quat_length2(q)) - 1.0f;
    if (q->x == 0 && q->y == 0 && q->z == 0 && q->w == 0) {
        clip_note_key(notes, OBAN_CLIP_ZERO_ROTATION, i, 0, 0);
    } else if (off > OBAN_CLIP_UNIT_SLACK || off < -OBAN_CLIP_UNIT_SLACK) {
        clip_note_key(notes, OBAN_CLIP_NOT_UNIT, i, 0, 0);
    }
}

static void clip_check_keys(clip_notes *notes, const oban_clip_def *def)
{
    for (uint32_t i = 0; i < def->key_count; i++) {
        const oban_key *key = &def->keys[i];
        if (clip_key_finite(key)) {
            clip_check_rotation(notes, i, &key->rotation);
        } else {
            clip_note_key(notes, OBAN_CLIP_NOT_FINITE, i, 0, 0);
        }
        if (i > 0 && key->frame < key[-1].frame) {
            clip_note_key(notes, OBAN_CLIP_FRAMES_FALL, i, key->frame, key[-1].frame);
        } else if (i > 0 && key->frame == key[-1].frame) {
            clip_note_key(notes, OBAN_CLIP_SAME_FRAME, i, key->frame, 0);
        }
    }
    int32_t last = def->keys[def->key_count - 1].frame;
    if (!notes->found[OBAN_CLIP_NO_FRAMES] && def->frame_count != (int64_t)last + 1) {
        clip_note(notes, OBAN_CLIP_FRAME_COUNT, def->frame_count, last);
    }
    if (def->keys[0].frame != 0) {
        clip_note(notes, OBAN_CLIP_FIRST_KEY, def->keys[0].frame, 0);
    }
}

static void clip_check_rest(clip_notes *notes, const oban_clip_def *def)
{
    if (!clip_name_good(def->name)) {
        clip_note(notes, OBAN_CLIP_BAD_NAME, 0, 0);
    }
    if (def->frame_count < 1 || def->frame_count > 65535) {
        clip_note(notes, OBAN_CLIP_NO_FRAMES, def->frame_count, 0);
    }
    if (!oban_mat34_finite(&def->start)) {
        clip_note(notes, OBAN_CLIP_START_NOT_FINITE, 0, 0);
    }
    if (!oban_mat34_finite(&def->base)) {
        clip_note(notes, OBAN_CLIP_BASE_NOT_FINITE, 0, 0);
    }
}

void oban_clip_check(const oban_clip_def *def, oban_clip_report *report)
{
    clip_notes notes;
    memset(&notes, 0, sizeof notes);
    memset(report, 0, sizeof *report);
    clip_check_rest(&notes, def);
    if (def->key_count > OBAN_CLIP_KEYS_MAX) {
        clip_note(&notes, OBAN_CLIP_TOO_MANY_KEYS, def->key_count, OBAN_CLIP_KEYS_MAX);
    } else if (def->key_count > 0) {
        clip_check_keys(&notes, def);
    } else {
        clip_note(&notes, OBAN_CLIP_NO_KEYS, 0, 0);
    }
    for (unsigned code = 0; code < OBAN_CLIP_FINDING_COUNT; code++) {
        if (notes.found[code]) {
            report->findings[report->count++] = notes.findings[code];
            report->refused = report->refused || clip_findings[code].refused;
        }
    }
}

/* Puts in what "{key}", "{a}" or "{b}" stands for; returns where the text goes on. */
static const char *clip_fill(const char *at, const oban_clip_finding *finding, oban_line *line)
{
    if (at[1] == 'k') {
        oban_line_add_u64(line, finding->key);
        return at + strlen("{key}");
    }
    oban_line_add_i64(line, at[1] == 'a' ? finding->a : finding->b);
    return at + strlen("{a}");
}

void oban_clip_finding_line(const oban_clip_finding *finding, oban_line *line)
{
    OBAN_ASSERT((unsigned)finding->code < OBAN_CLIP_FINDING_COUNT);
    const char *at = clip_findings[finding->code].text;
    oban_line_clear(line);
    while (*at != '\0') {
        if (*at == '{') {
            at = clip_fill(at, finding, line);
        } else {
            oban_line_add_text(line, (oban_text){at++, 1});
        }
    }
    if (finding->count > 1) {
        oban_line_add(line, " (and ");
        oban_line_add_u64(line, finding->count - 1);
        oban_line_add(line, finding->count == 2 ? " other key)" : " other keys)");
    }
}
