//! Adapter for a parser of response templates in Rust. The runner starts it and talks to it in JSON Lines.
//!
//! It reads one JSON object a line from standard input and answers each with one line, until the input ends. Standard
//! output is for answers alone; print whatever else you like to standard error. The protocol: conformance/README.md.

use serde_json::{json, Map, Value};
use std::io::{self, BufRead, Write};

/// Who you are, and what you have. Take out of `contents` and `features` what your parser lacks: the cases that need it
/// are then counted apart. `dialect` may name an engine, such as "rust", for which the patterns of the template shall
/// be translated.
fn hello() -> Value {
    json!({
        "type": "hello",
        "protocol": 1,
        "name": "my-parser",
        "version": "0.0.0",
        "language": "Rust",
        "contents": ["text", "int", "float", "bool", "json", "xml-inline", "kv-lines", "python-call-list"],
        "features": [
            "lookahead", "negative-lookahead", "lookbehind", "negative-lookbehind", "word-boundary", "word-edge",
            "atomic", "possessive", "backreference", "conditional", "ignore-case", "multiline", "dot-without-newline",
            "verbose", "ascii", "unicode-property", "posix-class", "named-character", "line-break", "grapheme",
            "branch-reset", "duplicate-names", "group-kept-in-loop"
        ],
        "dialect": null
    })
}

/// Such as `{"type": "region_open", "field": "content"}`; the types and members are those of SPEC.md, EVENT-1.
type Event = Value;

/// Why a call of the parser has no result. Whatever else goes wrong may panic: the runner shows it as a crash of the
/// case, and starts the adapter anew.
#[allow(dead_code)] // until a parser is connected
enum Failure {
    /// The template or the tools are refused. `pointer`: the JSON Pointer to the fault, if you have one.
    Refused { kind: String, message: String, pointer: Option<String> },
    /// The text can't be parsed. `events`: what the call would have returned before the error (ERROR-4).
    Failed { kind: String, message: String, events: Vec<Event>, field: Option<String>, position: Option<i64> },
    /// The parser lacks an option, or something that a pattern needs.
    Unsupported(String),
}

/// What a parser is made from.
#[allow(dead_code)] // until a parser is connected
struct Setup<'a> {
    /// It may be faulty.
    template: &'a Value,
    /// None: the parser is to be made without one (PREFIX-1).
    prefix: Option<&'a str>,
    /// A list, or null.
    tools: &'a Value,
    /// Perhaps with `"on_malformed": "event"` (ERROR-6).
    options: &'a Value,
    /// The template's, translated, if hello has a dialect; else null.
    patterns: &'a Value,
}

// --------------------------------------------------------------------------------------------------------------------
// CONNECT YOUR PARSER HERE. All below it may stay as it is.

/// One stream. Let each function call your parser, and turn its events and errors into those of the protocol.
struct Parser {}

impl Parser {
    /// The parser, and the events that the prefix alone determines (ANCHOR-5).
    fn new(_setup: Setup) -> Result<(Parser, Vec<Event>), Failure> {
        Err(Failure::Refused {
            kind: "not-connected".into(),
            message: "no parser is connected yet; see CONNECT YOUR PARSER HERE in src/main.rs".into(),
            pointer: None,
        })
    }

    /// The events that are determined now.
    fn feed(&mut self, _text: &str) -> Result<Vec<Event>, Failure> {
        unimplemented!()
    }

    /// The message and the last events.
    fn finalize(&mut self) -> Result<(Map<String, Value>, Vec<Event>), Failure> {
        unimplemented!()
    }
}

// END OF THE PART THAT IS YOURS
// --------------------------------------------------------------------------------------------------------------------

/// What came of a run: everything of the result but `type` and `id`. What came before an error is part of it.
fn answer(request: &Value, patterns: &Value) -> Value {
    let setup = Setup {
        template: &request["template"],
        prefix: request["prefix"].as_str(),
        tools: &request["tools"],
        options: &request["options"],
        patterns,
    };
    let (mut parser, initial) = match Parser::new(setup) {
        Ok(made) => made,
        Err(failure) => return failed("prefix", failure, |events| json!({"initial": events})),
    };
    let mut feeds: Vec<Vec<Event>> = Vec::new();
    for chunk in request["chunks"].as_array().into_iter().flatten() {
        match parser.feed(chunk.as_str().unwrap_or_default()) {
            Ok(events) => feeds.push(events),
            Err(failure) => {
                return failed("feed", failure, |events| {
                    feeds.push(events);
                    json!({"initial": initial, "feeds": feeds})
                })
            }
        }
    }
    match parser.finalize() {
        Ok((message, events)) => json!({"initial": initial, "feeds": feeds, "final": events, "message": message}),
        Err(failure) => {
            failed("finalize", failure, |events| json!({"initial": initial, "feeds": feeds, "final": events}))
        }
    }
}

/// An error as the protocol has it, with what `came` makes of the events before it. What you don't tell isn't judged.
fn failed(stage: &str, failure: Failure, came: impl FnOnce(Vec<Event>) -> Value) -> Value {
    match failure {
        Failure::Unsupported(what) => json!({"unsupported": what}),
        Failure::Refused { kind, message, pointer } => {
            let mut error = json!({"stage": "load", "kind": kind, "message": message});
            if let Some(pointer) = pointer {
                error["pointer"] = json!(pointer);
            }
            json!({"error": error})
        }
        Failure::Failed { kind, message, events, field, position } => {
            let mut error = json!({"stage": stage, "kind": kind, "message": message});
            if let Some(field) = field {
                error["field"] = json!(field);
            }
            if let Some(position) = position {
                error["position"] = json!(position);
            }
            let mut result = came(events);
            result["error"] = error;
            result
        }
    }
}

/// The answer to a request that can't be read, such as one with half of a surrogate pair, which Rust's strings can't
/// hold: an error that no case expects.
fn unreadable(line: &str, why: &str) -> Value {
    let after = line.split("\"id\": ").nth(1).unwrap_or_default();
    let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
    let error = json!({"stage": "load", "kind": "unreadable-request", "message": why});
    json!({"type": "result", "id": digits.parse::<u64>().unwrap_or_default(), "error": error})
}

/// The answer to one line. `patterns`: those of the last run that carried some, as only the first of a case does.
fn respond(line: &str, patterns: &mut Value) -> Value {
    let mut request: Value = match serde_json::from_str(line) {
        Ok(request) => request,
        Err(error) => return unreadable(line, &error.to_string()),
    };
    if request["type"] == "hello" {
        return hello();
    }
    if !request["patterns"].is_null() {
        *patterns = request["patterns"].take();
    }
    let mut result = answer(&request, patterns);
    result["type"] = json!("result");
    result["id"] = request["id"].take();
    result
}

/// One answer a line, in order, each written out at once: the runner waits for it.
fn main() -> io::Result<()> {
    let mut patterns = Value::Null;
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        writeln!(output, "{}", respond(&line?, &mut patterns))?;
        output.flush()?;
    }
    Ok(())
}
