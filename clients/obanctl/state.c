/* SPDX-License-Identifier: MIT */
/* obanctl state: the snapshot that every connection begins with, as a table or as one JSON object.
 * Next: scene.h, table.h. */
#include "clients/obanctl/command.h"
#include "clients/obanctl/scene.h"
#include "clients/obanctl/screen.h"
#include "clients/obanctl/table.h"

static const ctl_selection all;

static bool read_snapshot(ctl_session *session, ctl_scene *scene)
{
    int64_t deadline_us = session_deadline(session);
    oban_line fault;

    for (;;) {
        session_news news = session_next(session, deadline_us);

        if (news == SESSION_TIME || connection_now_us() >= deadline_us) {
            session_fail(session, EXIT_LOST, "no whole snapshot came in time (see --timeout)");
        }
        if (session->over) {
            return false;
        }
        if (session->kind == MESSAGE_SNAPSHOT_END) {
            return true;
        }
        if (session->kind == MESSAGE_SNAPSHOT && !scene_merge(scene, session->root, &fault)) {
            session_fail_message(session, fault.data);
            return false;
        }
    }
}

static void print_json(ctl_session *session, const ctl_scene *scene)
{
    oban_writer *out = &session->out.text;

    oban_writer_object_begin(out);
    oban_writer_key(out, "tick");
    oban_writer_u64(out, scene->tick);
    scene_write(scene, &all, out);
    oban_writer_object_end(out);
}

static void print_table(ctl_session *session, const ctl_scene *scene)
{
    table_view view = {.colours = screen_has_colours(), .moment = true};

    char counts[128];

    scene_counts(scene, counts, sizeof counts);
    page_format(&session->out, "tick %llu, %s", (unsigned long long)scene->tick, counts);
    if (scene->hidden_ref_count > 0) {
        page_format(&session->out, ", %zu hidden references", scene->hidden_ref_count);
    }
    page_add(&session->out, "\n");
    table_draw(&session->out, scene, &all, &view);
}

void state_run(ctl_session *session)
{
    ctl_scene scene;

    scene_init(&scene);
    if (read_snapshot(session, &scene)) {
        if (session->options->json) {
            ctl_page json;

            page_init(&json);
            print_json(session, &scene);
            page_json_line(&json, session->out.text.data, session->out.text.bytes);
            oban_writer_clear(&session->out.text);
            oban_writer_bytes(&session->out.text, json.text.data, json.text.bytes);
            page_fini(&json);
        } else {
            print_table(session, &scene);
        }
        (void)session_write(session);
    }
    scene_fini(&scene);
}
