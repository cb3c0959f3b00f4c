/* SPDX-License-Identifier: MIT */
/* See trig.h. */
#include "core/math/trig.h"

#include <stdint.h>

void oban_trig_degrees(double degrees, double *sine, double *cosine)
{
    /* The nearest quarter turn, and what is left: within 45 degrees of it. */
    double quarters = degrees / 90.0;
    int64_t nearest = (int64_t)(quarters + (quarters < 0 ? -0.5 : 0.5));
    double x = (degrees - 90.0 * (double)nearest) * 0.017453292519943295;
    double x2 = x * x;
    double s =
        x *
        (1 -
         x2 / 6 *
             (1 - x2 / 20 *
                      (1 - x2 / 42 *
                               (1 - x2 / 72 * (1 - x2 / 110 * (1 - x2 / 156 * (1 - x2 / 210)))))));
    double c =
        1 -
        x2 / 2 *
            (1 -
             x2 / 12 *
                 (1 -
                  x2 / 30 *
                      (1 - x2 / 56 *
                               (1 - x2 / 90 * (1 - x2 / 132 * (1 - x2 / 182 * (1 - x2 / 240)))))));
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
