/* SPDX-License-Identifier: MIT */
/* `oban matrix`: angles, a quaternion or an axis to the twelve numbers of a matrix, and back.
 * Euler angles in the order of the wiki's page: R = Rx * Ry * Rz, usual right-handed turns.
 * Source: oni-formats 7 and 8; its eight examples are tests/integration/test_oban_matrix.py. */
#include "clients/oban/command.h"
#include "clients/oban/tell.h"
#include "proto/json/floats.h"

#include <math.h>
#include <stdio.h>

#define DEGREES_PER_RADIAN 57.29577951308232
/* Axes closer to a right angle than this are at one: what 7 digits can tell. */
#define SHEAR_SLACK 1e-5

const tool_option matrix_options[] = {
    {"euler", 'e', "X Y Z", "degrees about x, y, z; z acts first (the wiki's order)"},
    {"quat", 'q', "X Y Z W", "a quaternion as files have it; any length but 0"},
    {"axis", 'a', "X Y Z DEGREES", "a right-handed turn about an axis"},
    {"position", 'p', "X Y Z", "the last three of the twelve numbers (0 0 0)"},
    {"scale", 's', "FACTOR", "times this, along all axes (1)"},
    {0},
};

const char matrix_more[] =
    "Prints twelve numbers, ready for <InitialTransform> and <BaseTransform>. Without an option,\n"
    "nine or twelve numbers are a matrix, and what it means is printed: Euler angles, quaternion,\n"
    "axis and degrees, position, scale, whether it is mirrored or sheared.\n";

/* A matrix in double precision: three columns, then the position. */
typedef struct mat {
    double m[12];
} mat;

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* ---- to a matrix ----------------------------------------------------------------------------- */

/* Sine of degrees, exact at quarter turns. */
static double sin_degrees(double degrees)
{
    double part = fmod(degrees, 360.0);
    double quarters = part / 90.0;

    if (quarters == floor(quarters)) {
        static const double exact[] = {0, 1, 0, -1};
        return exact[((int)quarters + 4) % 4];
    }
    return sin(part / DEGREES_PER_RADIAN);
}

static double cos_degrees(double degrees)
{
    return sin_degrees(fmod(degrees, 360.0) + 90.0);
}

static mat from_euler(const double *degrees)
{
    double sx = sin_degrees(degrees[0]);
    double cx = cos_degrees(degrees[0]);
    double sy = sin_degrees(degrees[1]);
    double cy = cos_degrees(degrees[1]);
    double sz = sin_degrees(degrees[2]);
    double cz = cos_degrees(degrees[2]);

    return (mat){{cy * cz, cx * sz + sx * sy * cz, sx * sz - cx * sy * cz, -cy * sz,
                  cx * cz - sx * sy * sz, sx * cz + cx * sy * sz, sy, -sx * cy, cx * cy, 0, 0, 0}};
}

/* In the file's sense: the transpose of the usual rotation. False for one of length 0. */
static bool from_quat(const double *q, mat *out)
{
    double most = fmax(fmax(fabs(q[0]), fabs(q[1])), fmax(fabs(q[2]), fabs(q[3])));

    if (most == 0) {
        return false;
    }
    double x = q[0] / most;
    double y = q[1] / most;
    double z = q[2] / most;
    double w = q[3] / most;
    double s = 2.0 / (x * x + y * y + z * z + w * w);
    *out = (mat){{1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w),
                  s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w),
                  s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y), 0, 0, 0}};
    return true;
}

static bool from_axis(const double *axis, mat *out)
{
    double most = fmax(fmax(fabs(axis[0]), fabs(axis[1])), fabs(axis[2]));

    if (most == 0) {
        return false;
    }
    double u[3] = {axis[0] / most, axis[1] / most, axis[2] / most};
    double length = sqrt(dot(u, u));
    double c = cos_degrees(axis[3]);
    double s = sin_degrees(axis[3]);
    double x = u[0] / length;
    double y = u[1] / length;
    double z = u[2] / length;
    double k = 1 - c;
    *out = (mat){{k * x * x + c, k * x * y + s * z, k * x * z - s * y, k * x * y - s * z,
                  k * y * y + c, k * y * z + s * x, k * x * z + s * y, k * y * z - s * x,
                  k * z * z + c, 0, 0, 0}};
    return true;
}

