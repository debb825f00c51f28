package cli

import (
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"interleave/cmd/mc/internal/names"
)

// sayNothingOfElections makes the help of a program, none of whose algorithms elects, its own: the examples are about its first
// algorithm, and what only elections have is not shown, though it is read as ever.
func sayNothingOfElections(cmd *cobra.Command, known names.Table) {
	for _, sub := range cmd.Commands() {
		sayNothingOfElections(sub, known)
	}
	for _, name := range []string{"start", "kill-leader-every", "restart-after", "elections"} {
		if f := cmd.Flags().Lookup(name); f != nil {
			f.Hidden = true
		}
	}
	var lines []string
	for line := range strings.Lines(cmd.Example) {
		if !ofElections.MatchString(line) {
			lines = append(lines, strings.TrimSuffix(exampleNames.Replace(ofCatalogue.ReplaceAllString(line, known.Algorithms[0].Traits().Name)), "\n"))
		}
	}
	cmd.Example = strings.Join(lines, "\n")
}

var (
	ofElections  = regexp.MustCompile(`chang-roberts|leader|winner|agreement|--elections|~|spec/bully| ring `)
	ofCatalogue  = regexp.MustCompile(`\bbully(/(mended|published))?\b`)
	exampleNames = strings.NewReplacer("elections.", "rows.")
)
