// Adapter for a parser of response templates in Swift. The runner starts it and talks to it in JSON Lines.
//
// It reads one JSON object a line from standard input and answers each with one line, until the input ends. Standard
// output is for answers alone; print whatever else you like to standard error. The protocol: conformance/README.md.

import Foundation

/// Who you are, and what you have. Take out of `contents` and `features` what your parser lacks: the cases that need it
/// are then counted apart. `dialect` may name an engine, such as "icu", for which the patterns of the template shall be
/// translated.
let hello: [String: Any] = [
    "type": "hello",
    "protocol": 1,
    "name": "my-parser",
    "version": "0.0.0",
    "language": "Swift",
    "contents": ["text", "int", "float", "bool", "json", "xml-inline", "kv-lines", "python-call-list"],
    "features": [
        "lookahead", "negative-lookahead", "lookbehind", "negative-lookbehind", "word-boundary", "word-edge", "atomic",
        "possessive", "backreference", "conditional", "ignore-case", "multiline", "dot-without-newline", "verbose",
        "ascii", "unicode-property", "posix-class", "named-character", "line-break", "grapheme", "branch-reset",
        "duplicate-names", "group-kept-in-loop",
    ],
    "dialect": NSNull(),
]

/// Such as `["type": "region_open", "field": "content"]`; the types and members are those of SPEC.md, EVENT-1.
typealias Event = [String: Any]

/// Why a call of the parser has no result. Whatever else goes wrong may trap: the runner shows it as a crash of the
/// case, and starts the adapter anew.
enum Failure: Error {
    /// The template or the tools are refused. `pointer`: the JSON Pointer to the fault, if you have one.
    case refused(kind: String, message: String, pointer: String?)
    /// The text can't be parsed. `events`: what the call would have returned before the error (ERROR-4).
    case failed(kind: String, message: String, events: [Event], field: String?, position: Int?)
    /// The parser lacks an option, or something that a pattern needs.
    case unsupported(String)
}

/// What a parser is made from.
struct Setup {
    /// It may be faulty.
    let template: Any
    /// nil: the parser is to be made without one (PREFIX-1).
    let prefix: String?
    /// A list, or NSNull.
    let tools: Any
    /// Perhaps with `"on_malformed": "event"` (ERROR-6).
    let options: [String: Any]
    /// The template's, translated, if hello has a dialect; else nil.
    let patterns: Any?
}

// --------------------------------------------------------------------------------------------------------------------
// CONNECT YOUR PARSER HERE. All below it may stay as it is.

/// One stream. Let each function call your parser, and turn its events and errors into those of the protocol.
final class Parser {
    /// What the prefix alone determines (ANCHOR-5).
    let initialEvents: [Event] = []

    init(_ setup: Setup) throws {
        throw Failure.refused(
            kind: "not-connected",
            message: "no parser is connected yet; see CONNECT YOUR PARSER HERE in Sources/adapter/main.swift",
            pointer: nil)
    }

    /// The events that are determined now.
    func feed(_ text: String) throws -> [Event] {
        return []
    }

    /// The message and the last events.
    func finalize() throws -> (message: [String: Any], events: [Event]) {
        return ([:], [])
    }
}

// END OF THE PART THAT IS YOURS
// --------------------------------------------------------------------------------------------------------------------

/// What came of a run: everything of the result but `type` and `id`. What came before an error is part of it.
func answer(_ request: [String: Any], patterns: Any?) -> [String: Any] {
    let setup = Setup(
        template: request["template"] ?? NSNull(),
        prefix: request["prefix"] as? String,
        tools: request["tools"] ?? NSNull(),
        options: request["options"] as? [String: Any] ?? [:],
        patterns: patterns)
    var initial: [Event] = []
    var feeds: [[Event]] = []
    var last: [Event] = []
    var stage = "prefix"
    do {
        let parser = try Parser(setup)
        initial = parser.initialEvents
        stage = "feed"
        for chunk in request["chunks"] as? [String] ?? [] {
            feeds.append(try parser.feed(chunk))
        }
        stage = "finalize"
        let outcome = try parser.finalize()
        return ["initial": initial, "feeds": feeds, "final": outcome.events, "message": outcome.message]
    } catch Failure.unsupported(let what) {
        return ["unsupported": what]
    } catch Failure.refused(let kind, let message, let pointer) {  // what you don't tell isn't judged
        var error: [String: Any] = ["stage": "load", "kind": kind, "message": message]
        error["pointer"] = pointer
        return ["error": error]
    } catch Failure.failed(let kind, let message, let events, let field, let position) {
        switch stage {
        case "prefix": initial = events
        case "feed": feeds.append(events)
        default: last = events
        }
        var error: [String: Any] = ["stage": stage, "kind": kind, "message": message]
        error["field"] = field
        error["position"] = position
        return ["initial": initial, "feeds": feeds, "final": last, "error": error]
    } catch {
        fatalError("\(error)")
    }
}

/// The answer to a request that can't be read, such as one with half of a surrogate pair, which Swift's strings can't
/// hold: an error that no case expects.
func unreadable(_ line: String) -> [String: Any] {
    let digits = line.components(separatedBy: "\"id\": ").dropFirst().first?.prefix { $0.isNumber } ?? "0"
    let error = ["stage": "load", "kind": "unreadable-request", "message": "JSONSerialization can't read the request"]
    return ["type": "result", "id": Int(digits) ?? 0, "error": error]
}

/// Those of the last run that carried some, as only the first of a case does.
var patterns: Any?

/// The answer to one line.
func respond(_ line: String) -> [String: Any] {
    let document = try? JSONSerialization.jsonObject(with: Data(line.utf8))
    guard let request = document as? [String: Any] else {
        return unreadable(line)
    }
    if request["type"] as? String == "hello" {
        return hello
    }
    patterns = request["patterns"] ?? patterns
    var result = answer(request, patterns: patterns)
    result["type"] = "result"
    result["id"] = request["id"]
    return result
}

// One answer a line, in order, each written out at once: the runner waits for it.
while let line = readLine() {
    let response = try JSONSerialization.data(withJSONObject: respond(line), options: [.withoutEscapingSlashes])
    FileHandle.standardOutput.write(response + Data("\n".utf8))
}
