/* SPDX-License-Identifier: MIT */
/* Floats as text: the shortest decimal that reads back to the same float32 (Schubfach, Raffaello
 * Giulietti's published algorithm; the code is ours), and the two forms that OniSplit's XML knows.
 * Next: json.c. */
#ifndef OBAN_PROTO_JSON_FLOATS_H
#define OBAN_PROTO_JSON_FLOATS_H

#include <stddef.h>

#define OBAN_FLOAT_BYTES_MAX 24u

/* Writes the shortest text that reads back to the same float, also by way of a double: a JSON
 * number of at most 9 significant digits. `out` has room for OBAN_FLOAT_BYTES_MAX, all of which may
 * be scribbled on; no NUL is written. The value must be finite. Returns the length, at most 16.
 * Shape: whole numbers below 1e9 written out ("1", "-225", "100000000"); else plain ("1188.8256",
 * "0.00001") from 1e-5 to 1e9, exponent form ("1.5e-7", "3.4028235e38") outside; "-0" for minus
 * zero. Source: ours; bench/encoder. */
size_t oban_float_shortest(float value, char *out);

/* A float as OniSplit's XML prints it: 7 significant digits, else 9; E+-dd exponent when < -4 or
 * not below the number of digits; NaN, INF, -INF, -0. Source: oni-formats 4.1. */
size_t oban_float_dotnet(float value, char *out);

#endif
