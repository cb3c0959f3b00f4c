/* SPDX-License-Identifier: MIT */
/* Many clips' matrices at once, by the compilers' vectors: eight slots wide, compiled once for the
 * baseline (which splits them) and once for AVX2. Every expression has the shape that it has in
 * ../math and clip.c: with -ffp-contract=off the bits are the same.
 * Rejected: __builtin_cpu_supports and target_clones, which need symbols of libgcc and libc, and
 * stepping t by an increment, which drifts. Next: clip.c.
 * Source: the measurements in bench/results/. */
#include "core/anim/batch.h"

#include "core/base/assert.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define TILE_SLOTS 8u
#define TILE_ALIGN 64u /* a cache line; vectors need 32 */

typedef float lanes __attribute__((vector_size(32)));
typedef int32_t masks __attribute__((vector_size(32)));
typedef float quad __attribute__((vector_size(16)));

/* Eight slots. A segment is what lies between two keys, or a hold: then `whole` is infinite, and
 * the way done none. */
typedef struct batch_tile {
    lanes done;  /* frames since the first key */
    lanes whole; /* frames between the keys */
    lanes q0[4];
    lanes q1[4]; /* negated when the 4-dot is negative */
    lanes p0[3];
    lanes p1[3];
    lanes base[12];
    masks turned;            /* all bits: a local clip, with the quarter turn in front */
    int32_t low[TILE_SLOTS]; /* the segment holds for frames low to high - 1 */
    int32_t high[TILE_SLOTS];
    uint32_t key[TILE_SLOTS]; /* its first key, a hint for the search */
    const oban_clip *clip[TILE_SLOTS];
    oban_mat34 out[TILE_SLOTS];
    bool aimed; /* stands in the list of those to evaluate */
} batch_tile;

struct oban_batch {
    oban_alloc alloc;
    bool avx2;
    uint32_t tile_count;
    void *block; /* holds the tiles, and what it takes to align them */
    size_t block_bytes;
    batch_tile *tiles;
    uint32_t *aimed; /* tiles to evaluate, each once */
    uint32_t aimed_count;
};

/* ---- a tile's matrices ---- */

/* Macros, for the ABI of functions that take such vectors depends on the target. */
#define TILE_CHOOSE(mask, yes, no) ((lanes)(((mask) & (masks)(yes)) | (~(mask) & (masks)(no))))
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* As clip_pose: at a key (and in a hold) what is stored, bit for bit, and a scale of 2. */
ALWAYS_INLINE void tile_pose(const batch_tile *tile, lanes q[4], lanes p[3], lanes *scale)
{
    lanes t = tile->done / tile->whole;
    lanes s = 1.0f - t;
    masks at_key = t == 0.0f;
    for (int i = 0; i < 4; i++) {
        q[i] = s * tile->q0[i] + t * tile->q1[i];
    }
    lanes length2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    lanes two = {2, 2, 2, 2, 2, 2, 2, 2};
    *scale = TILE_CHOOSE(at_key, two, two / length2);
    for (int i = 0; i < 4; i++) {
        q[i] = TILE_CHOOSE(at_key, tile->q0[i], q[i]);
    }
    for (int i = 0; i < 3; i++) {
        lanes mixed = t * tile->p1[i] + s * tile->p0[i];
        p[i] = TILE_CHOOSE(at_key, tile->p0[i], mixed);
    }
}

/* As oban_quat_matrix, without the position. */
ALWAYS_INLINE void tile_turn(const lanes q[4], const lanes *scale, lanes m[9])
{
    lanes x = q[0];
    lanes y = q[1];
    lanes z = q[2];
    lanes w = q[3];
    lanes k = *scale;
    m[0] = 1.0f - k * (y * y + z * z);
    m[1] = k * (x * y - z * w);
    m[2] = k * (x * z + y * w);
    m[3] = k * (x * y + z * w);
    m[4] = 1.0f - k * (x * x + z * z);
    m[5] = k * (y * z - x * w);
    m[6] = k * (x * z - y * w);
    m[7] = k * (y * z + x * w);
    m[8] = 1.0f - k * (x * x + y * y);
}

/* Four floats of four slots, turned from slots side by side into floats side by side. */
ALWAYS_INLINE void tile_store4(const lanes from[4], int slot, oban_mat34 *out, int first)
{
    quad a;
    quad b;
    quad c;
    quad d;
    memcpy(&a, (const float *)&from[0] + slot, sizeof a);
    memcpy(&b, (const float *)&from[1] + slot, sizeof b);
    memcpy(&c, (const float *)&from[2] + slot, sizeof c);
    memcpy(&d, (const float *)&from[3] + slot, sizeof d);
    quad ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    quad ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    quad cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    quad cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    quad slots[4] = {
        __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5),
        __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7),
        __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5),
        __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7),
    };
    for (int i = 0; i < 4; i++) {
        memcpy(out[slot + i].m + first, &slots[i], sizeof slots[i]);
    }
}

