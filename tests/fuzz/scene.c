/* SPDX-License-Identifier: MIT */
/* Fuzz target: scenes in JSON, read and built in a world. */
#include "core/world/world.h"
#include "proto/format/scene_json.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    oban_alloc alloc = fuzz_alloc();
    oban_scene scene;
    oban_text text = {.data = (const char *)data, .bytes = (uint32_t)size};
    oban_status status = oban_scene_read(&alloc, text, NULL, &scene);
    MUST(status == OBAN_OK || (scene.count == 0 && scene.faults.count > 0));
    oban_world *world = NULL;
    oban_world_def def = {
        .alloc = alloc, .objects_max = 1000, .anims_max = 10, .scene_loaded = true};
    MUST(oban_world_create(&def, &world) == OBAN_OK);
    for (uint32_t i = 0; i < scene.count; i++) {
        uint64_t before = oban_world_hash(world);
        oban_result result;
        if (oban_world_apply(world, &scene.commands[i], &result) != OBAN_OK) {
            MUST(oban_world_hash(world) == before);
        }
    }
    oban_world_tick_end(world);
    oban_world_destroy(world);
    oban_scene_fini(&scene);
    return 0;
}
