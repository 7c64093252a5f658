// Rust's regex crate. No JSON crate is at hand: the plain lines of ../protocol.py. Positions go out as code points.
use regex::{Regex, RegexBuilder};
use std::io::{stdin, stdout, BufRead, Write};

fn text(hex: &str) -> String {
    let bytes = (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hexadecimal"));
    String::from_utf8(bytes.collect()).expect("UTF-8")
}

fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}

fn span(text: &str, found: regex::Match) -> String {
    format!("{},{}", text[..found.start()].chars().count(), text[..found.end()].chars().count())
}

fn search(regex: &Regex, text: &str, groups: &[&str]) -> String {
    match regex.captures(text) {
        None => "-".to_string(),
        Some(captures) => {
            let mut spans = vec![span(text, captures.get(0).expect("the match itself"))];
            spans.extend(groups.iter().map(|name| match captures.name(name) {
                None => "-".to_string(),
                Some(found) => span(text, found),
            }));
            spans.join(";")
        }
    }
}

fn answer(line: &str) -> String {
    let request: Vec<&str> = line.split('\t').collect();
    if request[0] == "version" {
        return format!("version\t{}", hex(&format!("regex {}", option_env!("REGEX_VERSION").unwrap_or("?"))));
    }
    let flags = text(request[2]);
    let built = RegexBuilder::new(&text(request[1]))
        .case_insensitive(flags.contains('i'))
        .multi_line(flags.contains('m'))
        .dot_matches_new_line(flags.contains('s'))
        .ignore_whitespace(flags.contains('x'))
        .build();
    match built {
        Err(error) => format!("error\t{}", hex(&error.to_string())),
        Ok(regex) => {
            let groups: Vec<&str> = request[3].split(',').filter(|name| !name.is_empty()).collect();
            let results: Vec<String> =
                request[4].split(',').map(|hex| search(&regex, &text(hex), &groups)).collect();
            format!("results\t{}", results.join("\t"))
        }
    }
}

fn main() {
    for line in stdin().lock().lines() {
        println!("{}", answer(&line.expect("a line")));
        stdout().flush().expect("an open output");
    }
}
