package ui

import (
	"os/exec"
	"runtime"
	"testing"
)

// TestShellWord: what a line to repeat quotes comes back from a shell as it was.
func TestShellWord(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("its shell is another")
	}
	for _, word := range []string{"", "a b", "$HOME", "`id`", "it's", `"`, `\`, "a\nb", "~", "#1", "*", "{a,b}", "a=b", "ü-1", "!x"} {
		out, err := exec.Command("sh", "-c", "printf %s "+ShellWord(word)).Output()
		if err != nil || string(out) != word {
			t.Errorf("%q: %q, %v", word, out, err)
		}
	}
	if plain := ShellWord("a/ü-1.json"); plain != "a/ü-1.json" {
		t.Errorf("quoted for nothing: %s", plain)
	}
}
