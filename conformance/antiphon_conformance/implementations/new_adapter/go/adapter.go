// Adapter for a parser of response templates in Go. The runner starts it and talks to it in JSON Lines.
//
// It reads one JSON object a line from standard input and answers each with one line, until the input ends. Standard
// output is for answers alone; print whatever else you like to standard error. The protocol: conformance/README.md.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"regexp"
	"strconv"
)

// Who you are, and what you have. Take out of `contents` and `features` what your parser lacks: the cases that need it
// are then counted apart. `dialect` may name an engine, such as "re2", for which the patterns of the template shall be
// translated.
const hello = `{"type": "hello", "protocol": 1, "name": "my-parser", "version": "0.0.0", "language": "Go",
	"contents": ["text", "int", "float", "bool", "json", "xml-inline", "kv-lines", "python-call-list"],
	"features": ["lookahead", "negative-lookahead", "lookbehind", "negative-lookbehind", "word-boundary", "word-edge",
		"atomic", "possessive", "backreference", "conditional", "ignore-case", "multiline", "dot-without-newline",
		"verbose", "ascii", "unicode-property", "posix-class", "named-character", "line-break", "grapheme",
		"branch-reset", "duplicate-names", "group-kept-in-loop"],
	"dialect": null}`

// Request is what the runner asks for.
type Request struct {
	Type string `json:"type"`
	ID   int    `json:"id"`
	Setup
	Chunks []string `json:"chunks"`
}

// Setup is what a parser is made from.
type Setup struct {
	Template json.RawMessage   `json:"template"` // it may be faulty
	Prefix   *string           `json:"prefix"`   // nil: the parser is to be made without one (PREFIX-1)
	Tools    json.RawMessage   `json:"tools"`    // a list, or null
	Options  map[string]string `json:"options"`  // perhaps on_malformed: "event" (ERROR-6)
	Patterns json.RawMessage   `json:"patterns"` // the template's, translated, if hello has a dialect
}

// Event has the types and members of SPEC.md, EVENT-1, such as {"type": "region_open", "field": "content"}.
type Event map[string]any

// Refused says that the template or the tools are refused.
type Refused struct {
	Kind    string
	Pointer *string // the JSON Pointer to the fault; nil if you have none
	Message string
}

// Failed says that the text can't be parsed.
type Failed struct {
	Kind     string
	Field    *string
	Position *int
	Message  string
}

// Unsupported says what the parser lacks: an option, or something that a pattern needs.
type Unsupported struct{ What string }

func (refused *Refused) Error() string         { return refused.Message }
func (failed *Failed) Error() string           { return failed.Message }
func (unsupported *Unsupported) Error() string { return unsupported.What }

// --------------------------------------------------------------------------------------------------------------------
// CONNECT YOUR PARSER HERE. All below it may stay as it is.

// Parser is one stream. Let each function call your parser, turn its events into those of the protocol, and return its
// errors as *Refused (of template and tools), *Failed (of the text; the events before it beside it, ERROR-4) or
// *Unsupported. Any other error, and a panic, end the adapter; the runner shows it as a crash of the case, and starts
// the adapter anew.
type Parser struct{}

// NewParser gives the parser and the events that the prefix alone determines (ANCHOR-5).
func NewParser(setup Setup) (*Parser, []Event, error) {
	return nil, nil, &Refused{
		Kind:    "not-connected",
		Message: "no parser is connected yet; see CONNECT YOUR PARSER HERE in adapter.go",
	}
}

// Feed gives the events that are determined now.
func (parser *Parser) Feed(text string) ([]Event, error) {
	return nil, nil
}

// Finalize gives the message and the last events.
func (parser *Parser) Finalize() (map[string]any, []Event, error) {
	return nil, nil, nil
}

// END OF THE PART THAT IS YOURS
// --------------------------------------------------------------------------------------------------------------------

