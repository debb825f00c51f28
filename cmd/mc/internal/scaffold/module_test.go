package scaffold

import (
	"strings"
	"testing"

	"interleave/cmd/mc/internal/source"
)

// TestUnknownSource: an mc that does not know its source, as one that was built with -trimpath,
// says so, and which flag helps.
func TestUnknownSource(t *testing.T) {
	files, err := module(t.TempDir(), "example.org/mine", "", "")
	if err == nil || files != nil || !strings.Contains(err.Error(), "does not know where that is") {
		t.Errorf("%v, %v", files, err)
	}
	if files, err = module(t.TempDir(), "example.org/mine", source.OwnFolder(), ""); err != nil || len(files) != 2 {
		t.Errorf("%v, %v", files, err)
	}
}

// TestModWord: a path with what go.mod reads as something else stands in quotes.
func TestModWord(t *testing.T) {
	for path, want := range map[string]string{"/a/b": "/a/b", "/a b": `"/a b"`, "/a,b": `"/a,b"`, "../c": "../c"} {
		if got := modWord(path); got != want {
			t.Errorf("%s: %s, not %s", path, got, want)
		}
	}
}
