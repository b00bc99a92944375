/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _GNU_SOURCE /* for syscall */

#include "sandbox_calls.h"

#if defined(__linux__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && \
    (defined(__x86_64__) || defined(__aarch64__)) && defined(__LP64__)

#include <assert.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* From pidfd_send_signal (424) on, calls have the same number on all processors. Older headers lack these: */
enum {
    CALL_PROCESS_MRELEASE = 448,
    CALL_FCHMODAT2 = 452,
    CALL_SETXATTRAT = 463,
    CALL_REMOVEXATTRAT = 466,
    CALL_OPEN_TREE_ATTR = 467,
    CALL_FILE_SETATTR = 469,
    FIRST_UNKNOWN_CALL = 470
};

static const unsigned refused[] = {
/* processes */
#ifdef __x86_64__
    SYS_fork,
    SYS_vfork,
#endif
    SYS_execve,
    SYS_execveat,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_process_madvise,
    CALL_PROCESS_MRELEASE,
    SYS_kcmp,
    SYS_pidfd_open,
    SYS_pidfd_getfd,
    SYS_pidfd_send_signal,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
    SYS_migrate_pages,
    SYS_move_pages,
    SYS_unshare,
    SYS_setns,
    SYS_personality,
#ifdef __GLIBC__
    SYS_tkill, /* with these, other C libraries raise signals */
#endif
    /* sockets and what else leads to other processes */
    SYS_socket,
    SYS_socketpair,
    SYS_bind,
    SYS_connect,
    SYS_listen,
    SYS_accept,
    SYS_accept4,
    SYS_sendto,
    SYS_sendmsg,
    SYS_sendmmsg,
    SYS_recvfrom,
    SYS_recvmsg,
    SYS_recvmmsg,
    SYS_shutdown,
    SYS_getsockname,
    SYS_getpeername,
    SYS_setsockopt,
    SYS_getsockopt,
    SYS_shmget,
    SYS_shmat,
    SYS_shmctl,
    SYS_shmdt,
    SYS_semget,
    SYS_semop,
    SYS_semtimedop,
    SYS_semctl,
    SYS_msgget,
    SYS_msgsnd,
    SYS_msgrcv,
    SYS_msgctl,
    SYS_mq_open,
    SYS_mq_unlink,
    /* rights */
    SYS_setuid,
    SYS_setgid,
    SYS_setreuid,
    SYS_setregid,
    SYS_setresuid,
    SYS_setresgid,
    SYS_setfsuid,
    SYS_setfsgid,
    SYS_setgroups,
    SYS_capset,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
/* files, in ways that Landlock does not check */
#ifdef __x86_64__
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
    SYS_mknod,
#endif
    SYS_fchmodat,
    CALL_FCHMODAT2,
    SYS_fchown,
    SYS_fchownat,
    SYS_utimensat,
    SYS_mknodat,
    SYS_truncate,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    CALL_SETXATTRAT,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
    CALL_REMOVEXATTRAT,
    CALL_FILE_SETATTR,
    SYS_name_to_handle_at,
    SYS_open_by_handle_at,
    SYS_fanotify_init,
    SYS_fanotify_mark,
    /* file systems */
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_open_tree,
    CALL_OPEN_TREE_ATTR,
    SYS_move_mount,
    SYS_fsopen,
    SYS_fsconfig,
    SYS_fsmount,
    SYS_fspick,
    SYS_mount_setattr,
    SYS_quotactl,
    SYS_quotactl_fd,
    SYS_swapon,
    SYS_swapoff,
    /* the kernel */
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_kexec_file_load,
    SYS_reboot,
    SYS_syslog,
    SYS_acct,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_adjtimex,
    SYS_clock_adjtime,
    SYS_vhangup,
#ifdef __x86_64__
    SYS_iopl,
    SYS_ioperm,
    SYS_modify_ldt,
    SYS_uselib,
    SYS__sysctl,
    SYS_create_module,
    SYS_get_kernel_syms,
    SYS_query_module,
#endif
};
/* Calls whose answer depends on an argument, or is not EPERM. */
static const unsigned asked[] = {SYS_clone, SYS_clone3, SYS_kill, SYS_tgkill, SYS_ioctl};

#define MOST_STEPS 250 /* a jump has eight bits, and two of its values are labels */
#define WORD_BITS 32u
#define WORD_COUNT ((FIRST_UNKNOWN_CALL + WORD_BITS - 1) / WORD_BITS)

typedef struct program {
    struct sock_filter steps[MOST_STEPS];
    unsigned short count;
} program;

/* Labels for jumps to later steps, until these exist. */
enum { TO_REFUSAL = 254, TO_PERMISSION = 255 };

static void put(program *program, unsigned code, unsigned yes, unsigned no, uint32_t value)
{
    assert(program->count < MOST_STEPS);
    program->steps[program->count++] = (struct sock_filter){(uint16_t)code, (uint8_t)yes, (uint8_t)no, value};
}

static void put_load(program *program, size_t offset)
{
    put(program, BPF_LD | BPF_W | BPF_ABS, 0, 0, (uint32_t)offset);
}

static void put_end(program *program, uint32_t answer)
{
    put(program, BPF_RET | BPF_K, 0, 0, answer);
}

/* Loads the lower half: all arguments that are tested have 32 bits. */
static void put_load_argument(program *program, unsigned index)
{
    put_load(program, offsetof(struct seccomp_data, args) + sizeof(uint64_t) * index);
}

