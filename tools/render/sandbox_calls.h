/* seccomp, by which a process gives up system calls. */
#ifndef RENDER_SANDBOX_CALLS_H
#define RENDER_SANDBOX_CALLS_H

/* From here on all threads of the process, those of drivers too where the kernel can, are refused what no drawing needs: other processes
 * (clone makes threads alone, execve nothing), sockets, a look into or a signal to processes, keys typed for the user, other rights, other
 * owners, modes and times of files by their names, mounts, modules, and the kernel's large interfaces. They fail with EPERM; clone3, and what
 * is newer than the list, with ENOSYS, as on a kernel without it. NULL, or why not. */
const char *sandbox_calls_enforce(void);

#endif
