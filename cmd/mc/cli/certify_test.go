package cli

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/klauspost/compress/zstd"

	"interleave/cmd/mc/internal/ui"
	"interleave/internal/testsize"
	"interleave/model"
	"interleave/properties"
	"interleave/spec"
	"interleave/spec/catalog"
)

// TestFilesFirst: a file that was asked for is there before anything is printed,
// as whoever reads that may have seen enough.
func TestFilesFirst(t *testing.T) {
	for flag, timers := range map[string]string{"--certificate": "flush", "--trace-out": "any"} { // holds, and does not
		path := filepath.Join(t.TempDir(), "file")
		there := errors.New("nothing was printed")
		Run(t.Context(), []string{"verify", "bully", "--timers", timers, "--property", "winner-is-top", flag, path}, writer(func([]byte) {
			if there != nil {
				_, there = os.Stat(path)
			}
		}), io.Discard, catalog.Aliases, catalog.Machines...)
		if there != nil {
			t.Errorf("%s: %v", flag, there)
		}
	}
}

// writer is told what is written.
type writer func(b []byte)

func (w writer) Write(b []byte) (int, error) {
	w(b)
	return len(b), nil
}

// TestCertifyIsInterrupted: a handler or a property that does not return keeps nobody waiting who
// interrupts once.
func TestCertifyIsInterrupted(t *testing.T) {
	for who, want := range map[string]string{
		"handler":  "mc: the handler of process 1 for start (",
		"property": "mc: nothing has come back for ",
	} {
		stray := ""
		var back chan struct{}
		wait := func(at string) {
			if stray == at {
				<-back
			}
		}
		program := Program{
			Machines: []spec.Machine{&spec.Algorithm[int, int]{
				Name: "odd/waits", Election: &spec.Election[int, int]{Leader: func(int) spec.ID { return spec.None }},
				Start:   func(s *int, _ *spec.Proc[int]) { wait("handler"); *s = 1 },
				Receive: func(*int, *spec.Proc[int], spec.ID, int) {},
			}},
			Properties: []properties.Property{properties.Invariant("waits", "it waits", func(*model.World) error { wait("property"); return nil })},
		}
		run := func(ctx context.Context, line string) outcome {
			var out, err bytes.Buffer
			status := ui.Status(program.Run(ctx, strings.Fields(line), &out, &err))
			return outcome{status, out.String(), err.String()}
		}
		file := filepath.Join(t.TempDir(), "pass.cert")
		run(t.Context(), "verify odd/waits --n 2 --property waits --certificate "+file).expect(t, ui.ExitHolds, "VERIFIED")
		run(t.Context(), "certify "+file).expect(t, ui.ExitHolds, "CONFIRMED")
		synctest.Test(t, func(t *testing.T) {
			back, stray = make(chan struct{}), who
			defer close(back)
			began := time.Now()
			ctx, end := context.WithTimeout(t.Context(), time.Minute)
			defer end()
			got := run(ctx, "certify "+file)
			got.expect(t, ui.ExitInconclusive, "")
			if !strings.Contains(got.err, "mc: interrupted: nothing is confirmed\n"+want) {
				t.Errorf("a %s: %s", who, got.err)
			}
			if took := time.Since(began); took > time.Minute+10*time.Second {
				t.Errorf("a %s keeps it for %v", who, took)
			}
		})
	}
}

// TestCertifyShared: processes that share a variable refute a certificate, also if that is noticed only
// when everything is asked once more at the end.
func TestCertifyShared(t *testing.T) {
	shares, last := false, spec.None
	program := Program{
		Machines: []spec.Machine{&spec.Algorithm[int, int]{
			Name: "odd/shares", Source: "this test",
			Start: func(_ *int, p *spec.Proc[int]) {
				if shares {
					last = p.ID
				}
			},
			Receive:  func(*int, *spec.Proc[int], spec.ID, int) {},
			Election: &spec.Election[int, int]{Leader: func(int) spec.ID { return last }},
		}},
		Properties: []properties.Property{properties.Invariant("nothing", "promises nothing", func(*model.World) error { return nil })},
	}
	run := func(line string) outcome {
		var out, err bytes.Buffer
		status := ui.Status(program.Run(t.Context(), strings.Fields(line), &out, &err))
		return outcome{status, out.String(), err.String()}
	}
	file := filepath.Join(t.TempDir(), "pass.cert")
	run("verify odd/shares --n 2 --property nothing --certificate "+file).expect(t, ui.ExitHolds, "VERIFIED")
	run("certify "+file).expect(t, ui.ExitHolds, "CONFIRMED")
	shares = true
	run("certify "+file).expect(t, ui.ExitContradicted, "REFUTED Leader is no function: ")
	shares, program.Machines[0].(*spec.Algorithm[int, int]).Election.Leader = false, func(int) spec.ID { return spec.None }
	asked := 0
	program.Properties[0] = properties.Invariant("nothing", "it counts", func(*model.World) error {
		if asked++; asked == 2 {
			return errors.New("the second time")
		}
		return nil
	})
	run("certify "+file).expect(t, ui.ExitContradicted, "REFUTED the property nothing is no function: ")
}