/* As clip_place: turn * base, and the quarter turn for local clips. */
ALWAYS_INLINE void tile_evaluate(batch_tile *tile)
{
    lanes q[4];
    lanes p[3];
    lanes m[9];
    lanes scale;
    lanes out[12];
    tile_pose(tile, q, p, &scale);
    tile_turn(q, &scale, m);
    for (size_t column = 0; column < 4; column++) {
        const lanes *in = &tile->base[3 * column];
        lanes row[3];
        for (int i = 0; i < 3; i++) {
            row[i] = m[i] * in[0] + m[3 + i] * in[1] + m[6 + i] * in[2];
            row[i] = column == 3 ? row[i] + p[i] : row[i];
        }
        out[3 * column] = row[0];
        out[3 * column + 1] = TILE_CHOOSE(tile->turned, row[2], row[1]);
        out[3 * column + 2] = TILE_CHOOSE(tile->turned, -row[1], row[2]);
    }
    for (int first = 0; first < 12; first += 4) {
        tile_store4(out + first, 0, tile->out, first);
        tile_store4(out + first, 4, tile->out, first);
    }
}

static void tile_evaluate_baseline(batch_tile *tile)
{
    tile_evaluate(tile);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void tile_evaluate_avx2(batch_tile *tile)
{
    tile_evaluate(tile);
}

/* CPUID and XGETBV by hand: the compilers' own test needs libgcc. AVX2 counts when the operating
 * system keeps the wide registers, too. */
static bool cpu_has_avx2(void)
{
    uint32_t a = 1;
    uint32_t b;
    uint32_t c = 0;
    uint32_t d;
    __asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    if ((c & 0x18000000u) != 0x18000000u) { /* OSXSAVE, AVX */
        return false;
    }
    __asm__("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
    if ((a & 6u) != 6u) { /* SSE and AVX state */
        return false;
    }
    a = 0;
    c = 0;
    __asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    if (a < 7) {
        return false;
    }
    a = 7;
    c = 0;
    __asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    return (b & 0x20u) != 0;
}
#else
static void tile_evaluate_avx2(batch_tile *tile)
{
    tile_evaluate(tile);
}

static bool cpu_has_avx2(void)
{
    return false;
}
#endif

bool oban_batch_isa_there(oban_batch_isa isa)
{
    return isa != OBAN_BATCH_AVX2 || cpu_has_avx2();
}

void oban_batch_evaluate(oban_batch *batch)
{
    for (uint32_t i = 0; i < batch->aimed_count; i++) {
        batch_tile *tile = &batch->tiles[batch->aimed[i]];
        tile->aimed = false;
        if (batch->avx2) {
            tile_evaluate_avx2(tile);
        } else {
            tile_evaluate_baseline(tile);
        }
    }
    batch->aimed_count = 0;
}

const oban_mat34 *oban_batch_matrix(const oban_batch *batch, uint32_t slot)
{
    OBAN_ASSERT(slot / TILE_SLOTS < batch->tile_count);
    return &batch->tiles[slot / TILE_SLOTS].out[slot % TILE_SLOTS];
}

/* ---- a slot's segment ---- */

static void tile_take_key(lanes q[4], lanes p[3], uint32_t lane, const oban_key *key, float sign)
{
    q[0][lane] = sign * key->rotation.x;
    q[1][lane] = sign * key->rotation.y;
    q[2][lane] = sign * key->rotation.z;
    q[3][lane] = sign * key->rotation.w;
    for (int axis = 0; axis < 3; axis++) {
        p[axis][lane] = key->position[axis];
    }
}

static float key_dot(const oban_quat *a, const oban_quat *b)
{
    return a->x * b->x + a->y * b->y + a->z * b->z + a->w * b->w;
}

/* The last key at or before the frame, the first one when there is none; looked for from `hint`
 * on, for frames come one after the other. */
static uint32_t key_before(const oban_clip *clip, int32_t frame, uint32_t hint)
{
    const oban_key *keys = clip->play_keys;
    uint32_t low = 0;
    uint32_t high = clip->play_key_count;
    for (uint32_t i = hint; i < high && i < hint + 2; i++) {
        if (keys[i].frame <= frame && (i + 1 == high || keys[i + 1].frame > frame)) {
            return i;
        }
    }
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (keys[middle].frame <= frame) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static void tile_load_segment(batch_tile *tile, uint32_t lane, const oban_clip *clip, int32_t frame)
{
    uint32_t i = key_before(clip, frame, tile->key[lane]);
    const oban_key *first = &clip->play_keys[i];
    bool early = frame < first->frame;
    bool hold = early || i + 1 == clip->play_key_count;
    const oban_key *second = hold ? first : first + 1;
    float sign = key_dot(&first->rotation, &second->rotation) < 0 ? -1.0f : 1.0f;
    tile->key[lane] = i;
    tile->low[lane] = early ? INT32_MIN : first->frame;
    tile->high[lane] = early ? first->frame : hold ? INT32_MAX : second->frame;
    tile->whole[lane] = hold ? INFINITY : (float)((int64_t)second->frame - (int64_t)first->frame);
    tile_take_key(tile->q0, tile->p0, lane, first, 1.0f);
    tile_take_key(tile->q1, tile->p1, lane, second, sign);
}

static void tile_load_clip(batch_tile *tile, uint32_t lane, const oban_clip *clip)
{
    tile->clip[lane] = clip;
    tile->turned[lane] = (clip->flags & OBAN_CLIP_LOCAL) != 0 ? -1 : 0;
    for (int i = 0; i < 12; i++) {
        tile->base[i][lane] = clip->base.m[i];
    }
}

void oban_batch_aim(oban_batch *batch, uint32_t slot, const oban_clip *clip, int32_t frame)
{
    OBAN_ASSERT(slot / TILE_SLOTS < batch->tile_count);
    batch_tile *tile = &batch->tiles[slot / TILE_SLOTS];
    uint32_t lane = slot % TILE_SLOTS;
    bool other = tile->clip[lane] != clip;
    if (other) {
        tile_load_clip(tile, lane, clip);
    }
    if (other || frame < tile->low[lane] || frame >= tile->high[lane]) {
        tile_load_segment(tile, lane, clip, frame);
    }
    /* From the frame number each time: adding up would drift. */
    tile->done[lane] = (float)((int64_t)frame - (int64_t)tile->low[lane]);
    if (!tile->aimed) {
        tile->aimed = true;
        batch->aimed[batch->aimed_count++] = slot / TILE_SLOTS;
    }
}

void oban_batch_forget(oban_batch *batch)
{
    for (uint32_t i = 0; i < batch->tile_count; i++) {
        memset(batch->tiles[i].clip, 0, sizeof batch->tiles[i].clip);
    }
}

/* ---- making ---- */

oban_status oban_batch_create(const oban_alloc *alloc, oban_batch_isa isa, oban_batch **out)
{
    if (!oban_batch_isa_there(isa)) {
        return OBAN_NOT_SUPPORTED;
    }
    oban_batch *batch = oban_alloc_take(alloc, sizeof *batch);
    if (batch == NULL) {
        return OBAN_NO_MEMORY;
    }
    memset(batch, 0, sizeof *batch);
    batch->alloc = *alloc;
    batch->avx2 = isa != OBAN_BATCH_BASELINE && cpu_has_avx2();
    *out = batch;
    return OBAN_OK;
}

void oban_batch_destroy(oban_batch *batch)
{
    if (batch != NULL) {
        oban_alloc alloc = batch->alloc;
        oban_alloc_give(&alloc, batch->block, batch->block_bytes);
        oban_alloc_give(&alloc, batch, sizeof *batch);
    }
}

/* A new block and a copy: the allocator's own resize would keep the bytes, not their alignment. */
oban_status oban_batch_reserve(oban_batch *batch, uint32_t slots)
{
    uint32_t tiles = slots / TILE_SLOTS + (slots % TILE_SLOTS != 0);
    uint32_t grown = batch->tile_count + batch->tile_count / 2;
    if (tiles <= batch->tile_count) {
        return OBAN_OK;
    }
    tiles = tiles < grown ? grown : tiles; /* so that many small steps cost no more than one */
    size_t bytes = TILE_ALIGN + tiles * (sizeof(batch_tile) + sizeof(uint32_t));
    char *block = oban_alloc_take(&batch->alloc, bytes);
    if (block == NULL) {
        return OBAN_NO_MEMORY;
    }
    memset(block, 0, bytes);
    batch_tile *aligned =
        (batch_tile *)(void *)(block + TILE_ALIGN - (uintptr_t)block % TILE_ALIGN);
    uint32_t *aimed = (uint32_t *)(aligned + tiles);
    if (batch->tile_count > 0) {
        memcpy(aligned, batch->tiles, batch->tile_count * sizeof *aligned);
        memcpy(aimed, batch->aimed, batch->aimed_count * sizeof *aimed);
    }
    oban_alloc_give(&batch->alloc, batch->block, batch->block_bytes);
    batch->block = block;
    batch->block_bytes = bytes;
    batch->tiles = aligned;
    batch->aimed = aimed;
    batch->tile_count = tiles;
    return OBAN_OK;
}
