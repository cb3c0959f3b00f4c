/* SPDX-License-Identifier: MIT */
/* The camera's part of a tick. Next: camera.c. */
#ifndef OBAN_WORLD_CAMERA_H
#define OBAN_WORLD_CAMERA_H

#include "core/world/state.h"

/* Free, at the identity, 45 degrees. */
void oban_camera_init(oban_camera *camera);
/* Phase 2. */
void oban_camera_step(oban_world *world);
/* Phase 4. */
void oban_camera_evaluate(oban_world *world);

#endif
