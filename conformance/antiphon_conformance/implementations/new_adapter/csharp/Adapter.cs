using System;
using System.Collections.Generic;
using System.IO;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;

using Event = System.Collections.Generic.Dictionary<string, object>;

/// <summary>
/// Adapter for a parser of response templates in C#. The runner starts it and talks to it in JSON Lines.
///
/// It reads one JSON object a line from standard input and answers each with one line, until the input ends. Standard
/// output is for answers alone; print whatever else you like to standard error. The protocol: conformance/README.md.
/// </summary>
public static class Adapter
{
    // Who you are, and what you have. Take out of `contents` and `features` what your parser lacks: the cases that need
    // it are then counted apart. `dialect` may name an engine, such as "dotnet", for which the patterns of the template
    // shall be translated.
    static readonly Dictionary<string, object> Hello = new Dictionary<string, object>
    {
        ["type"] = "hello",
        ["protocol"] = 1,
        ["name"] = "my-parser",
        ["version"] = "0.0.0",
        ["language"] = "C#",
        ["contents"] = new[] { "text", "int", "float", "bool", "json", "xml-inline", "kv-lines", "python-call-list" },
        ["features"] = new[]
        {
            "lookahead", "negative-lookahead", "lookbehind", "negative-lookbehind", "word-boundary", "word-edge",
            "atomic", "possessive", "backreference", "conditional", "ignore-case", "multiline", "dot-without-newline",
            "verbose", "ascii", "unicode-property", "posix-class", "named-character", "line-break", "grapheme",
            "branch-reset", "duplicate-names", "group-kept-in-loop",
        },
        ["dialect"] = null,
    };

    /// <summary>The template or the tools are refused. Pointer: the JSON Pointer to the fault, or null.</summary>
    sealed class Refused : Exception
    {
        public readonly string Kind, Pointer;

        public Refused(string kind, string message, string pointer = null) : base(message)
        {
            Kind = kind;
            Pointer = pointer;
        }
    }

    /// <summary>
    /// The text can't be parsed. Events: what the failing call would have returned before the error (ERROR-4).
    /// </summary>
    sealed class Failed : Exception
    {
        public readonly string Kind, Field;
        public readonly List<Event> Events;
        public readonly int? Position;

        public Failed(string kind, string message, List<Event> events, string field = null, int? position = null)
            : base(message)
        {
            Kind = kind;
            Events = events;
            Field = field;
            Position = position;
        }
    }

    /// <summary>The parser lacks an option, or something that a pattern needs; the text says what.</summary>
    sealed class Unsupported : Exception
    {
        public Unsupported(string what) : base(what) { }
    }

    /// <summary>What a parser is made from.</summary>
    sealed class Setup
    {
        /// <summary>It may be faulty.</summary>
        public JsonElement Template;
        /// <summary>null: the parser is to be made without one (PREFIX-1).</summary>
        public string Prefix;
        /// <summary>A list, or JSON's null.</summary>
        public JsonElement Tools;
        /// <summary>Perhaps with "on_malformed": "event" (ERROR-6).</summary>
        public JsonElement Options;
        /// <summary>The template's, translated, if Hello has a dialect; else null.</summary>
        public JsonElement? Patterns;
    }

    // ----------------------------------------------------------------------------------------------------------------
    // CONNECT YOUR PARSER HERE. All below it may stay as it is.

    /// <summary>
    /// One stream. Let each method call your parser, turn its events into those of the protocol (SPEC.md, EVENT-1, such
    /// as {"type": "region_open", "field": "content"}), and throw its errors as Refused (of template and tools), Failed
    /// (of the text) or Unsupported. Any other exception ends the adapter; the runner shows it as a crash of the case,
    /// and starts the adapter anew.
    /// </summary>
    sealed class Parser
    {
        /// <summary>What the prefix alone determines (ANCHOR-5).</summary>
        public readonly List<Event> InitialEvents = new List<Event>();

        public Parser(Setup setup)
        {
            throw new Refused(
                "not-connected", "no parser is connected yet; see CONNECT YOUR PARSER HERE in Adapter.cs");
        }

        /// <summary>The events that are determined now.</summary>
        public List<Event> Feed(string text)
        {
            return new List<Event>();
        }

        /// <summary>The message; the last events are added to those given.</summary>
        public Dictionary<string, object> Finish(List<Event> events)
        {
            return new Dictionary<string, object>();
        }
    }

