// The door to what Linux has and the Glibc module leaves out.
#pragma once
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <malloc.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

/// No core dump of this process, and no other process of this user may read its memory (prctl(2) PR_SET_DUMPABLE).
static inline int nyan_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

/// A socket that can be read when a route or an IPv4 address of this machine came or went (rtnetlink(7)); -1 where
/// there is none. IPv6 addresses are left out: their lifetimes are renewed, and told, every few minutes.
static inline int nyan_open_route_socket(void) {
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
    if (fd < 0) return -1;
    struct sockaddr_nl local = {.nl_family = AF_NETLINK,
                                .nl_groups = RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE | RTMGRP_IPV4_IFADDR};
    if (bind(fd, (struct sockaddr *)&local, sizeof local) < 0) {
        close(fd);
        return -1;
    }
    return fd;
}

/// A descriptor that can be read when something was mounted or unmounted (proc(5), mountinfo); -1 where there is none.
/// The table itself can always be read, so that only what is exceptional about it is listened to.
static inline int nyan_open_mount_watch(void) {
    int table = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
    if (table < 0) return -1;
    int fd = epoll_create1(EPOLL_CLOEXEC);
    // The table stays open as long as the watch, which is as long as the process.
    struct epoll_event event = {.events = EPOLLPRI};
    if (fd < 0 || epoll_ctl(fd, EPOLL_CTL_ADD, table, &event) < 0) {
        if (fd >= 0) close(fd);
        close(table);
        return -1;
    }
    return fd;
}

/// Takes what the watch has to say: the next change makes it readable again.
static inline void nyan_read_mount_watch(int fd) {
    struct epoll_event event;
    while (epoll_wait(fd, &event, 1, 0) > 0) {}
}

/// Lets all threads allocate from one heap, to be called before there are any: with malloc's heap for each thread, memory
/// freed on one is of no use to the next, and half as much again is held (docs/decisions/0033).
static inline void nyan_use_one_heap(void) { mallopt(M_ARENA_MAX, 1); }

/// Gives the memory back that was freed (malloc_trim(3)): after a large list most of what it took stays with malloc.
static inline void nyan_return_memory(void) { malloc_trim(0); }
