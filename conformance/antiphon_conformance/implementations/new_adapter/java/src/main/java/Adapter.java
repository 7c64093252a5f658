import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Adapter for a parser of response templates in Java. The runner starts it and talks to it in JSON Lines.
 *
 * <p>It reads one JSON object a line from standard input and answers each with one line, until the input ends. Standard
 * output is for answers alone; print whatever else you like to standard error. The protocol: conformance/README.md.
 */
public final class Adapter {
  /**
   * Who you are, and what you have. Take out of contents and features what your parser lacks: the cases that need it
   * are then counted apart. The dialect may name an engine, such as "java", for which the patterns of the template
   * shall be translated.
   */
  private static final JsonElement HELLO = JsonParser.parseString("""
      {
        "type": "hello", "protocol": 1, "name": "my-parser", "version": "0.0.0", "language": "Java",
        "contents": ["text", "int", "float", "bool", "json", "xml-inline", "kv-lines", "python-call-list"],
        "features": [
          "lookahead", "negative-lookahead", "lookbehind", "negative-lookbehind", "word-boundary", "word-edge",
          "atomic", "possessive", "backreference", "conditional", "ignore-case", "multiline", "dot-without-newline",
          "verbose", "ascii", "unicode-property", "posix-class", "named-character", "line-break", "grapheme",
          "branch-reset", "duplicate-names", "group-kept-in-loop"
        ],
        "dialect": null
      }""");

  private static final Gson GSON = new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

  /** The template or the tools are refused. `pointer`: the JSON Pointer to the fault; null if you have none. */
  static final class Refused extends Exception {
    final String kind;
    final String pointer;

    Refused(String kind, String message, String pointer) {
      super(message);
      this.kind = kind;
      this.pointer = pointer;
    }
  }

  /** The text can't be parsed. `events`: what the failing call would have returned before the error (ERROR-4). */
  static final class Failed extends Exception {
    final String kind;
    final List<JsonObject> events;
    final String field;
    final Integer position;

    Failed(String kind, String message, List<JsonObject> events, String field, Integer position) {
      super(message);
      this.kind = kind;
      this.events = events;
      this.field = field;
      this.position = position;
    }
  }

  /** The parser lacks an option, or something that a pattern needs; the text says what. */
  static final class Unsupported extends Exception {
    Unsupported(String what) {
      super(what);
    }
  }

  /**
   * What a parser is made from.
   *
   * @param template it may be faulty
   * @param prefix null: the parser is to be made without one (PREFIX-1)
   * @param tools a list, or JSON's null
   * @param options perhaps with "on_malformed": "event" (ERROR-6)
   * @param patterns the template's, translated, if HELLO has a dialect; else JSON's null
   */
  record Setup(JsonElement template, String prefix, JsonElement tools, JsonObject options, JsonElement patterns) {}

  /** The message and the last events. */
  record Outcome(JsonObject message, List<JsonObject> events) {}

  // ------------------------------------------------------------------------------------------------------------------
  // CONNECT YOUR PARSER HERE. All below it may stay as it is.

  /**
   * One stream. Let each method call your parser, turn its events into those of the protocol (SPEC.md, EVENT-1, such as
   * {"type": "region_open", "field": "content"}), and throw its errors as Refused (of template and tools), Failed (of
   * the text) or Unsupported. Any other exception ends the adapter; the runner shows it as a crash of the case, and
   * starts the adapter anew.
   */
  static final class Parser {
    Parser(Setup setup) throws Refused, Failed, Unsupported {
      throw new Refused(
          "not-connected", "no parser is connected yet; see CONNECT YOUR PARSER HERE in Adapter.java", null);
    }

    /** What the prefix alone determines (ANCHOR-5). */
    List<JsonObject> initialEvents() {
      return List.of();
    }

    /** The events that are determined now. */
    List<JsonObject> feed(String text) throws Failed {
      return List.of();
    }

    /** The message and the last events. */
    Outcome finish() throws Failed {
      return new Outcome(new JsonObject(), List.of());
    }
  }

  // END OF THE PART THAT IS YOURS
  // ------------------------------------------------------------------------------------------------------------------

  /** What came of a run: everything of the result but type and id. What came before an error is part of it. */
  private static JsonObject answer(JsonObject request, JsonElement patterns) {
    JsonObject came = new JsonObject();
    JsonArray feeds = new JsonArray();
    came.add("initial", new JsonArray());
    came.add("feeds", feeds);
    String stage = "prefix";
    try {
      JsonElement prefix = request.get("prefix");
      Parser parser = new Parser(new Setup(
          request.get("template"),
          prefix.isJsonNull() ? null : prefix.getAsString(),
          request.get("tools"),
          request.getAsJsonObject("options"),
          patterns));
      came.add("initial", list(parser.initialEvents()));
      stage = "feed";
      for (JsonElement chunk : request.getAsJsonArray("chunks")) {
        feeds.add(list(parser.feed(chunk.getAsString())));
      }
      stage = "finalize";
      Outcome outcome = parser.finish();
      came.add("message", outcome.message());
      came.add("final", list(outcome.events()));
      return came;
    } catch (Unsupported lack) {
      JsonObject result = new JsonObject();
      result.addProperty("unsupported", lack.getMessage());
      return result;
    } catch (Refused error) {
      JsonObject result = new JsonObject();
      result.add("error", described("load", error.kind, error.getMessage(), error.pointer, null, null));
      return result;
    } catch (Failed error) {
      if (stage.equals("feed")) {
        feeds.add(list(error.events));
      } else {
        came.add(stage.equals("prefix") ? "initial" : "final", list(error.events));
      }
      came.add("error", described(stage, error.kind, error.getMessage(), null, error.field, error.position));
      return came;
    }
  }

  /** An error as the protocol has it; what you don't tell isn't judged. */
  private static JsonObject described(
      String stage, String kind, String message, String pointer, String field, Integer position) {
    JsonObject error = new JsonObject();
    error.addProperty("stage", stage);
    error.addProperty("kind", kind);
    error.addProperty("message", message);
    if (pointer != null) error.addProperty("pointer", pointer);
    if (field != null) error.addProperty("field", field);
    if (position != null) error.addProperty("position", position);
    return error;
  }

  private static JsonArray list(List<JsonObject> events) {
    JsonArray array = new JsonArray();
    events.forEach(array::add);
    return array;
  }

  /** ASCII alone: half of a surrogate pair can be written as an escape only. */
  private static String escaped(String json) {
    StringBuilder out = new StringBuilder(json.length());
    for (char unit : json.toCharArray()) {
      if (unit < 0x7f) out.append(unit);
      else out.append(String.format("\\u%04x", (int) unit));
    }
    return out.toString();
  }

  /** One answer a line, in order, each written out at once: the runner waits for it. */
  public static void main(String[] arguments) throws IOException {
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PrintStream output = new PrintStream(System.out, false, StandardCharsets.US_ASCII);
    JsonElement patterns = JsonNull.INSTANCE; // only the first run of a case carries them
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      JsonObject request = JsonParser.parseString(line).getAsJsonObject();
      JsonElement response = HELLO;
      if (request.get("type").getAsString().equals("run")) {
        if (request.has("patterns")) patterns = request.get("patterns");
        JsonObject result = answer(request, patterns);
        result.addProperty("type", "result");
        result.add("id", request.get("id"));
        response = result;
      }
      output.print(escaped(GSON.toJson(response)) + "\n");
      output.flush();
    }
  }
}
