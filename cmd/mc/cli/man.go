package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"interleave/cmd/mc/internal/ui"
)

// newMan writes a page for each verb. What the completions are to a shell it is to a
// package.
func newMan() *cobra.Command {
	return &cobra.Command{
		Use:     "man FOLDER",
		Short:   "Write manual pages of all commands to a folder",
		Example: "  mc man /usr/local/share/man/man1",
		Args:    ui.OneArgument("a folder", "make one first, as in mkdir man"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if dir, err := os.Stat(args[0]); err != nil || !dir.IsDir() {
				return ui.Hint(fmt.Errorf("there is no folder %q", args[0]), "make the folder first")
			}
			root := cmd.Root()
			root.DisableAutoGenTag = true
			return doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "Interleave", Manual: "Interleave"}, args[0])
		},
	}
}