// answer tells what came of a run: everything of the result but type and id. What came before an error is part of it.
func answer(request *Request) map[string]any {
	parser, initial, err := NewParser(request.Setup)
	if err != nil {
		return failure("prefix", err, map[string]any{"initial": some(initial)})
	}
	feeds := [][]Event{}
	for _, chunk := range request.Chunks {
		events, err := parser.Feed(chunk)
		feeds = append(feeds, some(events))
		if err != nil {
			return failure("feed", err, map[string]any{"initial": some(initial), "feeds": feeds})
		}
	}
	message, final, err := parser.Finalize()
	came := map[string]any{"initial": some(initial), "feeds": feeds, "final": some(final)}
	if err != nil {
		return failure("finalize", err, came)
	}
	came["message"] = message
	return came
}

// failure describes an error as the protocol has it; what you don't tell isn't judged.
func failure(stage string, err error, came map[string]any) map[string]any {
	described := map[string]any{"stage": stage, "message": err.Error()}
	var refused *Refused
	var failed *Failed
	var unsupported *Unsupported
	switch {
	case errors.As(err, &unsupported):
		return map[string]any{"unsupported": unsupported.What}
	case errors.As(err, &refused):
		described["stage"], described["kind"] = "load", refused.Kind
		if refused.Pointer != nil {
			described["pointer"] = *refused.Pointer
		}
		return map[string]any{"error": described}
	case errors.As(err, &failed):
		described["kind"] = failed.Kind
		if failed.Field != nil {
			described["field"] = *failed.Field
		}
		if failed.Position != nil {
			described["position"] = *failed.Position
		}
		came["error"] = described
		return came
	}
	panic(err)
}

// some makes of no events an empty list, which nil isn't in JSON.
func some(events []Event) []Event {
	if events == nil {
		return []Event{}
	}
	return events
}

// halfPair finds the escape of a surrogate that isn't part of a pair; encoding/json would silently replace it.
var halfPair = regexp.MustCompile(`(?i)\\\\|\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|\\ud[89a-f][0-9a-f]{2}`)

// hasHalfPair tells whether a line holds what Go's strings can't.
func hasHalfPair(line []byte) bool {
	for _, found := range halfPair.FindAll(line, -1) {
		if len(found) == len(`\ud800`) {
			return true
		}
	}
	return false
}

var number = regexp.MustCompile(`"id": (\d+)`)

// unreadable answers a request that can't be read: an error that no case expects.
func unreadable(line []byte, why string) map[string]any {
	described := map[string]any{"stage": "load", "kind": "unreadable-request", "message": why}
	result := map[string]any{"type": "result", "error": described}
	if found := number.FindSubmatch(line); found != nil {
		result["id"], _ = strconv.Atoi(string(found[1]))
	}
	return result
}

// main gives one answer a line, in order, each written out at once: the runner waits for it.
func main() {
	reader, writer := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(writer)
	encoder.SetEscapeHTML(false)
	var patterns json.RawMessage // only the first run of a case carries them
	for {
		line, err := reader.ReadBytes('\n')
		if err == io.EOF {
			return
		} else if err != nil {
			panic(err)
		}
		if err := encoder.Encode(respond(line, &patterns)); err != nil {
			panic(err)
		}
		if err := writer.Flush(); err != nil {
			panic(err)
		}
	}
}

// respond gives the answer to one line.
func respond(line []byte, patterns *json.RawMessage) any {
	if hasHalfPair(line) {
		return unreadable(line, "the request has half of a surrogate pair, which Go's strings can't hold")
	}
	var request Request
	if err := json.Unmarshal(line, &request); err != nil {
		return unreadable(line, err.Error())
	}
	if request.Type == "hello" {
		return json.RawMessage(hello)
	}
	if request.Patterns != nil {
		*patterns = request.Patterns
	}
	request.Patterns = *patterns
	result := map[string]any{"type": "result", "id": request.ID}
	for name, value := range answer(&request) {
		result[name] = value
	}
	return result
}
