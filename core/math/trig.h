/* SPDX-License-Identifier: MIT */
/* Sine and cosine of our own: the same bits whatever the compiler and its library. Next: mat34.h.
 */
#ifndef OBAN_MATH_TRIG_H
#define OBAN_MATH_TRIG_H

/* Of an angle in degrees, within 1e9; to about 1e-15, and exact at quarter turns. Source: ours
 * (the Taylor series, within an eighth of a turn). */
void oban_trig_degrees(double degrees, double *sine, double *cosine);

#endif
