package certificate

import (
	"bytes"
	"crypto/sha256"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"interleave/model"
	"interleave/properties/election"
	"interleave/spec"
	"interleave/spec/catalog"
	"interleave/spec/changroberts"
)

// content returns a small certificate, without compression and checksum.
func content(t testing.TB) string {
	t.Helper()
	h, states := passed(t, changroberts.Textbook, model.Config{N: 2}, election.WinnerIsTop)
	var file bytes.Buffer
	if err := Write(t.Context(), &file, changroberts.Textbook, h, slices.Values(states), WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	text := unzip(t, file.Bytes())
	return text[:len(text)-sha256.Size]
}

func unzip(t testing.TB, file []byte) string {
	t.Helper()
	zip, err := zstd.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	defer zip.Close()
	text, err := io.ReadAll(zip)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// zipped compresses a text; with its checksum, if it is to have one.
func zipped(t testing.TB, text string, sum bool) []byte {
	t.Helper()
	if sum {
		h := sha256.Sum256([]byte(text))
		text += string(h[:])
	}
	var file bytes.Buffer
	zip, err := zstd.NewWriter(&file, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<15))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(zip, text); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// read reads a file to its end, and checks it.
func read(t testing.TB, m spec.Machine, file []byte) error {
	t.Helper()
	c, err := Open(bytes.NewReader(file))
	if err != nil {
		return err
	}
	_, err = c.Check(t.Context(), m, Options{})
	return err
}

// TestMalformed edits a certificate, and seals it again: each fault is told.
func TestMalformed(t *testing.T) {
	good := content(t)
	parts := regexp.MustCompile(`"parts":\[(\d+),(\d+),(\d+),(\d+),1\],"states":(\d+)`).FindString(good)
	header, rest, _ := strings.Cut(good, "\n")
	first, others, _ := strings.Cut(rest, "\n")
	envelope := regexp.MustCompile(`\[(\{"From":.*\})\]\n`).FindStringSubmatch(good)
	edit := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("%q does not stand in %s", old, header)
		}
		return strings.Replace(good, old, new, 1)
	}
	const row = 4 * 5
	rows := good[len(good)-2*row:]
	beyond := "\x00\x00\x00\xff" + strings.Repeat("\x00", row-4)
	if err := read(t, changroberts.Textbook, zipped(t, good, true)); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ text, want string }{
		"empty":             {"", "line 1: the file ends here: it was cut short"},
		"prose":             {"Once upon a time.\n", "line 1: it is not a header: invalid character 'O'"},
		"no line":           {"Once upon a time.", "line 1: "},
		"a long line":       {strings.Repeat("x", maxLine+1), "line 1: it has more than 1048576 bytes"},
		"foreign":           {"{}\n", `line 1: it is not a certificate: its format is "", not "interleave certificate"`},
		"version":           {edit(`"version":2`, `"version":1`), "line 1: it is a certificate of version 1, and this program reads version 2"},
		"algorithm":         {edit(`chang-roberts/textbook`, `bully/mended`), "the certificate is of bully/mended, not of chang-roberts/textbook"},
		"unknown property":  {edit(`"winner-is-top"`, `"S-none"`), `there is no property "S-none"`},
		"unknown key":       {edit(`"algorithm"`, `"colour":1,"algorithm"`), "line 1: the header is not as it was written"},
		"world":             {edit(`"crashes":0`, `"crashes":9`), "its world: crashes: 9 crashes are out of range"},
		"no processes":      {edit(`"n":2`, `"n":0`), "line 1: 0 processes are out of range: there are 1 to 16"},
		"more processes":    {edit(`"n":2`, `"n":3`), "line 1: the parts of states have 5 places, not the 7 that 3 processes have"},
		"many parts":        {edit(parts, `"parts":[1152921504606846976,2,2,2,1],"states":9`), "line 1: 1152921504606846976 are out of range as local states of process 1"},
		"many states":       {edit(`"states":`, `"states":11529215046068469`), "states are out of range: there are 1 to 4294967295"},
		"many of both":      {edit(parts, `"parts":[4294967295,2,2,2,1],"states":4294967295`), "one of the local states of process 1: "},
		"more states":       {edit(`"states":`, `"states":1`), "state 11 of 110: it has number "},
		"a part that is no": {header + "\n7\n" + others, "line 2, one of the local states of process 1: json: "},
		"a part with more":  {header + "\n" + strings.Replace(first, `{`, `{"Colour":1,`, 1) + "\n" + others, "line 2, one of the local states of process 1: it is not as it was written, which is {"},
		"a part twice":      {header + "\n" + first + "\n" + first + "\n" + others[strings.Index(others, "\n")+1:], "line 3, one of the local states of process 1: it stands there twice"},
		"a full inbox":      {edit(envelope[0], "["+strings.Repeat(envelope[1]+",", maxInbox)+envelope[1]+"]\n"), "it has 1025 messages: no certificate has an inbox with more than 1024"},
		"a state twice":     {good[:len(good)-row] + rows[:row], "it is not above the one before: a state stands there twice, or they are not in order"},
		"out of order":      {good[:len(good)-2*row] + rows[row:] + rows[:row], "it is not above the one before"},
		"unknown number":    {good[:len(good)-row] + beyond, "it has number 255 of the local states of process 1, and there are "},
		"a state too many":  {good + beyond, "the checksum does not match the content"},
	} {
		err := read(t, changroberts.Textbook, zipped(t, c.text, true))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", name, err, c.want)
		}
	}
	sum := sha256.Sum256([]byte(good))
	for name, row := range map[string]struct{ file, want string }{
		"no file":       {"", "it is not a certificate: the file ends here"},
		"one block":     {string(zipped(t, good+string(sum[:]), true))[:40], "it is not a certificate: the file ends here: it was cut short"},
		"no zstd":       {good, "it is not a certificate: it does not begin like a zstd file"},
		"tampered":      {string(zipped(t, edit(`"crashes":0`, `"crashes":1`)+string(sum[:]), false)), "the checksum does not match the content: the file was changed after it was written"},
		"trailing data": {string(zipped(t, good+string(sum[:])+"x", false)), "something follows the checksum"},
		"trailing file": {string(zipped(t, good, true)) + "x", "something follows the checksum"},
		"no checksum":   {string(zipped(t, good, false)), "the checksum: the file ends here: it was cut short"},
	} {
		err := read(t, changroberts.Textbook, []byte(row.file))
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v; want %q", name, err, row.want)
		}
	}
}

