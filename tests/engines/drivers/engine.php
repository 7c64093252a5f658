<?php
// PHP's preg functions (PCRE2). Lines of JSON as in ../protocol.py; positions go out as code points.

const DELIMITERS = ['~', '%', '@', '!', ';', ',', '`', "\x01", "\x02", "\x03"];

function code_points(string $text, int $byte): int
{
    return $byte - preg_match_all('/[\x80-\xBF]/', substr($text, 0, $byte));
}

function span(string $text, ?array $found): ?array
{
    if ($found === null || $found[1] < 0) {
        return null;
    }
    return [code_points($text, $found[1]), code_points($text, $found[1] + strlen($found[0]))];
}

function search(string $expression, string $text, array $groups): ?array
{
    $found = @preg_match($expression, $text, $match, PREG_OFFSET_CAPTURE | PREG_UNMATCHED_AS_NULL);
    if ($found === false) {
        return ['failed' => preg_last_error_msg()];
    }
    if ($found === 0) {
        return null;
    }
    $named = array_map(fn($name) => span($text, $match[$name] ?? null), array_combine($groups, $groups));
    return ['span' => span($text, $match[0]), 'groups' => (object) $named];
}

function answer(object $request): array
{
    if (!isset($request->pattern)) {
        return ['version' => 'PHP ' . PHP_VERSION . ', PCRE2 ' . PCRE_VERSION];
    }
    $free = array_filter(DELIMITERS, fn($delimiter) => !str_contains($request->pattern, $delimiter));
    $delimiter = reset($free);
    $expression = $delimiter . $request->pattern . $delimiter . $request->flags;
    error_clear_last();
    if (@preg_match($expression, '') === false && preg_last_error() === PREG_INTERNAL_ERROR) {
        return ['error' => error_get_last()['message'] ?? preg_last_error_msg()];
    }
    return ['results' => array_map(fn($text) => search($expression, $text, $request->groups), $request->texts)];
}

while (($line = fgets(STDIN)) !== false) {
    echo json_encode(answer(json_decode($line)), JSON_INVALID_UTF8_SUBSTITUTE), "\n";
}
