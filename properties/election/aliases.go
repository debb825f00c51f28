package election

import "strings"

// aliases are names by which files and commands may ask for a property, too. Those of numbered
// stand for all numbers.
var aliases = map[string]string{
	"S-lit": "leader-is-top", "S-lmax": "leader-is-top-or-crashed", "S-self": "winner-is-top",
	"S-win": "takeover-by-top", "S-uniq": "one-leader", "S-valid": "leader-took-part",
	"Q-agree": "agreement", "Q-max": "agreement-on-top", "Q-won": "top-won", "Q-idle": "no-deadlock",
	"L1": "leader-eventually", "L2": "stable-leader", "T": "termination", "M": "messages-bounded",
	"C-elected": "can-elect", "LE1": "complete-within", "LE2": "agreement-within",
}

// Alias returns the other name of a property, or "": "S-lit" for "leader-is-top", "LE1" for
// "complete-within".
func Alias(name string) string {
	for alias, of := range aliases {
		if of == name {
			return alias
		}
	}
	return ""
}

// Numbered reports whether a number in brackets belongs to a name, as in messages-bounded(9).
func Numbered(stem string) bool {
	_, ok := numbered[strings.ToLower(unaliased(stem))+"(%d)"]
	return ok
}

// FullName returns the name of a property that comes with Interleave, given its name or its alias; any
// other name as it is.
func FullName(name string) string {
	if p, ok := common(name); ok {
		return p.Name
	}
	return name
}

// unaliased returns the name that an alias stands for; any other name as it is.
func unaliased(name string) string {
	stem, _, _ := strings.Cut(name, "(")
	for alias, of := range aliases {
		if strings.EqualFold(alias, stem) {
			return of + name[len(stem):]
		}
	}
	return name
}
