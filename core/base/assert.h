/* SPDX-License-Identifier: MIT */
/* Our own bugs end the program, in every build. Nothing from outside may ever reach one. */
#ifndef OBAN_BASE_ASSERT_H
#define OBAN_BASE_ASSERT_H

#define OBAN_ASSERT(condition) ((condition) ? (void)0 : __builtin_trap())

#endif
