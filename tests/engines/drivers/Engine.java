// java.util.regex. Java has no JSON: the plain lines of ../protocol.py. Positions go out as code points.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.HexFormat;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

import static java.nio.charset.StandardCharsets.UTF_8;

class Engine {
    private static final String LETTERS = "imsuxdU";
    private static final int[] FLAGS = {
        Pattern.CASE_INSENSITIVE, Pattern.MULTILINE, Pattern.DOTALL, Pattern.UNICODE_CASE, Pattern.COMMENTS,
        Pattern.UNIX_LINES, Pattern.UNICODE_CHARACTER_CLASS,
    };

    public static void main(String[] arguments) throws Exception {
        var in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        var out = new PrintStream(System.out, false, UTF_8);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            out.print(answer(line.split("\t", -1)) + "\n");
            out.flush();
        }
    }

    private static String answer(String[] request) {
        if (request[0].equals("version")) {
            return "version\t" + hex("Java " + System.getProperty("java.version"));
        }
        String[] groups = request[3].isEmpty() ? new String[0] : request[3].split(",");
        Pattern pattern;
        try {
            pattern = Pattern.compile(text(request[1]), flags(text(request[2])));
        } catch (PatternSyntaxException | StackOverflowError error) {
            return "error\t" + hex(String.valueOf(error.getMessage()));
        }
        var results = new StringJoiner("\t");
        results.add("results");
        for (String hex : request[4].split(",", -1)) {
            results.add(search(pattern, text(hex), groups));
        }
        return results.toString();
    }

    private static String search(Pattern pattern, String text, String[] groups) {
        try {
            Matcher matcher = pattern.matcher(text);
            if (!matcher.find()) {
                return "-";
            }
            var spans = new StringJoiner(";");
            spans.add(span(text, matcher.start(), matcher.end()));
            for (String group : groups) {
                int start = matcher.start(group);
                spans.add(start < 0 ? "-" : span(text, start, matcher.end(group)));
            }
            return spans.toString();
        } catch (StackOverflowError error) {
            return "!" + hex("stack overflow");
        }
    }

    private static String span(String text, int start, int end) {
        return codePoints(text, start) + "," + codePoints(text, end);
    }

    /** How many code points are before a unit of UTF-16; -1 within a surrogate pair, where no search may stop. */
    private static int codePoints(String text, int unit) {
        boolean within = unit > 0 && unit < text.length()
            && Character.isSurrogatePair(text.charAt(unit - 1), text.charAt(unit));
        return within ? -1 : text.codePointCount(0, unit);
    }

    private static int flags(String letters) {
        int flags = 0;
        for (char letter : letters.toCharArray()) {
            flags |= FLAGS[LETTERS.indexOf(letter)];
        }
        return flags;
    }

    private static String text(String hex) {
        return new String(HexFormat.of().parseHex(hex), UTF_8);
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(UTF_8));
    }
}
