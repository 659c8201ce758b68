//! The command line.

fn main() -> std::process::ExitCode {
    harnessc::cli::main()
}
