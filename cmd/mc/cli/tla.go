package cli

import "github.com/spf13/cobra"

func (t *tool) newTLA() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tla",
		Short: "Work with modules in TLA+ and PlusCal",
		Args:  aVerb,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(t.newTLATranslate())
	return cmd
}
