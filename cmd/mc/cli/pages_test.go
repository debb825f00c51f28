package cli

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"interleave/cmd/mc/internal/ui"
	"interleave/internal/testsize"
	"interleave/spec"
	"interleave/spec/catalog"
)

var update = flag.Bool("update", false, "rewrite what the README and the pages show")

// In a page, what a command prints stands below it, in a block that shows the
// command:
//
//	```console
//	$ go run ./cmd/mc list
//	...
//	```
//
// or between two comments, of which the first is the command:
//
//	<!-- mc verify bully --mermaid -->
//	...
//	<!-- end -->
var (
	consoleBlock = regexp.MustCompile("(?s)```console\n\\$ go run ./cmd/mc ([^\n]*)\n(.*?)```")
	hiddenBlock  = regexp.MustCompile(`(?s)<!-- mc ([^\n]*) -->\n(.*?)<!-- end -->`)
	elapsed      = regexp.MustCompile(`in [0-9.e+-]+ s\b`)
)

// takesLong are commands that take seconds: they are run where all is tested.
var takesLong = regexp.MustCompile(`^(sweep elections.yaml|mutants (ble|fast-bully|paxos)$)`)

// TestPages runs every command that the README and the pages show, and compares
// what it prints with what stands there.
func TestPages(t *testing.T) {
	if testing.Short() {
		t.Skip("takes ten times as long with the race detector")
	}
	t.Chdir("../../..")                                                                                                                            // where the reader is
	mc(t.Context(), "verify bully --n 3 --crashes 1 --split --certificate bully.cert").expect(t, ui.ExitHolds, "VERIFIED")                         // as docs/certificates.md has it
	mc(t.Context(), "verify bully/published --crashes 1 --split --property agreement --trace-out bad.json").expect(t, ui.ExitViolated, "VIOLATED") // as docs/counterexamples.md has it
	t.Cleanup(func() {
		os.Remove("bully.cert")
		os.Remove("bad.json")
		os.Remove("two-values.json")
		os.Remove("stuck.json")
	})
	for _, page := range pages(t) {
		t.Run(strings.ReplaceAll(page, "/", "-"), func(t *testing.T) {
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			shown := consoleBlock.ReplaceAllStringFunc(string(text), func(block string) string {
				parts := consoleBlock.FindStringSubmatch(block)
				out := compareShown(t, parts[1], printed(t, parts[1]), parts[2])
				return "```console\n$ go run ./cmd/mc " + parts[1] + "\n" + out + "```"
			})
			shown = hiddenBlock.ReplaceAllStringFunc(shown, func(block string) string {
				parts := hiddenBlock.FindStringSubmatch(block)
				if takesLong.MatchString(parts[1]) && !testsize.All() && !*update {
					return block
				}
				out := compareShown(t, parts[1], excerpt(printed(t, parts[1])), parts[2])
				return "<!-- mc " + parts[1] + " -->\n" + out + "<!-- end -->"
			})
			if *update && shown != string(text) {
				if err := os.WriteFile(page, []byte(shown), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// pages returns the README and the pages of docs.
func pages(t *testing.T) []string {
	t.Helper()
	all := []string{"README.md"}
	for _, pattern := range []string{"docs/*.md", "docs/*/*.md"} {
		some, err := filepath.Glob(pattern)
		if err != nil || len(some) == 0 {
			t.Fatal(pattern, some, err)
		}
		all = append(all, some...)
	}
	return all
}

// TestLinks: what a page leads to is there, and has the heading that is named.
func TestLinks(t *testing.T) {
	t.Chdir("../../..")
	link := regexp.MustCompile(`\]\(([^):#]*)(#[^)]*)?\)`)
	code := regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
	heading := regexp.MustCompile("(?m)^#+ (.*)$")
	links := 0
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, parts := range link.FindAllStringSubmatch(code.ReplaceAllString(string(text), ""), -1) {
			links++
			to := page
			if parts[1] != "" {
				to = filepath.Join(filepath.Dir(page), parts[1])
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s leads to %s, which is not there", page, to)
				continue
			}
			if parts[2] == "" {
				continue
			}
			there, _ := os.ReadFile(to)
			if !slices.ContainsFunc(heading.FindAllStringSubmatch(string(there), -1), func(h []string) bool { return anchor(h[1]) == parts[2] }) {
				t.Errorf("%s leads to %s%s, which is no heading", page, to, parts[2])
			}
		}
	}
	if links < 50 {
		t.Errorf("%d links only", links)
	}
}

// anchor returns how GitHub names a heading.
func anchor(heading string) string {
	kept := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(heading), "")
	return "#" + strings.ReplaceAll(kept, " ", "-")
}

// TestMutantsOnPages: a page shows for every mutant what kills it, or why nothing
// can. That it is so, TestPages sees.
func TestMutantsOnPages(t *testing.T) {
	pages, err := filepath.Glob("../../../docs/algorithms/*.md")
	if err != nil {
		t.Fatal(err)
	}
	var all []byte
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, text...)
	}
	mutants := map[string]int{}
	for _, m := range catalog.Mutants {
		original, _ := spec.Original(m.Traits().Name)
		mutants[original]++
	}
	for original, n := range mutants {
		shown := regexp.MustCompile(`\n` + original + `: (\d+) of (\d+) mutants killed(?:, (\d+) assumed to survive)?\n`).FindSubmatch(all)
		if shown == nil {
			t.Errorf("no page shows mc mutants %s", original)
			continue
		}
		killed, _ := strconv.Atoi(string(shown[1]))
		explained, _ := strconv.Atoi(string(shown[3]))
		if string(shown[2]) != strconv.Itoa(n) || killed+explained != n {
			t.Errorf("%s has %d mutants; a page says: %s", original, n, bytes.TrimSpace(shown[0]))
		}
	}
}

// printed returns what mc prints. A sweep of the catalogue finds all as expected, also if what holds is to be
// confirmed by certificates, of which it prints the same.
func printed(t *testing.T, command string) string {
	t.Helper()
	line, sweeps := strings.Fields(command), strings.HasPrefix(command, "sweep elections.yaml ")
	if sweeps {
		line = append(line, "--certify")
	}
	var out, errs bytes.Buffer
	status := ui.Status(Run(t.Context(), line, &out, &errs, catalog.Aliases, append(catalog.Machines, catalog.Mutants...)...))
	if sweeps && status != ui.ExitHolds || status > ui.ExitViolated && status != ui.ExitInconclusive || strings.Contains(errs.String(), "error") {
		t.Errorf("mc %s: status %d, %s", command, status, errs.String())
	}
	return out.String()
}

// compareShown returns what is to be shown: what is, unless more than the times
// has changed.
func compareShown(t *testing.T, command, out, shown string) string {
	t.Helper()
	if elapsed.ReplaceAllString(out, "") == elapsed.ReplaceAllString(shown, "") {
		return shown
	}
	t.Errorf("this is not what mc %s prints; go test ./cmd/mc/cli -run Pages -update mends that:\n%s", command, out)
	return out
}

// excerpt returns the part of what mc printed that a page wants: the first
// diagram, in a block, if there is one; what is said of a run; tables as they are; else all of it, in
// a block.
func excerpt(out string) string {
	if _, run, ok := strings.Cut(out, "\n  in this run:\n"); ok {
		return "```text\n  in this run:\n" + run + "```\n"
	}
	if _, diagram, ok := strings.Cut(out, "\n```mermaid\n"); ok {
		diagram, _, _ = strings.Cut(diagram, "```")
		return "```mermaid\n" + diagram + "```\n"
	}
	if _, table, ok := strings.Cut(out, "\n\n|"); ok {
		return "\n|" + strings.TrimRight(table, "\n") + "\n\n"
	}
	return "```text\n" + strings.TrimRight(out, "\n") + "\n```\n"
}
