# Perl's own regular expressions. Lines of JSON as in ../protocol.py; Perl counts code points itself.
use strict;
use warnings;
use JSON::PP;

my $json = JSON::PP->new->utf8;
$| = 1;

# Perl gives positions by number only: the numbers of each name, in the order of the opening brackets.
sub numbers {
    my ($pattern) = @_;
    my (%numbers, $count);
    while ($pattern =~ /\G(?:\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|\(\?P?<(\w+)>|\(\?'(\w+)'|(\((?![?*]))|.)/gs) {
        my $name = $1 // $2;
        next unless defined $name || defined $3;
        $count++;
        push @{ $numbers{$name} }, $count if defined $name;
    }
    return \%numbers;
}

sub span {
    my ($number) = @_;
    return defined $number && defined $-[$number] ? [ $-[$number], $+[$number] ] : undef;
}

sub search {
    my ($regex, $text, $groups, $numbers) = @_;
    my $failed;
    local $SIG{__WARN__} = sub { $failed = $_[0] };    # "Complex regular subexpression recursion limit exceeded"
    my $found = $text =~ $regex;
    return { failed => $failed } if defined $failed;
    return undef unless $found;
    my %named;
    for my $name (@$groups) {
        my ($taken) = grep { defined $-[$_] } @{ $numbers->{$name} // [] };
        $named{$name} = span($taken);
    }
    return { span => span(0), groups => \%named };
}

sub answer {
    my ($request) = @_;
    my ($pattern, $flags) = @$request{qw(pattern flags)};
    return { version => sprintf "Perl %vd", $^V } unless defined $pattern;
    ($flags //= "") =~ tr/imsxn//cd;    # the others are PCRE2's, and on anyway
    no warnings;
    my $regex = eval { qr/(?^u$flags:$pattern)/ };
    return { error => "$@" } unless defined $regex;
    my $numbers = numbers($pattern);
    use warnings;
    return { results => [ map { search($regex, $_, $request->{groups}, $numbers) } @{ $request->{texts} } ] };
}

while (my $line = <STDIN>) {
    print $json->encode(answer($json->decode($line))), "\n";
}
