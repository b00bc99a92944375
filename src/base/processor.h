/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the processor has. */
#ifndef PIETRA_BASE_PROCESSOR_H
#define PIETRA_BASE_PROCESSOR_H

/* glibc's function shifts a signed 1 by 31, which sanitizers refuse. GCC says so by a macro, clang by a feature. */
#ifdef __SANITIZE_ADDRESS__
#define PROCESSOR_IS_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(undefined_behavior_sanitizer)
#define PROCESSOR_IS_SANITIZED
#endif
#endif
#if defined(__x86_64__) && defined(__has_include) && !defined(PROCESSOR_IS_SANITIZED)
#if __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#endif
#endif

/* Takes a feature by glibc's name (AVX2) and by the compiler's ("avx2"). glibc's loader knows what the processor has.
 * The compiler's way asks it a dozen times when the program starts, and in a virtual machine each answer takes
 * microseconds. */
#ifdef CPU_FEATURE_ACTIVE
#define PROCESSOR_HAS(feature, name) CPU_FEATURE_ACTIVE(feature)
#else
#define PROCESSOR_HAS(feature, name) __builtin_cpu_supports(name)
#endif

#endif
