//! What a terminal shows: colours unless `NO_COLOR` is set, help with examples, and scripts that complete words.
#![cfg(unix)]
mod support;

use std::process::Command;
use support::{OUTSIDE, User, said};

fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

#[test]
fn colours_in_a_terminal_only() {
    let user = User::new("colours", OUTSIDE);
    assert!(!user.run(&["check"]).out.contains('\x1b'), "a pipe is no terminal");
    if !is_there("script") {
        return;
    }
    // `script` gives a program a terminal.
    let program = env!("CARGO_BIN_EXE_cargo-systolic");
    let shown = |colour: Option<&str>| {
        let mut command = Command::new("script");
        command.args(["-qec", &format!("{program} check"), "/dev/null"]).current_dir(&user.folder);
        command.env_remove("NO_COLOR").env("TERM", "xterm").env("CARGO_NET_OFFLINE", "true");
        colour.map(|value| command.env("NO_COLOR", value));
        said(&command.output().expect("it runs"))
    };
    let coloured = shown(None);
    assert_eq!(coloured.code, Some(1), "{}", coloured.out);
    assert!(coloured.out.contains("\x1b[1;31merror\x1b[0m"), "{:?}", coloured.out);
    let plain = shown(Some("1"));
    assert!(plain.out.contains("error: bounds: ") && !plain.out.contains('\x1b'), "{:?}", plain.out);
}

#[test]
fn help_of_every_command() {
    let user = User::nowhere("help");
    let all = user.run(&["--help"]).out;
    for command in ["init", "doctor", "check", "explain", "compare", "tune", "machine", "completions"] {
        assert!(all.contains(&format!("  {command} ")), "{all}");
        let said = user.run(&["help", command]);
        assert_eq!(said.code, Some(0));
        assert!(said.out.contains(&format!("Examples:\n  cargo systolic {command}")), "{}", said.out);
        assert!(said.out.contains("Exit codes: 0 "), "{}", said.out);
    }
    let near = user.run(&["doctr"]);
    assert!(near.code == Some(2) && near.err.contains("'doctor'"), "{}", near.err);
    std::fs::remove_dir_all(&user.folder).expect("it was there");
}

#[test]
fn completions_of_three_shells() {
    let user = User::nowhere("completions");
    for shell in ["bash", "zsh", "fish"] {
        let script = user.run(&["completions", shell]);
        assert_eq!((script.code, script.err.as_str()), (Some(0), ""));
        assert!(script.out.contains("doctor") && script.out.contains("dry-run"), "{shell}");
        user.write(shell, &script.out);
        if is_there(shell) {
            let read = Command::new(shell).arg("-n").arg(user.folder.join(shell)).output().expect("it runs");
            assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
        }
    }
    assert_eq!(user.run(&["completions", "csh"]).code, Some(2));
    if is_there("bash") {
        let complete = "source ./bash; COMP_WORDS=(cargo systolic doc); COMP_CWORD=2; _cargo_or_systolic cargo doc systolic; \
                        echo \"${COMPREPLY[@]}\"; COMP_WORDS=(cargo systolic init --dr); COMP_CWORD=3; \
                        _cargo_or_systolic cargo --dr init; echo \"${COMPREPLY[@]}\"";
        let shown = Command::new("bash").args(["-c", complete]).current_dir(&user.folder).output().expect("it runs");
        assert_eq!(said(&shown).out, "doctor\n--dry-run\n", "{}", said(&shown).err);
    }
    std::fs::remove_dir_all(&user.folder).expect("it was there");
}
