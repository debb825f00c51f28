package cli

import (
	"fmt"

	"github.com/dustin/go-humanize"
)

// Numbers as people write them.

func comma(n int) string { return humanize.Comma(int64(n)) }

// count counts what a noun says, whose plural ends in s.
func count(n int, noun string) string { return plural(n, noun, noun+"s") }

func plural(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return comma(n) + " " + more
}

func steps(n int) string { return count(n, "step") }

// times says how often, as in "once".
func times(n int) string {
	if n == 1 {
		return "once"
	}
	return comma(n) + " times"
}

// seconds writes a time in seconds with two digits, or all before the point.
func seconds(s float64) string {
	if s >= 99.5 {
		return fmt.Sprintf("%.0f s", s)
	}
	return fmt.Sprintf("%.2g s", s)
}
