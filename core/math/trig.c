/* SPDX-License-Identifier: MIT */
/* See trig.h. */
#include "core/math/trig.h"

#include <stdint.h>

/* A term of a series, with all that come after it. The factor is worked out when this is compiled:
 * dividing by each in turn takes most of the time. */
#define TRIG_TERM(n, rest) (1.0 - x2 * (1.0 / ((n) * ((n) + 1.0))) * (rest))

void oban_trig_degrees(double degrees, double *sine, double *cosine)
{
    /* The nearest quarter turn, and what is left: within 45 degrees of it. */
    double quarters = degrees * (1.0 / 90.0);
    int64_t nearest = (int64_t)(quarters + (quarters < 0 ? -0.5 : 0.5));
    double x = (degrees - 90.0 * (double)nearest) * 0.017453292519943295;
    double x2 = x * x;
    double s = 1.0;
    double c = TRIG_TERM(15, 1.0);
    s = TRIG_TERM(14, s);
    c = TRIG_TERM(13, c);
    s = TRIG_TERM(12, s);
    c = TRIG_TERM(11, c);
    s = TRIG_TERM(10, s);
    c = TRIG_TERM(9, c);
    s = TRIG_TERM(8, s);
    c = TRIG_TERM(7, c);
    s = TRIG_TERM(6, s);
    c = TRIG_TERM(5, c);
    s = TRIG_TERM(4, s);
    c = TRIG_TERM(3, c);
    s = TRIG_TERM(2, s);
    c = TRIG_TERM(1, c);
    s = x * s;
    switch (nearest & 3) {
    case 0:
        *sine = s;
        *cosine = c;
        break;
    case 1:
        *sine = c;
        *cosine = -s;
        break;
    case 2:
        *sine = -s;
        *cosine = -c;
        break;
    default:
        *sine = -c;
        *cosine = s;
        break;
    }
}
