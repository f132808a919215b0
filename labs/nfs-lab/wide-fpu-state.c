/*
 * Preloaded into linux.uml, so that its guest starts on a host whose FPU state is wider than UML knows.
 *
 * UML (Debian 6.1um4) keeps 2,696 bytes of XSAVE state for each guest task: up to AVX-512 and PKRU. A host
 * with AMX has 11,008, and its kernel refuses a PTRACE_SETREGSET that is not of the full size, upon which the
 * guest's init dies in put_fp_registers(). Here a short state is widened: the components beyond the caller's
 * buffer are put into their initial configuration, where they always are in a guest, since nothing there can
 * ask the host for permission to use them. Where the widths agree nothing is changed.
 */
#define _GNU_SOURCE
#include <cpuid.h>
#include <dlfcn.h>
#include <elf.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#define XSTATE_BV_OFFSET 512
#define FIRST_EXTENDED_COMPONENT 2
#define COMPONENTS 63

/* Static, because the stacks of UML's kernel are too small for it. UML calls ptrace from one thread only. */
static unsigned char wide[65536] __attribute__((aligned(64)));
static size_t host_size;

static long (*host_ptrace)(enum __ptrace_request, ...);

static uint64_t components_within(size_t size)
{
    uint64_t components = 3;
    for (unsigned i = FIRST_EXTENDED_COMPONENT; i < COMPONENTS; i++) {
        unsigned length = 0, offset = 0, flags = 0, unused = 0;
        __cpuid_count(0xd, i, length, offset, flags, unused);
        if (length && offset + length <= size)
            components |= UINT64_C(1) << i;
    }
    return components;
}

static long get_xstate(pid_t pid, void *set, struct iovec *state)
{
    struct iovec whole = { wide, sizeof wide };
    long result = host_ptrace(PTRACE_GETREGSET, pid, set, &whole);
    if (result < 0)
        return result;
    host_size = whole.iov_len;
    if (state->iov_len > host_size)
        state->iov_len = host_size;
    memcpy(state->iov_base, wide, state->iov_len);
    return result;
}

static long set_xstate(pid_t pid, void *set, struct iovec *state)
{
    static uint64_t known;
    static size_t known_for;
    struct iovec whole = { wide, sizeof wide };
    uint64_t present;

    if (!host_size) {
        if (host_ptrace(PTRACE_GETREGSET, pid, set, &whole) < 0)
            return -1;
        host_size = whole.iov_len;
    }
    if (state->iov_len >= host_size || state->iov_len < XSTATE_BV_OFFSET + sizeof present)
        return host_ptrace(PTRACE_SETREGSET, pid, set, state);
    if (known_for != state->iov_len) {
        known = components_within(state->iov_len);
        known_for = state->iov_len;
    }
    memcpy(wide, state->iov_base, state->iov_len);
    memset(wide + state->iov_len, 0, host_size - state->iov_len);
    memcpy(&present, wide + XSTATE_BV_OFFSET, sizeof present);
    present &= known;
    memcpy(wide + XSTATE_BV_OFFSET, &present, sizeof present);
    whole.iov_len = host_size;
    return host_ptrace(PTRACE_SETREGSET, pid, set, &whole);
}

long ptrace(enum __ptrace_request request, ...)
{
    va_list arguments;
    va_start(arguments, request);
    pid_t pid = va_arg(arguments, pid_t);
    void *address = va_arg(arguments, void *);
    void *data = va_arg(arguments, void *);
    va_end(arguments);

    if (!host_ptrace)
        host_ptrace = (long (*)(enum __ptrace_request, ...))dlsym(RTLD_NEXT, "ptrace");
    if ((uintptr_t)address == NT_X86_XSTATE) {
        if (request == PTRACE_GETREGSET)
            return get_xstate(pid, address, data);
        if (request == PTRACE_SETREGSET)
            return set_xstate(pid, address, data);
    }
    return host_ptrace(request, pid, address, data);
}
