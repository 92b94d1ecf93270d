// The door to what Linux has and the Glibc module leaves out.
#pragma once
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <malloc.h>
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

/// Gives the memory back that was freed (malloc_trim(3)): after a large list most of what it took stays with malloc.
static inline void nyan_return_memory(void) { malloc_trim(0); }