static void put_question(program *program, unsigned call)
{
    switch (call) {
    case SYS_clone:
        put_load_argument(program, 0);
        put(program, BPF_JMP | BPF_JSET | BPF_K, TO_PERMISSION, TO_REFUSAL, CLONE_THREAD);
        break;
    case SYS_clone3: /* the filter cannot see its arguments; C libraries then fall back to clone */
        put_end(program, SECCOMP_RET_ERRNO | ENOSYS);
        break;
    case SYS_kill:
    case SYS_tgkill:
        put_load_argument(program, 0);
        put(program, BPF_JMP | BPF_JEQ | BPF_K, TO_PERMISSION, TO_REFUSAL, (uint32_t)getpid());
        break;
    case SYS_ioctl:
        put_load_argument(program, 1);
        put(program, BPF_JMP | BPF_JEQ | BPF_K, TO_REFUSAL, 0, TIOCSTI);
        put(program, BPF_JMP | BPF_JEQ | BPF_K, TO_REFUSAL, TO_PERMISSION, TIOCLINUX);
        break;
    default:
        assert(false);
        break;
    }
}

/* Sets the bits of all calls that are not simply allowed. */
static void make_words(uint32_t words[WORD_COUNT])
{
    memset(words, 0, WORD_COUNT * sizeof *words);
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        words[refused[i] / WORD_BITS] |= (uint32_t)1 << refused[i] % WORD_BITS;
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++)
        words[asked[i] / WORD_BITS] |= (uint32_t)1 << asked[i] % WORD_BITS;
}

static bool are_equal(const uint32_t *words, size_t begin, size_t end)
{
    while (end - begin > 1 && words[begin] == words[end - 1])
        end--;
    return end - begin == 1;
}

/* Writes the search for the call's word. The call is loaded, and in the end the word is. */
static void put_search(program *program, const uint32_t *words, size_t begin, size_t end)
{
    const unsigned short here = program->count;
    const size_t middle = begin + (end - begin) / 2;

    if (are_equal(words, begin, end)) {
        put(program, BPF_LD | BPF_IMM, 0, 0, words[begin]);
        put(program, BPF_JMP | BPF_JA, 0, 0, 0); /* to the end */
        return;
    }
    put(program, BPF_JMP | BPF_JGE | BPF_K, 0, 0, (uint32_t)middle * WORD_BITS);
    put_search(program, words, begin, middle);
    program->steps[here].jt = (uint8_t)(program->count - here - 1);
    put_search(program, words, middle, end);
}

/* Writes the test of the call's bit, which leads to what follows if it is set. The call is loaded. */
static void put_test(program *program, const uint32_t *words)
{
    put(program, BPF_ALU | BPF_AND | BPF_K, 0, 0, WORD_BITS - 1);
    put(program, BPF_MISC | BPF_TAX, 0, 0, 0);
    put_load(program, offsetof(struct seccomp_data, nr));
    put_search(program, words, 0, WORD_COUNT);
    for (unsigned short i = 0; i < program->count; i++)
        if (program->steps[i].code == (BPF_JMP | BPF_JA))
            program->steps[i].k = program->count - i - 1u;
    put(program, BPF_ALU | BPF_RSH | BPF_X, 0, 0, 0);
    put(program, BPF_JMP | BPF_JSET | BPF_K, 0, TO_PERMISSION, 1);
}

/* Writes the answers to calls whose bit is set, and replaces the labels by them. */
static void put_answers(program *program)
{
    put_load(program, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        const unsigned short here = program->count;
        put(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, asked[i]);
        put_question(program, asked[i]);
        program->steps[here].jf = (uint8_t)(program->count - here - 1);
    }
    const unsigned short refusal = program->count;
    put_end(program, SECCOMP_RET_ERRNO | EPERM);
    put_end(program, SECCOMP_RET_ALLOW);
    for (unsigned short i = 0; i < refusal; i++) {
        uint8_t *jumps[] = {&program->steps[i].jt, &program->steps[i].jf};
        for (size_t j = 0; j < 2; j++)
            if (*jumps[j] == TO_REFUSAL || *jumps[j] == TO_PERMISSION)
                *jumps[j] = (uint8_t)(refusal - i - 1 + (*jumps[j] == TO_PERMISSION));
    }
}

/* The program is short and takes few steps to each answer, because the kernel translates it and, while it is being
 * installed, runs it for every call. */
static void write_program(program *program)
{
    uint32_t words[WORD_COUNT];

    make_words(words);
    program->count = 0;
    put_load(program, offsetof(struct seccomp_data, arch));
    put(program, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, ARCHITECTURE);
    put_end(program, SECCOMP_RET_KILL_PROCESS);
    put_load(program, offsetof(struct seccomp_data, nr));
    /* The calls of x32 start far above. */
    put(program, BPF_JMP | BPF_JGE | BPF_K, 0, 1, FIRST_UNKNOWN_CALL);
    put_end(program, SECCOMP_RET_ERRNO | ENOSYS);
    put_test(program, words);
    put_answers(program);
}

const char *sandbox_calls_enforce(void)
{
    program program;

    write_program(&program);
    struct sock_fprog filter = {.len = program.count, .filter = program.steps};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return "the kernel lets nothing be given up";
    /* This holds for all threads, unless one has rules of its own. It leaves the guards against speculative execution
     * as they are, since older kernels turn them on with a filter, which slows down everything that follows. */
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW,
                &filter) == 0 ||
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &filter) == 0 ||
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) == 0) {
        return NULL;
    }
    return "the kernel has no filters of system calls";
}

#else

const char *sandbox_calls_enforce(void)
{
    return "there is no filter for this system's calls";
}

#endif
