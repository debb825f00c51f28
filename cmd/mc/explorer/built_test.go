package explorer

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestBuilt compares the hash that the built files begin with, of the sources that
// they were built of, with that of the sources as they are. The gate builds them anew,
// where there is Node, and compares every byte.
func TestBuilt(t *testing.T) {
	t.Chdir("web")
	sources, err := filepath.Glob("src/*")
	if err != nil || len(sources) < 10 {
		t.Fatal(sources, err)
	}
	sources = append(sources, "build.mjs", "package-lock.json", "package.json", "tsconfig.json")
	slices.Sort(sources)
	sum := sha256.New()
	for _, name := range sources {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sum.Write([]byte(filepath.ToSlash(name) + "\x00"))
		sum.Write(text)
		sum.Write([]byte{0})
	}
	want := []byte("/* sources " + hex.EncodeToString(sum.Sum(nil)) + " */\n")
	for name, text := range map[string][]byte{"app.js": script, "style.css": style} {
		if !bytes.HasPrefix(text, want) {
			t.Errorf("%s was not built of these sources: cd cmd/mc/explorer/web && npm ci && npm run build", name)
		}
	}
}
