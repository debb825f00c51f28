package conformance_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"interleave/conformance"
	"interleave/conformance/captures"
	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/internal/porttest"
	"interleave/internal/testsize"
	"interleave/spec"
)

// TestPython runs three processes that are written in Python, and judges the
// capture of what they say: of honest ones, and of those with a broken one
// among them.
func TestPython(t *testing.T) {
	testsize.Alone(t)
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	for _, broken := range []int{0, 2} {
		file := ring(t, python, 3, broken)
		r, err := capture.NewReader(bytes.NewReader(file), capture.Options{})
		if err != nil {
			t.Fatal(err)
		}
		packets, _, err := captures.Read(r, false)
		if err != nil {
			t.Fatal(err)
		}
		report, err := watch(packets)
		switch {
		case err != nil:
			t.Fatal(err)
		case broken == 0 && (report.Verdict != conformance.Conforms || report.Packets.Data < 5):
			t.Errorf("honest: %+v %v", report, report.Unexplained)
		case broken > 0 && (report.Verdict != conformance.Refuted || int(report.Unexplained.Process) != broken):
			t.Errorf("broken: %v, %s %v", report.Verdict, report.Reason, report.Unexplained)
		}
	}
}

// ring runs n processes until those that are honest know a leader, or one of
// them has said much, and returns the capture of it.
func ring(t *testing.T, python string, n, broken int) []byte {
	var file bytes.Buffer
	w, err := capture.NewWriter(&file, "Chang-Roberts in Python")
	if err != nil {
		t.Fatal(err)
	}
	p := &postman{t: t, writer: w, quiet: make(chan struct{})}
	for _, home := range porttest.Free(t, n) {
		p.sockets = append(p.sockets, p.listen())
		p.homes = append(p.homes, netip.MustParseAddrPort(home))
	}
	leaders := make(chan string, 64)
	for i := range n {
		args := []string{"testdata/chang_roberts.py", "--id", fmt.Sprint(i + 1), "--n", fmt.Sprint(n), "--listen", p.homes[i].String()}
		for j, s := range p.sockets {
			if i != j {
				args = append(args, "--peer", fmt.Sprintf("%d=%v", j+1, s.LocalAddr()))
			}
		}
		if i+1 == broken {
			args = append(args, "--broken")
		}
		p.start(exec.Command(python, args...), leaders)
	}
	for i := range p.sockets {
		p.done.Go(func() { p.carry(i) })
	}
	want := n // that know a leader
	if broken > 0 {
		want++ // one changes its mind once the broken one has spoken
	}
	limit := time.After(time.Minute)
	for known := 0; known < want; known++ {
		select {
		case <-leaders:
		case <-p.quiet:
			known = want
		case <-limit:
			t.Fatal("no leader")
		}
	}
	p.close()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// postman stands between processes, and writes down what it carries: it is the one
// tap that all packets pass.
type postman struct {
	t       *testing.T
	writer  *capture.Writer
	mu      sync.Mutex
	carried int
	lost    int
	quiet   chan struct{}  // closed when it has carried many messages
	sockets []*net.UDPConn // where each process is known to the others
	homes   []netip.AddrPort
	running []*exec.Cmd
	done    sync.WaitGroup
}

func (p *postman) listen() *net.UDPConn {
	s, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		p.t.Fatal(err)
	}
	return s
}

// start runs a process, which prints whom it follows.
func (p *postman) start(cmd *exec.Cmd, leaders chan<- string) {
	out, err := cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	complaints := &strings.Builder{}
	cmd.Stderr = complaints
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.running = append(p.running, cmd)
	p.t.Cleanup(func() { cmd.Process.Kill() })
	p.done.Go(func() {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			select {
			case leaders <- lines.Text():
			default:
			}
		}
		io.Copy(io.Discard, out)
	})
}

// enough is how many messages a broken ring carries before it is stopped.
const enough = 400

// carry passes on what goes to one process.
func (p *postman) carry(to int) {
	b := make([]byte, 2000)
	for {
		n, from, err := p.sockets[to].ReadFromUDPAddrPort(b)
		if err != nil {
			return
		}
		p.mu.Lock()
		f, err := wire.Parse(b[:n], nil)
		if err == nil && f.Kind == wire.Hello && p.late(f.From, f.To) {
			p.mu.Unlock()
			continue
		}
		if err := p.writer.UDP(capture.Sent, time.Now(), from, p.homes[to], slices.Clone(b[:n])); err != nil {
			p.t.Error(err)
		}
		if err == nil && f.Kind == wire.Data {
			if p.carried++; p.carried == enough {
				close(p.quiet)
			}
		}
		p.mu.Unlock()
		p.sockets[to].WriteToUDPAddrPort(b[:n], p.homes[to])
	}
}

// late reports whether a hello is one of the first of process 2 to process 1, which are
// lost: these two meet when the election has begun elsewhere.
func (p *postman) late(from, to spec.ID) bool {
	if from != 2 || to != 1 || p.lost == 4 {
		return false
	}
	p.lost++
	return true
}

func (p *postman) close() {
	for _, cmd := range p.running {
		cmd.Process.Kill()
	}
	for _, s := range p.sockets {
		s.Close()
	}
	for _, cmd := range p.running {
		cmd.Wait()
	}
	p.done.Wait()
}
