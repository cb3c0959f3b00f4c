/* SPDX-License-Identifier: MIT */
/* Many clips' matrices at once: a structure of arrays in tiles of eight slots, each slot with the
 * two keys around its frame. The very bits of oban_clip_matrix, at a fifth of its cost.
 * Not here: where an object stands (a local clip's matrix still has to be multiplied with its
 * origin), the camera, clips without their rotation.
 * Next: batch.c. */
#ifndef OBAN_ANIM_BATCH_H
#define OBAN_ANIM_BATCH_H

#include "core/anim/clip.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct oban_batch oban_batch;

/* By which instructions it is computed; the bits are the same. */
typedef enum oban_batch_isa {
    OBAN_BATCH_BEST,     /* the best that this machine has */
    OBAN_BATCH_BASELINE, /* what every machine of its kind has: SSE2 on x86-64 */
    OBAN_BATCH_AVX2
} oban_batch_isa;

/* Whether this machine has it. */
bool oban_batch_isa_there(oban_batch_isa isa);

/* Makes a batch without slots.
 * Returns OK, NOT_SUPPORTED (the machine has no such instructions), NO_MEMORY.
 * Owns: give it back with oban_batch_destroy. Source: ours. */
oban_status oban_batch_create(const oban_alloc *alloc, oban_batch_isa isa, oban_batch **out);
void oban_batch_destroy(oban_batch *batch);

/* Makes room for slots 0 to slots - 1; never shrinks. The only call that allocates.
 * Returns OK or NO_MEMORY; then nothing has changed. */
oban_status oban_batch_reserve(oban_batch *batch, uint32_t slots);

/* Says what a slot is to show at the next oban_batch_evaluate. The slot keeps what it reads of the
 * clip, so that the same clip at a near frame is cheap; a slot may be given another clip at any
 * time. The clip must live until the slot is given another or all are forgotten.
 * Shape: slot below what was reserved (an assert). */
void oban_batch_aim(oban_batch *batch, uint32_t slot, const oban_clip *clip, int32_t frame);
/* Forgets all clips: to be called when one that was aimed at is destroyed. */
void oban_batch_forget(oban_batch *batch);

/* Computes all slots that were aimed since the last call. Allocates nothing. Source: behaviour 2.
 */
void oban_batch_evaluate(oban_batch *batch);
/* What oban_clip_matrix gives for the slot's clip and frame, as of the last evaluation. Valid until
 * the next reserve. */
const oban_mat34 *oban_batch_matrix(const oban_batch *batch, uint32_t slot);

#endif
