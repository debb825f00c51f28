package cluster

import "strings"

// CommandLine returns a command as a shell has to be given it.
func CommandLine(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		if quoted[i] = w; w == "" || strings.ContainsAny(w, " \t\n\"'\\$`()[]{}<>|&;*?!~#") {
			quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}
