// Package supervisor runs a program in a second process of its own, which a first one watches. A
// function of the user may end its process, by os.Exit(0) or in any other way: then the first
// says so, with an exit status that no verdict has. While the work goes on it sleeps, so a
// search takes no longer.
//
// The second process is the program once more, with the same arguments and files. It is told by
// a variable of the environment, and has two pipes: one on which it says what it does, and last
// its exit status; and one that ends when the first process does, so that it ends then, too.
package supervisor

import (
	"os"
	"slices"
	"strconv"
	"strings"

	"interleave/internal/printable"
)

// Variable is the variable of the environment that turns the supervisor off, if it is Off. That is of
// use under a debugger.
const Variable, Off = "MC_GUARD", "off"

// Trouble is the exit status of a program whose work did not come to its end.
const Trouble = 4

// Verbs are the commands of mc that call functions of the user, and have a verdict.
var Verbs = []string{"verify", "simulate", "sweep", "mutants", "certify", "replay", "draw", "explain", "text", "explore", "conform", "tla"}

// Work says what is under way, to be told if it does not come to its end.
type Work struct {
	What   string // as in "mc sweep elections.yaml: bully/mended n=3"
	Repeat string // the command that repeats it; empty: not known
	Before string // printed before anything else, as what takes a line of a terminal away

	GitHub  string // the beginning of an annotation for GitHub; empty: none is wanted
	Summary string // likewise, of the summary of the step
}

// started is whether Start was called.
var started bool

// Start supervises a program if its first argument is one of the verbs. It returns in the process
// that does the work, and never in the one that watches it. Only the first call does anything.
func Start(verbs []string) {
	if started {
		return
	}
	started = true
	setting := os.Getenv(Variable)
	if setting == Off || begun(setting) || !slices.Contains(verbs, verb(os.Args)) {
		return
	}
	os.Exit(watch())
}

// verb returns the first argument that is no flag.
func verb(args []string) string {
	for _, a := range args[min(1, len(args)):] {
		if !strings.HasPrefix(a, "-") {
			return a
		}
	}
	return ""
}

// report is where the process that does the work says so; nil: nobody watches.
var report *os.File

// Doing says what is under way from now on.
func Doing(w Work) { say("doing", w.What, w.Repeat, w.Before, w.GitHub, w.Summary) }

// Exit ends the program.
func Exit(status int) {
	say("done", strconv.Itoa(status))
	os.Exit(status)
}

// say writes a line of words, each of them quoted.
func say(words ...string) {
	if report == nil {
		return
	}
	for i := range words {
		words[i] = strconv.Quote(words[i])
	}
	report.WriteString(strings.Join(words, " ") + "\n")
}

// heard is what the process that does the work has said.
type heard struct {
	work Work
	done int // the exit status that it announced; negative: none
}

// hear reads a line of say.
func (h *heard) hear(line string) {
	var words []string
	for line != "" {
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			return
		}
		word, _ := strconv.Unquote(quoted)
		words = append(words, word)
		line = strings.TrimPrefix(line[len(quoted):], " ")
	}
	switch {
	case len(words) == 6 && words[0] == "doing":
		h.work = Work{words[1], words[2], words[3], words[4], words[5]}
	case len(words) == 2 && words[0] == "done":
		if status, err := strconv.Atoi(words[1]); err == nil {
			h.done = status
		}
	}
}

// cause returns why a process may have ended, and a hint. A status is negative if there is none.
func cause(status int, killed bool) (why, hint string) {
	switch {
	case killed:
		return "something killed the process", "the system does that when memory is short: give --mem less; kill -9 does it, too, and so may a function that mc called"
	case status == 2:
		return "so Go ends a process after a fatal error, such as a stack overflow, concurrent writes to a map or lack of memory", "what Go says of it is above: see the first function there that is yours"
	}
	return "a function that mc called ended the process", "os.Exit, log.Fatal and signals end all of mc: a handler, property or other function may only return or panic"
}

// tell says that the work came to no end: how the process ended, and why that may be.
func (w Work) tell(how, why, hint string) {
	if w.What == "" {
		w.What = "mc " + strings.Join(os.Args[1:], " ")
	}
	text := "ended without a verdict (" + how + "): " + why
	out := "mc: error: " + w.What + " " + text + "\nmc: hint: " + hint + "\n"
	if w.Repeat != "" {
		out += "mc: repeat with: " + w.Repeat + "\n"
	}
	if w.GitHub != "" {
		out += w.GitHub + text + "\n"
	}
	os.Stderr.WriteString(w.Before + printable.Text(out))
	if name := os.Getenv("GITHUB_STEP_SUMMARY"); w.Summary != "" && name != "" {
		if f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644); err == nil {
			f.WriteString(printable.Text(w.Summary) + text + "\n")
			f.Close()
		}
	}
}
