/* SPDX-License-Identifier: MIT */
/* std::to_chars(float), wrapped for C: the shortest text by libstdc++ (Ryu), into a plain buffer
 * with no bookkeeping at all. Not here: what is measured (encoder.c). Next: encoder.c. */
#include "bench/to_chars.h"

#include <charconv>
#include <cstring>

static char *put(char *at, const char *text)
{
    std::size_t bytes = std::strlen(text);
    std::memcpy(at, text, bytes);
    return at + bytes;
}

extern "C" size_t to_chars_objects(const float *floats, uint32_t count, char *out)
{
    char *at = out;
    *at++ = '[';
    for (uint32_t i = 0; i < count; i++) {
        at = put(at, "{\"i\":");
        at = std::to_chars(at, at + 16, i).ptr;
        at = put(at, ",\"m\":[");
        for (int k = 0; k < 12; k++) {
            at = std::to_chars(at, at + 24, floats[12 * static_cast<size_t>(i) + k]).ptr;
            *at++ = ',';
        }
        at[-1] = ']';
        at = put(at, "},");
    }
    at[-1] = ']';
    return static_cast<size_t>(at - out);
}

extern "C" size_t to_chars_float(float value, char *out, size_t room)
{
    return static_cast<size_t>(std::to_chars(out, out + room, value).ptr - out);
}
