//! `cargo systolic completions SHELL`: a script that completes commands and options.
use crate::End;
use crate::terminal::print;
use clap::{Arg, ArgMatches, Command, value_parser};
use clap_complete::{Shell, generate};

const EXAMPLES: &str = "\
Examples:
  cargo systolic completions bash > ~/.local/share/bash-completion/completions/cargo-systolic
  cargo systolic completions zsh > ~/.zfunc/_cargo-systolic
  cargo systolic completions fish > ~/.config/fish/completions/cargo-systolic.fish

The script completes `cargo-systolic tune`, and `cargo systolic tune` too: in zsh by way of cargo's own completion; in
bash and fish once the script is loaded, for example by `source <(cargo systolic completions bash)` in ~/.bashrc.

Exit codes: 0 done, 2 error.";

/// `cargo systolic …` in bash, which completes it as `cargo-systolic …`, and all other commands of cargo as before.
const BASH: &str = r#"
_cargo_or_systolic() {
    if [[ "${COMP_WORDS[1]}" == systolic && $COMP_CWORD -ge 2 ]]; then
        COMP_WORDS=(cargo-systolic "${COMP_WORDS[@]:2}")
        COMP_CWORD=$((COMP_CWORD - 1))
        _cargo-systolic cargo-systolic "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    elif declare -F _cargo > /dev/null; then
        _cargo "$@"
    fi
}

complete -F _cargo_or_systolic -o bashdefault -o default cargo
"#;

/// The same in fish, whose completions add up.
const FISH: &str = r#"
function __cargo_systolic_words
    set -l words (commandline -opc) (commandline -ct)
    complete -C "cargo-systolic $words[3..-1]"
end
complete -c cargo -n "__fish_seen_subcommand_from systolic" -f -a "(__cargo_systolic_words)"
"#;

/// The options of the command.
pub fn options() -> Command {
    let shells = value_parser!(Shell);
    Command::new("completions")
        .about("Prints a script that completes commands and options in a shell")
        .after_help(EXAMPLES)
        .arg(Arg::new("shell").value_name("SHELL").required(true).value_parser(shells).help("The shell"))
}

/// Runs the command.
pub fn run(matches: &ArgMatches) -> Result<End, String> {
    let shell = matches.get_one::<Shell>("shell").copied().unwrap_or(Shell::Bash);
    let mut written = Vec::new();
    generate(shell, &mut crate::command_line(), "cargo-systolic", &mut written);
    let mut script = String::from_utf8(written).map_err(|e| e.to_string())?;
    script += match shell {
        Shell::Bash => BASH,
        Shell::Fish => FISH,
        _ => "",
    };
    print(&script)?;
    Ok(End::Done)
}
