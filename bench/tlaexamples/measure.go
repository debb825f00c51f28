package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	"interleave/explore"
	"interleave/tla"
)

// answer is what one check found.
type answer struct {
	States  int
	Verdict string
	Why     string
	Error   string
}

// memory is what one check may take.
const memory = 4 << 30

// checkOne checks one model and prints an answer.
func checkOne(ctx context.Context, module, config string, out io.Writer) error {
	var a answer
	debug.SetGCPercent(400) // as mc tla check does
	m, err := tla.OpenWithin(ctx, module, config, memory)
	if err == nil {
		var r *tla.Report
		if r, err = m.Check(ctx, tla.Options{Workers: 1, Memory: memory}); err == nil {
			a.States = r.Stats.States
			var v explore.Verdict
			v, a.Why = r.Verdict()
			a.Verdict = v.String()
			for _, f := range r.Findings {
				if f.Name == "evaluation" {
					a.Why = f.Why
				}
			}
		}
	}
	if err != nil {
		a.Error = err.Error()
	}
	return json.NewEncoder(out).Encode(a)
}

// measure checks a model in a process of its own.
func (o options) measure(ctx context.Context, m model) (r row, err error) {
	r = row{name: m.name(), want: m.States}
	self, err := os.Executable()
	if err != nil {
		return r, err
	}
	module, config := filepath.Join(o.dir, m.module), filepath.Join(o.dir, m.Config)
	p := o.process(ctx, self, "-one", module, config)
	if err := ctx.Err(); err != nil {
		return r, err
	}
	r.user, r.memory = p.user, p.memory
	var a answer
	switch {
	case p.late:
		r.status, r.why = timedOut, fmt.Sprintf("not done after %v", o.timeout)
	case json.Unmarshal(p.out, &a) != nil:
		r.status, r.why = disagrees, "the process failed: "+firstLine(string(p.errors))
	default:
		r.judge(m, a, o.dir)
	}
	if o.jar != "" && r.status == agrees {
		r.tlc, r.tlcStates, err = o.runTLC(ctx, module, config)
	}
	return r, err
}

// process is what a process left behind.
type process struct {
	out, errors []byte
	user        time.Duration
	memory      int64
	late        bool
}

func (o options) process(ctx context.Context, name string, args ...string) (p process) {
	ctx, cancel := context.WithTimeout(ctx, o.timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	p = process{out: []byte(out.String()), errors: []byte(errs.String()), late: errors.Is(ctx.Err(), context.DeadlineExceeded) && err != nil}
	if cmd.ProcessState != nil {
		p.user = cmd.ProcessState.UserTime()
		if use, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
			p.memory = use.Maxrss << 10
		}
	}
	return p
}

var tlcStates = regexp.MustCompile(`(\d+) states generated, (\d+) distinct states found, 0 states left`)

// runTLC runs TLC on a model, with one worker.
func (o options) runTLC(ctx context.Context, module, config string) (user time.Duration, states int, err error) {
	dir, err := os.MkdirTemp("", "tlaexamples")
	if err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(dir)
	p := o.process(ctx, "java", "-Duser.home="+dir, "-XX:+UseParallelGC", "-cp", o.jar, "tlc2.TLC",
		"-workers", "1", "-lncheck", "final", "-cleanup", "-metadir", dir, "-config", config, module)
	if m := tlcStates.FindAllStringSubmatch(string(p.out), -1); m != nil {
		states, err = strconv.Atoi(m[len(m)-1][2])
	}
	return p.user, states, err
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