// TestCertifyMemory runs mc in a process of its own, with a small file that unpacks to many states.
func TestCertifyMemory(t *testing.T) {
	if asChild(t) {
		return
	}
	testsize.Test(t) // a smaller file would fit into the memory
	skipUnlessWeighed(t)
	file := filepath.Join(t.TempDir(), "pass.cert")
	mc(t.Context(), "verify bully --n 2 --certificate "+file).expect(t, ui.ExitHolds, "VERIFIED")
	forge(t, file, manyStates)
	belowCeiling(t, "certify "+file, 100<<20, "mc: memory limit reached: nothing is confirmed\n", "mc: hint: give --mem more\n")
	mc(t.Context(), "certify "+file+" --mem 0").expect(t, ui.ExitContradicted, "REFUTED")
	mc(t.Context(), "certify "+file+" --mem 3").expect(t, ui.ExitUsage, "--mem: \"3\" is not a size")
}

// manyStates puts parts of the states of two processes together in millions of ways, with many
// environments.
func manyStates(text string) string {
	const states, environments = 4_000_000, 1 << 16
	header := regexp.MustCompile(`"parts":\[(\d+),(\d+),(\d+),(\d+),1\],"states":\d+`).FindStringSubmatch(text)
	parts, _, _ := strings.Cut(text, "\n{}\n")
	var out strings.Builder
	out.WriteString(strings.Replace(parts, header[0], fmt.Sprintf(`"parts":[%s,%d],"states":%d`, strings.Join(header[1:], ","), environments, states), 1))
	out.WriteString("\n{}\n")
	for n := 1; n < environments; n++ {
		line, _ := json.Marshal(model.Env{Crashes: uint8(n >> 8), Losses: uint8(n)})
		fmt.Fprintf(&out, "%s\n", line)
	}
	for n := range states {
		row := make([]byte, 20)
		binary.BigEndian.PutUint32(row[16:], uint32(n%environments))
		rest := n / environments
		for place := 3; place >= 0; place-- {
			count, _ := strconv.Atoi(header[1+place])
			binary.BigEndian.PutUint32(row[4*place:], uint32(rest%count))
			rest /= count
		}
		out.Write(row)
	}
	return out.String()
}

// TestCertifyNames: what a certificate calls a property does not look like the verdict on another.
func TestCertifyNames(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pass.cert")
	mc(t.Context(), "verify bully --crashes 1 --property winner-is-top --certificate "+file).expect(t, ui.ExitHolds, "VERIFIED")
	forge(t, file, func(text string) string {
		return strings.Replace(text, `["winner-is-top"]`, `["[]true |\n  leader-is-top","true U true | `+strings.Repeat(" ", 200)+`leader-is-top"]`, 1)
	})
	got := mc(t.Context(), "certify "+file)
	got.expect(t, ui.ExitHolds, "\n  []true | leader-is-top ")
	got.expect(t, ui.ExitHolds, "\n  true U true | leader-is-top ")
	forge(t, file, func(text string) string { return strings.Replace(text, `[]true |`, `[]false |`, 1) })
	mc(t.Context(), "certify "+file).expect(t, ui.ExitInconclusive, "\n  []false | leader-is-top ")
}

// forge edits the content of a certificate, and seals it again.
func forge(t *testing.T, file string, edit func(text string) string) {
	t.Helper()
	packed, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	unzip, _ := zstd.NewReader(nil)
	defer unzip.Close()
	zip, _ := zstd.NewWriter(nil)
	text, err := unzip.DecodeAll(packed, nil)
	if err != nil {
		t.Fatal(err)
	}
	forged := edit(string(text[:len(text)-sha256.Size]))
	sum := sha256.Sum256([]byte(forged))
	put(t, file, string(zip.EncodeAll(append([]byte(forged), sum[:]...), nil)))
}
