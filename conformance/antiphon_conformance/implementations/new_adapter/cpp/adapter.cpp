// Adapter for a parser of response templates in C++. The runner starts it and talks to it in JSON Lines.
//
// It reads one JSON object a line from standard input and answers each with one line, until the input ends. Standard
// output is for answers alone; print whatever else you like to standard error. The protocol: conformance/README.md.

#include <cstdint>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using nlohmann::json;

// Who you are, and what you have. Take out of `contents` and `features` what your parser lacks: the cases that need it
// are then counted apart. `dialect` may name an engine, such as "pcre2", for which the patterns of the template shall
// be translated.
const json HELLO = json::parse(R"({
  "type": "hello", "protocol": 1, "name": "my-parser", "version": "0.0.0", "language": "C++",
  "contents": ["text", "int", "float", "bool", "json", "xml-inline", "kv-lines", "python-call-list"],
  "features": [
    "lookahead", "negative-lookahead", "lookbehind", "negative-lookbehind", "word-boundary", "word-edge", "atomic",
    "possessive", "backreference", "conditional", "ignore-case", "multiline", "dot-without-newline", "verbose", "ascii",
    "unicode-property", "posix-class", "named-character", "line-break", "grapheme", "branch-reset", "duplicate-names",
    "group-kept-in-loop"
  ],
  "dialect": null
})");

// Such as {"type": "region_open", "field": "content"}; the types and members are those of SPEC.md, EVENT-1.
using Events = std::vector<json>;

// The template or the tools are refused. `pointer`: the JSON Pointer to the fault, if you have one.
struct Refused : std::runtime_error {
  Refused(std::string kind, const std::string& message, std::optional<std::string> pointer = {})
      : std::runtime_error(message), kind(std::move(kind)), pointer(std::move(pointer)) {}
  std::string kind;
  std::optional<std::string> pointer;
};

// The text can't be parsed. `events`: what the failing call would have returned before the error (ERROR-4).
struct Failed : std::runtime_error {
  Failed(std::string kind, const std::string& message, Events events, std::optional<std::string> field = {},
         std::optional<std::int64_t> position = {})
      : std::runtime_error(message), kind(std::move(kind)), events(std::move(events)), field(std::move(field)),
        position(position) {}
  std::string kind;
  Events events;
  std::optional<std::string> field;
  std::optional<std::int64_t> position;
};

// The parser lacks an option, or something that a pattern needs; the text says what.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What a parser is made from.
struct Setup {
  const json& template_document;      // it may be faulty
  std::optional<std::string> prefix;  // none: the parser is to be made without one (PREFIX-1)
  const json& tools;                  // a list, or null
  const json& options;                // perhaps with "on_malformed": "event" (ERROR-6)
  const json& patterns;               // the template's, translated, if HELLO has a dialect; else null
};

// --------------------------------------------------------------------------------------------------------------------
// CONNECT YOUR PARSER HERE. All below it may stay as it is.

// One stream. Let each function call your parser, turn its events into those of the protocol, and throw its errors as
// Refused (of template and tools), Failed (of the text) or Unsupported. Any other exception ends the adapter; the
// runner shows it as a crash of the case, and starts the adapter anew.
class Parser {
 public:
  explicit Parser(const Setup&) {
    throw Refused("not-connected", "no parser is connected yet; see CONNECT YOUR PARSER HERE in adapter.cpp");
  }

  // What the prefix alone determines (ANCHOR-5).
  Events initial_events() const { return {}; }

  // The events that are determined now.
  Events feed(const std::string&) { return {}; }

  // The message and the last events.
  std::pair<json, Events> finalize() { return {json::object(), {}}; }
};

// END OF THE PART THAT IS YOURS
// --------------------------------------------------------------------------------------------------------------------

// What came of a run: everything of the result but `type` and `id`. What came before an error is part of it.
json answer(const json& request, const json& patterns) {
  json came = {{"initial", json::array()}, {"feeds", json::array()}};
  std::string stage = "prefix";
  try {
    std::optional<std::string> prefix;
    if (request["prefix"].is_string()) prefix = request["prefix"].get<std::string>();
    Parser parser(Setup{request["template"], prefix, request["tools"], request["options"], patterns});
    came["initial"] = parser.initial_events();
    stage = "feed";
    for (const json& chunk : request["chunks"]) came["feeds"].push_back(parser.feed(chunk.get<std::string>()));
    stage = "finalize";
    auto [message, events] = parser.finalize();
    came["final"] = std::move(events);
    came["message"] = std::move(message);
    return came;
  } catch (const Unsupported& lack) {
    return {{"unsupported", lack.what()}};
  } catch (const Refused& error) {  // what you don't tell isn't judged
    json told = {{"stage", "load"}, {"kind", error.kind}, {"message", error.what()}};
    if (error.pointer) told["pointer"] = *error.pointer;
    return {{"error", told}};
  } catch (const Failed& error) {
    json told = {{"stage", stage}, {"kind", error.kind}, {"message", error.what()}};
    if (error.field) told["field"] = *error.field;
    if (error.position) told["position"] = *error.position;
    came["error"] = std::move(told);
    if (stage == "prefix") came["initial"] = error.events;
    if (stage == "feed") came["feeds"].push_back(error.events);
    if (stage == "finalize") came["final"] = error.events;
    return came;
  }
}

// The answer to a request that can't be read, such as one with half of a surrogate pair, which UTF-8 can't hold: an
// error that no case expects.
json unreadable(const std::string& line, const std::string& why) {
  const std::string mark = "\"id\": ";
  const auto found = line.find(mark);
  const json id = found == std::string::npos ? 0 : std::stoll(line.substr(found + mark.size()));
  const json error = {{"stage", "load"}, {"kind", "unreadable-request"}, {"message", why}};
  return {{"type", "result"}, {"id", id}, {"error", error}};
}

// The answer to one line. `patterns`: those of the last run that carried some, as only the first of a case does.
json respond(const std::string& line, json& patterns) {
  json request;
  try {
    request = json::parse(line);
  } catch (const json::parse_error& error) {
    return unreadable(line, error.what());
  }
  if (request["type"] == "hello") return HELLO;
  if (request.contains("patterns")) patterns = request["patterns"];
  json result = answer(request, patterns);
  result["type"] = "result";
  result["id"] = request["id"];
  return result;
}

// One answer a line, in order, each written out at once: the runner waits for it.
int main() {
  std::ios::sync_with_stdio(false);
  json patterns;
  for (std::string line; std::getline(std::cin, line);) std::cout << respond(line, patterns).dump() << std::endl;
}
