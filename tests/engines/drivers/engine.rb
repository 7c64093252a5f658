# Ruby's Regexp (Onigmo). Lines of JSON as in ../protocol.py; Ruby counts code points itself.
require "json"

OPTIONS = { "i" => Regexp::IGNORECASE, "m" => Regexp::MULTILINE, "x" => Regexp::EXTENDED }.freeze
$stdin.set_encoding("UTF-8")
$stdout.sync = true
$VERBOSE = nil

def search(regexp, text, groups)
  match = regexp.match(text)
  return nil if match.nil?

  named = groups.to_h { |name| [name, match.begin(name) && [match.begin(name), match.end(name)]] }
  { span: [match.begin(0), match.end(0)], groups: named }
rescue RegexpError, IndexError => error
  { failed: error.message }
end

def answer(request)
  return { version: "Ruby #{RUBY_VERSION}" } unless request.key?("pattern")

  regexp = Regexp.new(request["pattern"], request["flags"].chars.sum { |letter| OPTIONS.fetch(letter) })
  { results: request["texts"].map { |text| search(regexp, text, request["groups"]) } }
rescue RegexpError => error
  { error: error.message.scrub }
end

$stdin.each_line { |line| puts JSON.generate(answer(JSON.parse(line))) }
