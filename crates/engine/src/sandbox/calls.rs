//! Which calls to the kernel a program is refused, as seccomp filters.
//!
//! What is not named is allowed: engines are ordinary programs in any language. Files are Landlock's; here are
//! the ways around it and around the process group, and all that is dangerous and no engine needs.

use std::collections::BTreeMap;

use nix::libc;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch,
};

/// The bit of the second table of calls that x86-64 kernels may have.
#[cfg(target_arch = "x86_64")]
const X32: i64 = 0x4000_0000;

/// Stands in a filter for the process's own number, which is known only after the fork.
const SELF: u32 = 0x7eed_51de;

/// Refused with "not permitted", whatever the arguments.
#[rustfmt::skip]
const REFUSED: &[i64] = &[
    // Sockets, and the ring that could make them unseen.
    libc::SYS_socket, libc::SYS_socketpair, libc::SYS_connect, libc::SYS_bind, libc::SYS_listen,
    libc::SYS_accept, libc::SYS_accept4, libc::SYS_io_uring_setup, libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // Other processes, and leaving the group that is killed as one.
    libc::SYS_ptrace, libc::SYS_process_vm_readv, libc::SYS_process_vm_writev, libc::SYS_process_madvise,
    libc::SYS_pidfd_open, libc::SYS_pidfd_getfd, libc::SYS_pidfd_send_signal, libc::SYS_kcmp,
    libc::SYS_setsid, libc::SYS_setpgid,
    // The tree of files and the namespaces.
    libc::SYS_mount, libc::SYS_umount2, libc::SYS_pivot_root, libc::SYS_chroot, libc::SYS_move_mount,
    libc::SYS_open_tree, libc::SYS_fsopen, libc::SYS_fsconfig, libc::SYS_fsmount, libc::SYS_fspick,
    libc::SYS_mount_setattr, libc::SYS_setns, libc::SYS_unshare, libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at, libc::SYS_truncate, libc::SYS_mknodat,
    // The kernel itself.
    libc::SYS_bpf, libc::SYS_perf_event_open, libc::SYS_userfaultfd, libc::SYS_keyctl, libc::SYS_add_key,
    libc::SYS_request_key, libc::SYS_init_module, libc::SYS_finit_module, libc::SYS_delete_module,
    libc::SYS_kexec_load, libc::SYS_reboot, libc::SYS_swapon, libc::SYS_swapoff, libc::SYS_acct,
    libc::SYS_settimeofday, libc::SYS_clock_settime, libc::SYS_adjtimex, libc::SYS_clock_adjtime,
    libc::SYS_sethostname, libc::SYS_setdomainname, libc::SYS_quotactl, libc::SYS_syslog, libc::SYS_vhangup,
];

/// The same, where only x86-64 has them; the last three are other numbers of calls above, in the second table.
#[cfg(target_arch = "x86_64")]
#[rustfmt::skip]
const REFUSED_HERE: &[i64] = &[
    libc::SYS_iopl, libc::SYS_ioperm, libc::SYS_kexec_file_load, libc::SYS_mknod, libc::SYS_modify_ldt,
    X32 + 521, X32 + 539, X32 + 540,
];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_HERE: &[i64] = &[libc::SYS_kexec_file_load];

/// Flags of `clone` that make namespaces.
const NAMESPACES: [i32; 7] = [
    libc::CLONE_NEWNS,
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
];

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// The filters, to be applied one after the other. `hold_signals`: whether signals to others are refused here,
/// because nothing else does.
pub(super) fn filters(hold_signals: bool) -> Result<Vec<BpfProgram>, String> {
    build(hold_signals).map_err(|error| format!("seccomp filters cannot be made here ({error})"))
}

/// Puts the process's own number into a filter. Allocates nothing.
pub(super) fn name_self(program: &mut BpfProgram, own: u32) {
    for instruction in program.iter_mut().filter(|instruction| instruction.k == SELF) {
        instruction.k = own;
    }
}

