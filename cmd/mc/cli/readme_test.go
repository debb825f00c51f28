package cli

import (
	"bytes"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"interleave/spec/catalog"
)

var update = flag.Bool("update", false, "rewrite what the README shows")

const readme = "../../../README.md"

// TestReadme runs each command in a console block of the README and compares
// what it prints with what stands below it.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```console\n\\$ go run ./cmd/mc ([^\n]*)\n(.*?)```")
	seconds := regexp.MustCompile(`in [0-9.e+-]+ s\b`)
	blocks := 0
	shown := block.ReplaceAllStringFunc(string(text), func(b string) string {
		blocks++
		parts := block.FindStringSubmatch(b)
		var out, errs bytes.Buffer
		status := Run(t.Context(), strings.Fields(parts[1]), &out, &errs, catalog.Aliases, catalog.Machines...)
		if status > exitViolated || errs.Len() > 0 {
			t.Errorf("mc %s: status %d, %s", parts[1], status, errs.String())
		}
		if seconds.ReplaceAllString(out.String(), "") != seconds.ReplaceAllString(parts[2], "") {
			t.Errorf("the README is not what mc %s prints; go test ./cmd/mc/cli -run Readme -update mends that:\n%s", parts[1], out.String())
		}
		return "```console\n$ go run ./cmd/mc " + parts[1] + "\n" + out.String() + "```"
	})
	if blocks < 3 {
		t.Errorf("only %d console blocks", blocks)
	}
	if *update {
		if err := os.WriteFile(readme, []byte(shown), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