// TestDamaged cuts a certificate at every place and flips a bit of every byte:
// each is noticed, or changes nothing.
func TestDamaged(t *testing.T) {
	good := content(t)
	file := zipped(t, good, true)
	for i := range file {
		if err := read(t, changroberts.Textbook, file[:i]); err == nil {
			t.Fatalf("cut after %d bytes of %d, and not noticed", i, len(file))
		}
		damaged := bytes.Clone(file)
		damaged[i] ^= 1
		if err := read(t, changroberts.Textbook, damaged); err == nil {
			t.Logf("byte %d of %d changed: it says the same", i, len(file))
		}
	}
}

// TestWrittenTwice: the same set is the same file.
func TestWrittenTwice(t *testing.T) {
	h, states := passed(t, changroberts.Textbook, model.Config{N: 2}, election.WinnerIsTop)
	var files [2]bytes.Buffer
	for i := range files {
		if err := Write(t.Context(), &files[i], changroberts.Textbook, h, slices.Values(states), WriteOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
		t.Error("they differ")
	}
}

// FuzzReadCertificate wants no panic and no endless work from any file, nor
// from one that is well compressed, nor from its check.
func FuzzReadCertificate(f *testing.F) {
	good := content(f)
	f.Add([]byte(good))
	f.Add(zipped(f, good, true))
	f.Add([]byte(strings.Replace(good, `"properties":["winner-is-top"]`, `"properties":["termination","can-elect","leader-is-top"]`, 1)))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, file := range [][]byte{text, zipped(t, string(text), true)} {
			c, err := Open(bytes.NewReader(file))
			if err != nil || c.Header.Config.N > 4 {
				continue
			}
			for _, m := range catalog.Machines {
				if m.Traits().Name == c.Header.Algorithm {
					_, _ = c.Check(t.Context(), m, Options{})
				}
			}
		}
	})
}