    // END OF THE PART THAT IS YOURS
    // ----------------------------------------------------------------------------------------------------------------

    /// <summary>What came of a run: everything of the result but type and id, also what came before an error.</summary>
    static Dictionary<string, object> Answer(JsonElement request, JsonElement? patterns)
    {
        var feeds = new List<List<Event>>();
        var came = new Dictionary<string, object> { ["initial"] = new List<Event>(), ["feeds"] = feeds };
        var stage = "prefix";
        try
        {
            var parser = new Parser(new Setup
            {
                Template = request.GetProperty("template"),
                Prefix = request.GetProperty("prefix").GetString(),
                Tools = request.GetProperty("tools"),
                Options = request.GetProperty("options"),
                Patterns = patterns,
            });
            came["initial"] = parser.InitialEvents;
            stage = "feed";
            foreach (var chunk in request.GetProperty("chunks").EnumerateArray())
            {
                feeds.Add(parser.Feed(chunk.GetString()));
            }
            stage = "finalize";
            var events = new List<Event>();
            came["message"] = parser.Finish(events);
            came["final"] = events;
            return came;
        }
        catch (Unsupported lack)
        {
            return new Dictionary<string, object> { ["unsupported"] = lack.Message };
        }
        catch (Refused error)
        {
            var described = Described("load", error.Kind, error.Message, error.Pointer, null, null);
            return new Dictionary<string, object> { ["error"] = described };
        }
        catch (Failed error)
        {
            if (stage == "feed") feeds.Add(error.Events);
            else came[stage == "prefix" ? "initial" : "final"] = error.Events;
            came["error"] = Described(stage, error.Kind, error.Message, null, error.Field, error.Position);
            return came;
        }
    }

    /// <summary>An error as the protocol has it; what you don't tell isn't judged.</summary>
    static Dictionary<string, object> Described(
        string stage, string kind, string message, string pointer, string field, int? position)
    {
        var error = new Dictionary<string, object> { ["stage"] = stage, ["kind"] = kind, ["message"] = message };
        if (pointer != null) error["pointer"] = pointer;
        if (field != null) error["field"] = field;
        if (position != null) error["position"] = position;
        return error;
    }

    // The escape of a surrogate, with or without its other half; System.Text.Json refuses half a pair.
    static readonly Regex Surrogate = new Regex(
        @"\\\\|\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|(?<half>\\ud[89a-f][0-9a-f]{2})", RegexOptions.IgnoreCase);

    static bool HasHalfPair(string line)
    {
        foreach (Match found in Surrogate.Matches(line))
        {
            if (found.Groups["half"].Success) return true;
        }
        return false;
    }

    /// <summary>The answer to a request that can't be read: an error that no case expects.</summary>
    static Dictionary<string, object> Unreadable(string line, string why)
    {
        return new Dictionary<string, object>
        {
            ["type"] = "result",
            ["id"] = int.Parse(Regex.Match(line, "\"id\": ([0-9]+)").Groups[1].Value),
            ["error"] = Described("load", "unreadable-request", why, null, null, null),
        };
    }

    /// <summary>
    /// The answer to one line. `patterns`: those of the last run that carried some, as only the first of a case does.
    /// </summary>
    static Dictionary<string, object> Respond(string line, ref JsonElement? patterns)
    {
        if (HasHalfPair(line)) return Unreadable(line, "half of a surrogate pair can't be read by System.Text.Json");
        JsonElement request;
        try
        {
            request = JsonDocument.Parse(line, new JsonDocumentOptions { MaxDepth = 1000 }).RootElement;
        }
        catch (JsonException error)
        {
            return Unreadable(line, error.Message);
        }
        if (request.GetProperty("type").GetString() == "hello") return Hello;
        JsonElement found;
        if (request.TryGetProperty("patterns", out found)) patterns = found;
        var result = Answer(request, patterns);
        result["type"] = "result";
        result["id"] = request.GetProperty("id").GetInt32();
        return result;
    }

    /// <summary>One answer a line, in order, each written out at once: the runner waits for it.</summary>
    public static void Main()
    {
        var input = new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false));
        var output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false)) { NewLine = "\n" };
        var options = new JsonSerializerOptions { MaxDepth = 1000 };
        JsonElement? patterns = null;
        for (var line = input.ReadLine(); line != null; line = input.ReadLine())
        {
            output.WriteLine(JsonSerializer.Serialize(Respond(line, ref patterns), options));
            output.Flush();
        }
    }
}
