//! `cargo systolic completions SHELL`: a script that completes commands and options.
use crate::End;
use crate::terminal::print;
use clap::{Arg, ArgMatches, Command, value_parser};
use clap_complete::{Shell, generate};

const PROGRAM: &str = "cargo-systolic";

/// Its name as that of a function.
const FUNCTION: &str = "cargo_systolic";

const EXAMPLES: &str = "\
Examples:
  cargo systolic completions bash > ~/.cargo-systolic.bash
      then, in ~/.bashrc: source ~/.cargo-systolic.bash
  cargo systolic completions zsh > ~/.zfunc/_cargo-systolic
      in a folder of $fpath; cargo's own completion for zsh calls it
  cargo systolic completions fish > ~/.config/fish/conf.d/cargo-systolic.fish

The words of `cargo systolic …` are completed, and other commands of cargo as before.

Exit codes: 0 done, 2 error.";

/// `cargo systolic …` in bash, which completes it as `cargo-systolic …`, and all other commands of cargo as before.
const BASH: &str = r#"
_cargo_or_systolic() {
    if [[ "${COMP_WORDS[1]}" == systolic && $COMP_CWORD -ge 2 ]]; then
        COMP_WORDS=(cargo-systolic "${COMP_WORDS[@]:2}")
        COMP_CWORD=$((COMP_CWORD - 1))
        _cargo_systolic cargo-systolic "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    elif declare -F _cargo > /dev/null; then
        _cargo "$@"
    fi
}

# What completes cargo may only be loaded when it is first needed.
if ! declare -F _cargo > /dev/null; then
    if declare -F _comp_load > /dev/null; then
        _comp_load cargo
    elif declare -F _completion_loader > /dev/null; then
        _completion_loader cargo
    fi
fi
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
    // The name of the program, and not the two words that cargo makes of it. In scripts for bash, clap_complete 4.6 gives one
    // function two names if the name of a program has a `-`.
    let name = if shell == Shell::Bash { FUNCTION } else { PROGRAM };
    let mut command = crate::command_line().name(name).bin_name(name);
    generate(shell, &mut command, name, &mut written);
    let mut script = String::from_utf8(written).map_err(|e| e.to_string())?;
    if shell == Shell::Bash {
        script = script.replace(&format!(" {FUNCTION}\n"), &format!(" {PROGRAM}\n"));
    }
    script += match shell {
        Shell::Bash => BASH,
        Shell::Fish => FISH,
        _ => "",
    };
    print(&script)?;
    Ok(End::Done)
}
