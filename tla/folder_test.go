package tla_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"interleave/tla"
)

// TestFolder: a module reads modules of its own folder, and nothing else of the world.
func TestFolder(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	write := func(dir, name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(other, "Secret.tla", "---- MODULE Secret ----\nSecret == 1\n====")
	write(dir, "Beside.tla", "---- MODULE Beside ----\nBeside == 1\n====")
	write(dir, "M.cfg", "INIT Init NEXT Init")
	for from, to := range map[string]string{
		"Out.tla":    filepath.Join(other, "Secret.tla"),
		"Up.tla":     "../" + filepath.Base(other) + "/Secret.tla",
		"Within.tla": "Beside.tla",
	} {
		if err := os.Symlink(to, filepath.Join(dir, from)); err != nil {
			t.Fatal(err)
		}
	}
	open := func(text string) error {
		write(dir, "M.tla", "---- MODULE M ----\n"+text+"\nVARIABLE x\nInit == x = 1\n====")
		_, err := tla.Open(filepath.Join(dir, "M.tla"), filepath.Join(dir, "M.cfg"))
		return err
	}
	if err := open("EXTENDS Beside"); err != nil {
		t.Error(err)
	}
	for text, want := range map[string]string{
		"EXTENDS Out":        "no link may lead out of the folder",
		"EXTENDS Up":         "no link may lead out of the folder",
		"S == INSTANCE Up":   "no link may lead out of the folder",
		"EXTENDS Within":     "holds module Beside, not Within",
		"EXTENDS Secret":     "Secret.tla: file does not exist, and it is no module that is built in",
		"EXTENDS ../Secret":  "M.tla:2:9: ",
		"EXTENDS \"Secret\"": "M.tla:2:9: ",
		"EXTENDS IOUtils\nASSUME IOExec(<<\"x\">>) = 1":             "IOExec is not supported: it reaches outside of the specification",
		"EXTENDS Json\nASSUME JsonDeserialize(\"/etc/passwd\") = 1": "JsonDeserialize is not supported: it reaches outside of the specification",
		"EXTENDS CSV\nASSUME CSVWrite(\"\", <<>>, \"/tmp/x\")":      "CSVWrite is not supported: it reaches outside of the specification",
		"EXTENDS IOUtils\nASSUME IOEnv = 1":                         "IOEnv is not supported",
		"EXTENDS TLC\nASSUME JavaTime = 0":                          "JavaTime is not supported",
		"EXTENDS TLC\nASSUME TLCSet(1, 2)":                          "TLCSet is not supported",
	} {
		if err := open(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, and not %s", text, err, want)
		}
	}
}