fn build(hold_signals: bool) -> Result<Vec<BpfProgram>, seccompiler::Error> {
    let mut refused: Rules = REFUSED.iter().chain(REFUSED_HERE).map(|call| (*call, Vec::new())).collect();
    let namespaces = NAMESPACES.iter().map(|flag| masked(0, *flag, *flag)).collect::<Result<_, _>>()?;
    refused.insert(libc::SYS_clone, namespaces);
    refused.insert(libc::SYS_prlimit64, vec![one(0, SeccompCmpOp::Ne, 0)?]);
    // Opening to read may still empty a file, which older kernels' Landlock does not see.
    let emptying = libc::O_ACCMODE | libc::O_TRUNC;
    refused.insert(libc::SYS_openat, vec![masked(2, emptying, libc::O_TRUNC)?]);
    #[cfg(target_arch = "x86_64")]
    refused.insert(libc::SYS_open, vec![masked(1, emptying, libc::O_TRUNC)?]);
    if hold_signals {
        refused.extend(signals()?);
    }
    // Their flags lie in memory where no filter sees them. "Not there" makes libraries take the older calls.
    let absent = [libc::SYS_clone3, libc::SYS_openat2].map(|call| (call, Vec::new()));
    let not_permitted = compile(refused, libc::EPERM)?;
    let not_there = compile(absent.into_iter().collect(), libc::ENOSYS)?;
    Ok(vec![not_permitted, not_there])
}

/// Signals to any process but oneself and one's group.
fn signals() -> Result<Rules, seccompiler::Error> {
    let others = |nor_group: bool| {
        let mut conditions = vec![condition(0, SeccompCmpOp::Ne, u64::from(SELF))?];
        if nor_group {
            conditions.push(condition(0, SeccompCmpOp::Ne, 0)?);
        }
        Ok::<_, seccompiler::Error>(vec![SeccompRule::new(conditions)?])
    };
    Ok(Rules::from([
        (libc::SYS_kill, others(true)?),
        (libc::SYS_tgkill, others(false)?),
        (libc::SYS_tkill, Vec::new()),
        (libc::SYS_rt_sigqueueinfo, others(false)?),
        (libc::SYS_rt_tgsigqueueinfo, others(false)?),
    ]))
}

fn compile(rules: Rules, error: i32) -> Result<BpfProgram, seccompiler::Error> {
    #[cfg(target_arch = "x86_64")]
    let rules: Rules =
        rules.into_iter().flat_map(|(call, how)| [(call, how.clone()), (call | X32, how)]).collect();
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    let refuse = SeccompAction::Errno(error.cast_unsigned());
    Ok(SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch)?.try_into()?)
}

fn condition(argument: u8, how: SeccompCmpOp, value: u64) -> Result<SeccompCondition, seccompiler::Error> {
    Ok(SeccompCondition::new(argument, SeccompCmpArgLen::Dword, how, value)?)
}

fn one(argument: u8, how: SeccompCmpOp, value: u64) -> Result<SeccompRule, seccompiler::Error> {
    Ok(SeccompRule::new(vec![condition(argument, how, value)?])?)
}

fn masked(argument: u8, mask: i32, value: i32) -> Result<SeccompRule, seccompiler::Error> {
    let how = SeccompCmpOp::MaskedEq(u64::from(mask.cast_unsigned()));
    one(argument, how, u64::from(value.cast_unsigned()))
}

#[test]
fn the_own_number_is_put_in_where_signals_are_held() {
    let mut filters = filters(true).expect("filters");
    let named = |program: &BpfProgram, number| program.iter().filter(|step| step.k == number).count();
    let places = named(&filters[0], SELF);
    assert!(places >= 4, "{places}");
    name_self(&mut filters[0], 4711);
    assert_eq!((named(&filters[0], SELF), named(&filters[0], 4711)), (0, places));
}
