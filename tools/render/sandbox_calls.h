/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Gives up system calls, by means of seccomp. */
#ifndef RENDER_SANDBOX_CALLS_H
#define RENDER_SANDBOX_CALLS_H

/* From here on, all threads of the process, those of drivers too if the kernel can, are refused what no drawing needs:
 * other processes (clone makes only threads, execve nothing), sockets, inspecting or signalling processes, input faked
 * for the user's terminal, other rights, changes of owners, modes and times of files by name, mounts, modules, and the
 * kernel's large interfaces. These calls fail with EPERM. clone3, and calls newer than the list, fail with ENOSYS, as
 * on a kernel without them. Returns NULL, or why it failed. */
const char *sandbox_calls_enforce(void);

#endif