static void print_numbers(ctl_page *page, const char *name, const float *values, unsigned count)
{
    page_format(page, "%s", name);
    for (unsigned i = 0; i < count; i++) {
        char digits[OBAN_FLOAT_BYTES_MAX + 1];
        digits[oban_float_dotnet(values[i], digits)] = '\0';
        page_format(page, "%s%s", i > 0 ? " " : "", digits);
    }
    page_add(page, "\n");
}

static tool_exit print_matrix(const tool_args *args, const mat *matrix)
{
    oban_mat34 out;
    ctl_page page;
    tool_exit done;

    for (int i = 0; i < 12; i++) {
        out.m[i] = (float)matrix->m[i] + 0.0f; /* no minus zero */
        if (!isfinite(out.m[i])) {
            tell("matrix", "numbers", "they are larger than a float32 holds");
            return TOOL_REFUSED;
        }
    }
    page_init(&page);
    if (args->json) {
        oban_writer_object_begin(&page.text);
        oban_writer_key(&page.text, "matrix");
        oban_writer_mat34(&page.text, &out);
        oban_writer_object_end(&page.text);
        page_add(&page, "\n");
    } else {
        print_numbers(&page, "", out.m, 12);
    }
    done = tell_page(&page);
    page_fini(&page);
    return done;
}

/* ---- back ------------------------------------------------------------------------------------ */

typedef struct parts {
    double euler[3];
    double axis[4];
    oban_quat quat;
    double scale[3];
    double position[3];
    bool mirrored;
    bool sheared;
} parts;

static double degrees_of(double radians)
{
    return radians * DEGREES_PER_RADIAN;
}

static void take_euler(const double *r, double *euler)
{
    double sy = fmin(fmax(r[6], -1.0), 1.0);

    euler[1] = degrees_of(asin(sy));
    if (fabs(sy) > 1.0 - 1e-7) { /* x and z turn about one line: all is given to x */
        euler[0] = degrees_of(atan2(r[5], r[4]));
        euler[2] = 0;
        return;
    }
    euler[0] = degrees_of(atan2(-r[7], r[8]));
    euler[2] = degrees_of(atan2(-r[3], r[0]));
}

/* The usual sense: w is the file's with its sign turned. */
static void take_axis(const oban_quat *q, double *axis)
{
    double w = -(double)q->w;
    double v[3] = {(double)q->x, (double)q->y, (double)q->z};
    double length = sqrt(dot(v, v));

    axis[3] = degrees_of(2.0 * atan2(length, fabs(w)));
    for (int i = 0; i < 3; i++) {
        axis[i] = length > 0 ? (w < 0 ? -v[i] : v[i]) / length : (double)(i == 1);
    }
}

static bool take_apart(const double *m, parts *out)
{
    double r[9];
    oban_mat34 rigid = oban_mat34_identity();

    for (int k = 0; k < 3; k++) {
        out->scale[k] = sqrt(dot(m + 3 * k, m + 3 * k));
        out->position[k] = m[9 + k];
        if (out->scale[k] == 0 || !isfinite(out->scale[k])) {
            return false;
        }
        for (int i = 0; i < 3; i++) {
            r[3 * k + i] = m[3 * k + i] / out->scale[k];
        }
    }
    double cross[3] = {r[4] * r[8] - r[5] * r[7], r[5] * r[6] - r[3] * r[8],
                       r[3] * r[7] - r[4] * r[6]};
    double volume = dot(r, cross);
    out->mirrored = volume < 0;
    out->sheared = fabs(dot(r, r + 3)) > SHEAR_SLACK || fabs(dot(r, r + 6)) > SHEAR_SLACK ||
                   fabs(dot(r + 3, r + 6)) > SHEAR_SLACK;
    if (fabs(volume) < 1e-6) {
        return false;
    }
    for (int i = 0; i < 9; i++) {
        r[i] = out->mirrored ? -r[i] : r[i];
        rigid.m[i] = (float)r[i];
    }
    for (int k = 0; k < 3 && out->mirrored; k++) {
        out->scale[k] = -out->scale[k];
    }
    take_euler(r, out->euler);
    out->quat = oban_quat_from_mat34(&rigid);
    take_axis(&out->quat, out->axis);
    return true;
}

/* To so many decimals as seven digits of a matrix give, without minus zero. */
static void floats_of(const double *values, int count, float *out)
{
    for (int i = 0; i < count; i++) {
        out[i] = (float)(round(values[i] * 1e5) / 1e5) + 0.0f;
    }
}

