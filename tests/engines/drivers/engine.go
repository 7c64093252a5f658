// Go's regexp. Lines of JSON as in ../protocol.py; strings are UTF-8 here, positions go out as code points.
package main

import (
	"bufio"
	"encoding/json"
	"os"
	"regexp"
	"runtime"
	"unicode/utf8"
)

type request struct {
	Pattern *string
	Flags   string
	Texts   []string
	Groups  []string
}

type match struct {
	Span   [2]int             `json:"span"`
	Groups map[string]*[2]int `json:"groups"`
}

func span(text string, start, end int) [2]int {
	return [2]int{utf8.RuneCountInString(text[:start]), utf8.RuneCountInString(text[:end])}
}

func search(expression *regexp.Regexp, text string, groups []string) *match {
	found := expression.FindStringSubmatchIndex(text)
	if found == nil {
		return nil
	}
	named := map[string]*[2]int{}
	for _, name := range groups {
		number := expression.SubexpIndex(name)
		named[name] = nil
		if number >= 0 && found[2*number] >= 0 {
			taken := span(text, found[2*number], found[2*number+1])
			named[name] = &taken
		}
	}
	return &match{span(text, found[0], found[1]), named}
}

func answer(asked request) map[string]any {
	if asked.Pattern == nil {
		return map[string]any{"version": "Go " + runtime.Version()[2:]}
	}
	source := *asked.Pattern
	if asked.Flags != "" {
		source = "(?" + asked.Flags + ")" + source
	}
	expression, err := regexp.Compile(source)
	if err != nil {
		return map[string]any{"error": err.Error()}
	}
	results := []*match{}
	for _, text := range asked.Texts {
		results = append(results, search(expression, text, asked.Groups))
	}
	return map[string]any{"results": results}
}

func main() {
	in := json.NewDecoder(bufio.NewReader(os.Stdin))
	out := json.NewEncoder(os.Stdout)
	for {
		var asked request
		if in.Decode(&asked) != nil {
			return
		}
		out.Encode(answer(asked))
	}
}