static void add_floats(oban_writer *writer, const char *name, const float *values, size_t count)
{
    oban_writer_key(writer, name);
    oban_writer_f32s(writer, values, count);
}

static void print_parts(ctl_page *page, const parts *found, bool json)
{
    float numbers[5][4] = {{0}, {found->quat.x, found->quat.y, found->quat.z, found->quat.w}};
    static const char *const names[] = {"euler", "quat", "axis", "position", "scale"};
    static const unsigned counts[] = {3, 4, 4, 3, 3};

    floats_of(found->euler, 3, numbers[0]);
    floats_of(&found->axis[3], 1, &numbers[2][3]);
    for (int i = 0; i < 3; i++) {
        numbers[2][i] = (float)found->axis[i] + 0.0f;
        numbers[3][i] = (float)found->position[i];
    }
    floats_of(found->scale, 3, numbers[4]);
    if (json) {
        oban_writer_object_begin(&page->text);
    }
    for (int i = 0; i < 5; i++) {
        char label[16];
        (void)snprintf(label, sizeof label, "%-10s", names[i]);
        if (json) {
            add_floats(&page->text, names[i], numbers[i], counts[i]);
        } else {
            print_numbers(page, label, numbers[i], counts[i]);
        }
    }
    if (json) {
        oban_writer_key(&page->text, "mirrored");
        oban_writer_bool(&page->text, found->mirrored);
        oban_writer_key(&page->text, "sheared");
        oban_writer_bool(&page->text, found->sheared);
        oban_writer_object_end(&page->text);
        page_add(page, "\n");
    } else {
        page_add(page, found->mirrored ? "mirrored  yes\n" : "mirrored  no\n");
        page_add(page, found->sheared ? "sheared   yes: the angles are near ones\n" : "");
    }
}

static tool_exit print_back(const tool_args *args)
{
    double m[12] = {0};
    parts found = {0};
    ctl_page page;
    tool_exit done;

    if (args->word_count != 9 && args->word_count != 12) {
        args_misuse("matrix: expected --euler, --quat, --axis, or nine or twelve numbers; found %u",
                    args->word_count);
    }
    for (uint32_t i = 0; i < args->word_count; i++) {
        if (!args_read_number(args->words[i], &m[i])) {
            args_misuse("matrix: number %u: expected a number, found '%s'", i + 1, args->words[i]);
        }
    }
    if (!take_apart(m, &found)) {
        tell("matrix", "axes", "they lie in one plane; a matrix that turns has three directions");
        return TOOL_REFUSED;
    }
    page_init(&page);
    print_parts(&page, &found, args->json);
    done = tell_page(&page);
    page_fini(&page);
    return done;
}

/* ---- the command ----------------------------------------------------------------------------- */

static bool take_numbers(const tool_args *args, const char *name, int count, double *out)
{
    char **values = args_values(args, name);

    for (int i = 0; values != NULL && i < count; i++) {
        if (!args_read_number(values[i], &out[i])) {
            args_misuse("--%s: expected %d numbers, found '%s'", name, count, values[i]);
        }
    }
    return values != NULL;
}

tool_exit matrix_run(tool_args *args)
{
    double numbers[4] = {0};
    mat matrix = {{0}};
    int ways = args_has(args, "euler") + args_has(args, "quat") + args_has(args, "axis");
    double scale = args_number(args, "scale", -1e9, 1e9, 1.0);

    if (ways == 0) {
        return print_back(args);
    }
    if (ways > 1 || args->word_count > 0) {
        args_misuse("matrix: one of --euler, --quat, --axis, or numbers");
    }
    if (take_numbers(args, "euler", 3, numbers)) {
        matrix = from_euler(numbers);
    } else if (take_numbers(args, "quat", 4, numbers)) {
        if (!from_quat(numbers, &matrix)) {
            tell("matrix", "--quat", "a quaternion of length 0 turns nothing; 0 0 0 1 is no turn");
            return TOOL_REFUSED;
        }
    } else if (take_numbers(args, "axis", 4, numbers) && !from_axis(numbers, &matrix)) {
        tell("matrix", "--axis", "an axis of length 0 has no direction");
        return TOOL_REFUSED;
    }
    for (int i = 0; i < 9; i++) {
        matrix.m[i] *= scale;
    }
    (void)take_numbers(args, "position", 3, matrix.m + 9);
    return print_matrix(args, &matrix);
}
