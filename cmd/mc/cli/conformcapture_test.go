package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"interleave/cmd/mc/internal/capturetest"
	"interleave/cmd/mc/internal/ui"
	"interleave/impl/wire"
	"interleave/spec"
	"interleave/spec/bully"
)

// again returns a capture of some lines, and of one more by which process 2 has come back.
func again(t *testing.T, lines []capturetest.Line) []byte {
	return capturetest.PCAPNG(t, append(lines[:len(lines):len(lines)], capturetest.Line{Kind: wire.Hello, From: 2, To: 1}), func(i int, f *wire.Frame) {
		if i == len(lines) {
			f.Incarnation = 2
		}
	})
}

func TestConformCapture(t *testing.T) {
	t.Chdir(t.TempDir())
	whole := capturetest.PCAPNG(t, capturetest.Election, nil)
	for name, b := range map[string][]byte{
		"honest": whole,
		"forged": capturetest.PCAPNG(t, capturetest.Election, func(i int, f *wire.Frame) {
			f.Body = map[bool][]byte{true: {byte(bully.Election)}, false: f.Body}[i == 4]
		}),
		"gap":      capturetest.PCAPNG(t, append(capturetest.Election[:2:2], capturetest.Election[3:]...), nil),
		"cut":      whole[:len(whole)-40],
		"empty":    {},
		"foreign":  []byte("PK\x03\x04 this is no capture at all"),
		"silent":   capturetest.PCAPNG(t, capturetest.Election[:2], nil),
		"none":     capturetest.PCAPNG(t, nil, nil),
		"mute":     capturetest.PCAPNG(t, capturetest.Election[2:], nil),
		"stranger": capturetest.PCAPNG(t, capturetest.Election, func(_ int, f *wire.Frame) { f.Algorithm = "bully/unknown" }),
		"newer":    capturetest.PCAPNG(t, capturetest.Election, func(_ int, f *wire.Frame) { f.Shape++ }),
		"mixed":    capturetest.PCAPNG(t, capturetest.Election, func(i int, f *wire.Frame) { f.Run = uint64(7 + i%2) }),
		"unlike": capturetest.PCAPNG(t, capturetest.Election, func(i int, f *wire.Frame) {
			f.Body = map[bool][]byte{true: []byte("ring 2,1; delta 100ms; datagrams false"), false: f.Body}[i == 1]
		}),
		"turned":  capturetest.PCAPNG(t, capturetest.Election, func(_ int, f *wire.Frame) { f.Body = bytes.Replace(f.Body, []byte("1,2"), []byte("2,1"), 1) }),
		"listens": capturetest.PCAPNG(t, []capturetest.Line{capturetest.Election[0], capturetest.Election[1], capturetest.Data(2, 1, 1, 1, bully.Coordinator), {Kind: wire.Ack, From: 1, To: 2, Sequence: 1, Link: 1}}, nil),
		"again":   again(t, capturetest.Election),
		"late": capturetest.PCAPNG(t, []capturetest.Line{capturetest.Election[0], capturetest.Election[1], capturetest.Election[1], capturetest.Data(2, 1, 2, 2, bully.Coordinator)}, func(i int, f *wire.Frame) {
			if i == 2 {
				f.Incarnation = 2
			}
		}),
		"third": capturetest.PCAPNG(t, append(capturetest.Election[:5:5], capturetest.Line{Kind: wire.Heartbeat, From: 3, To: 1}), nil),
	} {
		put(t, name+".pcapng", string(b))
	}
	twins := capturetest.PCAPNG(t, capturetest.Election, nil)
	twins = bytes.Replace(twins, []byte{127, 0, 0, 2, 127, 0, 0, 1}, []byte{127, 0, 0, 9, 127, 0, 0, 1}, 1)
	put(t, "twins.pcapng", string(twins))
	put(t, "ports.pcapng", string(bytes.Replace(capturetest.PCAPNG(t, capturetest.Election, nil), []byte{127, 0, 0, 2, 127, 0, 0, 1, 0x67, 0xac}, []byte{127, 0, 0, 2, 127, 0, 0, 1, 0x1b, 0x5a}, 1)))
	for _, c := range []struct {
		args   string
		status ui.Status
		want   string
	}{
		{"honest.pcapng", 0, "CONFORMS: bully/mended explains every packet"},
		{"honest.pcapng --algorithm bully", 0, "wire+receives"},
		{"honest.pcapng --no-receives", 0, "evidence   wire\n"},
		{"honest.pcapng --json", 0, `"verdict": "CONFORMS"`},
		{"honest.pcapng --property one-leader", 0, "one-leader               HOLDS IN ALL"},
		{"honest.pcapng --property S-uniq", 0, "one-leader               HOLDS IN ALL"},
		{"honest.pcapng --property leader-is-top", 3, "leader-is-top            DEPENDS"},
		{"honest.pcapng --property leader-took-part", 0, "leader-took-part         HOLDS IN ALL"},
		{"honest.pcapng --frontier 1", 3, "INCONCLUSIVE: process 1, incarnation 1, after 1 of its messages: there are more ways than may be looked at"},
		{"honest.pcapng --mem 64MiB", 0, "CONFORMS"},
		{"honest.pcapng --mem 1MiB", 2, "--mem: 1MiB is too little to begin with"},
		{"honest.pcapng --mem much", 2, `--mem: "much" is not a size`},
		{"forged.pcapng", 1, "REFUTED forged.pcapng, packet 5 at 1970-01-01T00:16:40.000000004Z"},
		{"forged.pcapng --json", 1, `"number": 5`},
		{"forged.pcapng", 1, "message: expected COORDINATOR, found ELECTION"},
		{"forged.pcapng", 1, "without it: the rest is explained"},
		{"forged.pcapng --process 1", 0, "CONFORMS: bully/mended explains every packet of process 1; those of the others were not judged\n"},
		{"honest.pcapng --process 2 --json", 0, `"process": 2`},
		{"honest.pcapng --n 2 --ring 1,2", 0, "CONFORMS: bully/mended explains every packet\n"},
		{"turned.pcapng --n 2", 0, "CONFORMS"},
		{"listens.pcapng --process 1", 0, "CONFORMS"},
		{"listens.pcapng --process 1 --no-receives", 2, "none of its 4 frames of this run says what process 1 did, so there is nothing to judge"},
		{"again.pcapng", 0, "1 restart\n"},
		{"again.pcapng --crashes 1 --recoveries any", 0, "CONFORMS"},
		{"again.pcapng --crashes 0", 1, "REFUTED again.pcapng, packet 8"},
		{"again.pcapng --crashes 1 --recoveries 0", 1, "process 2, incarnation 2: hello to 1\n  it tells of crash and restart number 1 of the run, and the declared budget is 0\n"},
		{"again.pcapng --process 1 --recoveries 0", 1, "REFUTED"},
		{"again.pcapng --crashes 0 --minimal spent.pcapng", 1, "REFUTED"},
		{"spent.pcapng --process 2 --crashes 0", 1, "REFUTED spent.pcapng, packet 2"},
		{"late.pcapng", 3, "the capture began late"},
		{"late.pcapng --crashes 0", 1, "the declared budget is 0"},
		{"honest.pcapng --crashes 0 --recoveries 0 --duplicates 0 --losses any", 0, "CONFORMS"},
		{"honest.pcapng --losses 0", 2, "--losses: a capture does not tell which messages were lost"},
		{"honest.pcapng --losses 0 --follow", 2, "--losses: a capture does not tell"},
		{"honest.pcapng --minimal few.pcapng --follow", 2, "--minimal and --explain are of a whole capture"},
		{"--live --explain why", 2, "--minimal and --explain are of a whole capture"},
		{"honest.pcapng --losses few", 2, `--losses: "few" is not a number of faults`},
		{"honest.pcapng --duplicates 3", 2, "--duplicates: a capture does not tell"},
		{"gap.pcapng", 3, "INCONCLUSIVE"},
		{"gap.pcapng --gaps", 0, "CONFORMS"},
		{"cut.pcapng --cut", 0, "note       capture: behind packet 7"},
		{"mute.pcapng --n 2", 0, "CONFORMS"},
		{"mixed.pcapng --run 8", 3, "INCONCLUSIVE"},
		{"honest.pcapng --explain logs", 0, "CONFORMS"},
		{"--logs logs", 0, "CONFORMS: each step is one of bully/mended"},
		{"forged.pcapng --minimal few.pcapng", 1, "REFUTED forged.pcapng, packet 5"},
		{"few.pcapng --process 2", 1, "REFUTED few.pcapng, packet"},
		{"cut.pcapng", 2, "the capture has no end"},
		{"empty.pcapng", 2, "empty.pcapng: capture: the capture is empty"},
		{"foreign.pcapng", 2, "foreign.pcapng: capture: neither a pcapng nor a pcap file"},
		{"missing.pcapng", 2, "missing.pcapng: no such file or directory"},
		{"silent.pcapng", 2, "none of its 2 frames of this run carries a message, so there is nothing to judge"},
		{"none.pcapng", 2, "there is no packet of ours in it"},
		{"mute.pcapng", 2, "no process of it says hello"},
		{"mute.pcapng --ring 1,3", 2, "--ring: [1 3] does not name each of the processes 1 to 2 once"},
		{"honest.pcapng --algorithm ble", 2, "and not of ble/mended"},
		{"stranger.pcapng", 2, `bully has no variant "unknown"`},
		{"newer.pcapng", 2, "it is of another version"},
		{"mixed.pcapng", 2, "it has frames of the runs [7 8]: say which one is meant"},
		{"mixed.pcapng --run 9", 2, "it has no frame of run 9"},
		{"unlike.pcapng", 2, "a capture is of processes that are set alike"},
		{"third.pcapng", 2, "packet 6 is from process 3 to 1, and the run has the processes 1 to 2"},
		{"twins.pcapng", 2, "two processes have one number"},
		{"ports.pcapng --port 26540", 2, "packet 4: process 2 speaks to process 1 from 127.0.0.2:26540, and from 127.0.0.2:7002 in the same incarnation: two processes have one number"},
		{"honest.pcapng --process 70", 2, "--process: 70 is not a process"},
		{"honest.pcapng --property leader-eventually", 2, `--property: "leader-eventually" is not judged along a capture`},
		{"honest.pcapng forged.pcapng", 2, "mc conform takes one capture, not 2"},
		{"honest.pcapng --logs logs", 2, "a capture or --logs, not both"},
		{"--logs logs --property one-leader", 2, "--property means nothing without a capture: name one"},
		{"--drive bully --gaps", 2, "--gaps means nothing without a capture"},
		{"logs --property one-leader", 2, "logs: --property means nothing without a capture"},
		{"honest.pcapng --process 1 --property winner-is-top", 2, "--property is about all processes, and --process judges one: leave one of them out"},
		{"honest.pcapng --process 1 --explain one", 2, "--explain tells of all processes, and --process judges one"},
		{"--follow", 2, "--follow needs a capture"},
		{"honest.pcapng --live", 2, "leave out honest.pcapng"},
		{"honest.pcapng --port 9", 2, "there is no packet of ours in it"},
	} {
		t.Run(c.args, func(t *testing.T) { mc(t.Context(), "conform "+c.args).expect(t, c.status, c.want) })
	}
}

// TestSafetyOfAll: of one process nothing is said that is about all of them.
func TestSafetyOfAll(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "honest.pcapng", string(capturetest.PCAPNG(t, capturetest.Election, nil)))
	for args, said := range map[string]bool{"": true, " --process 2": false} {
		got := mc(t.Context(), "conform honest.pcapng"+args)
		if got.expect(t, 0, "CONFORMS"); strings.Contains(got.out, "HOLDS IN ALL") != said {
			t.Error(got.out)
		}
	}
}

// TestSafetyInNoWorld: states are judged whatever is known of timers; and where no world can be
// built, nothing is decided, and nothing violated.
func TestSafetyInNoWorld(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "honest.pcapng", string(capturetest.PCAPNG(t, capturetest.Election, nil)))
	hasty := *bully.Mended
	hasty.Rules = slices.Clone(hasty.Rules)
	for i := range hasty.Rules {
		hasty.Rules[i].Awaited = nil
	}
	lost := *bully.Mended
	lost.World = map[string]string{"network": "pigeons"}
	for _, c := range []struct {
		machine spec.Machine
		status  ui.Status
		want    string
	}{
		{&hasty, ui.ExitHolds, "one-leader               HOLDS IN ALL"},
		{&lost, ui.ExitInconclusive, "one-leader               UNDECIDED: the world of bully/mended: "},
	} {
		var out, err bytes.Buffer
		program := Program{Machines: []spec.Machine{c.machine}}
		status := ui.Status(program.Run(t.Context(), []string{"conform", "honest.pcapng", "--property", "one-leader"}, &out, &err))
		outcome{status, out.String(), err.String()}.expect(t, c.status, c.want)
	}
}

// TestRestarts: what is said of one restart too many speaks of no other messages, and few packets
// show it, also where several processes came back.
func TestRestarts(t *testing.T) {
	t.Chdir(t.TempDir())
	back := []capturetest.Line{capturetest.Election[0], capturetest.Election[1], capturetest.Data(2, 1, 1, 1, bully.Coordinator), capturetest.Election[0], capturetest.Election[1]}
	for name, b := range map[string][]byte{
		"both": capturetest.PCAPNG(t, back, func(i int, f *wire.Frame) { f.Incarnation = uint32(1 + i/3) }),
		"unmet": capturetest.PCAPNG(t, back[:3], func(i int, f *wire.Frame) { // 2 writes to 1, whose incarnation it does not know
			if i == 2 {
				f.Acked = 0
			}
		}),
	} {
		put(t, name+".pcapng", string(b))
	}
	got := mc(t.Context(), "conform both.pcapng --crashes 1 --minimal few.pcapng")
	if got.expect(t, 1, "REFUTED both.pcapng, packet 5"); !strings.HasSuffix(got.out, "it tells of crash and restart number 2 of the run, and the declared budget is 1\n") {
		t.Error(got.out)
	}
	if !strings.Contains(got.err, "; mc conform few.pcapng --process 2 --crashes 1 judges them") {
		t.Error(got.err)
	}
	mc(t.Context(), "conform few.pcapng --process 2 --crashes 1").expect(t, 1, "the declared budget is 1")
	mc(t.Context(), "conform unmet.pcapng --crashes 0").expect(t, 0, "CONFORMS")
}

// TestNothingMinimal: where there is nothing to show, that is said, and nothing written.
func TestNothingMinimal(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "honest.pcapng", string(capturetest.PCAPNG(t, capturetest.Election, nil)))
	put(t, "gap.pcapng", string(capturetest.PCAPNG(t, append(capturetest.Election[:2:2], capturetest.Election[3:]...), nil)))
	for name, status := range map[string]ui.Status{"honest": 0, "gap": ui.ExitInconclusive} {
		got := mc(t.Context(), "conform "+name+".pcapng --minimal few.pcapng")
		if got.expect(t, status, ""); got.err != "mc: nothing is refuted, so few.pcapng was not written\n" {
			t.Errorf("%s: %q", name, got.err)
		}
		if _, err := os.Stat("few.pcapng"); err == nil {
			t.Errorf("%s: few.pcapng was written", name)
		}
	}
}

// TestWhatJudgesThem: the command that is said to judge what was written does so, as the
// whole capture was judged.
func TestWhatJudgesThem(t *testing.T) {
	t.Chdir(t.TempDir())
	forge := func(i int, f *wire.Frame) {
		if f.Kind == wire.Data && i >= len(capturetest.Election)-4 {
			f.Body = []byte{byte(bully.Election)}
		}
	}
	for name, b := range map[string][]byte{
		"honest": capturetest.PCAPNG(t, capturetest.Election, nil), "forged": capturetest.PCAPNG(t, capturetest.Election, forge),
		"mute": capturetest.PCAPNG(t, capturetest.Election[2:], func(i int, f *wire.Frame) { forge(i+2, f) }),
	} {
		put(t, name+".pcapng", string(b))
	}
	for _, c := range []struct {
		args   string
		status ui.Status
		judge  string
	}{
		{"honest.pcapng --network bag --duplicates any --explain a~logs", 0, "--logs 'a~logs' --network bag --duplicates any"},
		{"forged.pcapng --algorithm bully/mended --crashes 2 --frontier 99 --gaps=false --duplicates any --minimal a~few", 1,
			"'a~few' --process 2 --algorithm bully/mended --crashes 2 --frontier 99 --duplicates any"},
		{"mute.pcapng --n 2 --no-receives --minimal few", 1, "few --process 2 --n 2 --no-receives"},
		{"mute.pcapng --ring 1,2 --port 26540 --minimal other", 1, "other --process 2 --ring 1,2 --port 26540"},
	} {
		got := mc(t.Context(), "conform "+c.args)
		if got.expect(t, c.status, ""); !strings.Contains(got.err, "; mc conform "+c.judge+" judges them\n") {
			t.Errorf("%s: %s", c.args, got.err)
		}
		mc(t.Context(), "conform "+strings.ReplaceAll(c.judge, "'", "")).expect(t, c.status, "")
	}
}

// TestConformMisfit: what is asked for and does not fit the run is the only thing that the
// error speaks of, as nothing is wrong with the capture.
func TestConformMisfit(t *testing.T) {
	t.Chdir(t.TempDir())
	three := func(_ int, f *wire.Frame) {
		if f.Kind == wire.Hello {
			f.Body = []byte("ring 1,3,2; delta 100ms; datagrams false")
		}
	}
	for name, b := range map[string][]byte{
		"honest": capturetest.PCAPNG(t, capturetest.Election, nil), "mute": capturetest.PCAPNG(t, capturetest.Election[2:], nil), "three": capturetest.PCAPNG(t, capturetest.Election, three),
	} {
		put(t, name+".pcapng", string(b))
	}
	mc(t.Context(), "conform honest.pcapng --ring 2,1").expect(t, 0, "CONFORMS")
	mc(t.Context(), "conform three.pcapng --ring 3,2,1").expect(t, 1, "REFUTED three.pcapng, packet 5")
	for args, want := range map[string]string{
		"honest.pcapng --process 3":     "--process 3 is not one of its processes, which are 1 to 2",
		"mute.pcapng --n 2 --process 3": "--process 3 is not one of its processes, which are 1 to 2",
		"honest.pcapng --n 1":           "--n is 1, and the processes say 2: leave it out",
		"honest.pcapng --n 5":           "--n is 5, and the processes say 2: leave it out",
		"honest.pcapng --n 5 --follow":  "--n is 5, and the processes say 2: leave it out",
		"three.pcapng --ring 1,2,3":     "--ring is [1 2 3], and the processes say [1 3 2]: leave it out",
		"honest.pcapng --ring 1,2,3":    "--ring is [1 2 3], and the processes say [1 2]: leave it out",
		"honest.pcapng --ring 1 --n 1":  "--n is 1, and the processes say 2: leave it out",
	} {
		t.Run(args, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second) // which ends what is followed
			defer cancel()
			file, _, _ := strings.Cut(args, " ")
			if got := mc(ctx, "conform "+args); got.status != ui.ExitUsage || got.err != "mc: error: "+file+": "+want+"\n" {
				t.Errorf("exit status %d: %s", got.status, got.err)
			}
		})
	}
}

// TestConformRunCut: what is not in a capture that was cut, or that lacks packets, contradicts
// no log if that is declared.
func TestConformRunCut(t *testing.T) {
	t.Chdir(t.TempDir())
	capture := func(lines ...capturetest.Line) {
		whole := capturetest.PCAPNG(t, lines, nil)
		put(t, "run/capture.pcapng", string(whole[:len(whole)-40]))
	}
	put(t, "whole.pcapng", string(capturetest.PCAPNG(t, capturetest.Election, nil)))
	mc(t.Context(), "conform whole.pcapng --explain run").expect(t, 0, "CONFORMS")
	capture(capturetest.Election[:4]...)
	mc(t.Context(), "conform run").expect(t, 2, "--cut judges what is there")
	mc(t.Context(), "conform run --cut").expect(t, 0, "\n\nCONFORMS in all: logs CONFORMS, capture CONFORMS, both CONFORMS\n")
	mc(t.Context(), "conform run --cut").expect(t, 0, "2 messages logged as on the wire, 2 handled as delivered, 0 to themselves, 1 that are not on the wire\n             1 handled that the capture need not have\n")
	mc(t.Context(), "conform run --cut --json").expect(t, 0, `"unseen": 1`)
	capture(capturetest.Election[0], capturetest.Election[1], capturetest.Election[3], capturetest.Election[4], capturetest.Election[5], capturetest.Election[6])
	mc(t.Context(), "conform run --cut").expect(t, 1, "message 1 of process 1, incarnation 1, which the network did not carry")
	mc(t.Context(), "conform run --cut --gaps").expect(t, 0, "\n\nCONFORMS in all: logs CONFORMS, capture CONFORMS, both CONFORMS\n")
}

// TestConformSnapped: packets that may be ours, and were cut before their ports, are told. What
// is missing may explain the rest, or not.
func TestConformSnapped(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "honest.pcap", string(capturetest.Snapped(t, capturetest.PCAPNG(t, capturetest.Election, nil), 36, 5)))
	put(t, "answer.pcap", string(capturetest.Snapped(t, capturetest.PCAPNG(t, capturetest.Election, nil), 36, 2)))
	put(t, "forged.pcap", string(capturetest.Snapped(t, capturetest.Forged(t), 36, 5)))
	const told = "not captured whole: 1 packet, the first of them packet 6: the frame is cut short: a part of it was not captured: 36 bytes of the packet's 1"
	mc(t.Context(), "conform honest.pcap").expect(t, 0, "CONFORMS: bully/mended explains every packet")
	mc(t.Context(), "conform honest.pcap").expect(t, 0, told)
	mc(t.Context(), "conform honest.pcap").expect(t, 0, "1 no frames of ours, or not whole")
	mc(t.Context(), "conform answer.pcap").expect(t, 3, "INCONCLUSIVE")
	mc(t.Context(), "conform forged.pcap").expect(t, 1, "REFUTED forged.pcap, packet 5")
	mc(t.Context(), "conform forged.pcap").expect(t, 1, told)
	mc(t.Context(), "conform forged.pcap --json").expect(t, 1, "tcpdump -s 0")
	ctx, interrupt := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer interrupt()
	mc(ctx, "conform honest.pcap --follow").expect(t, 0, told)
	mc(t.Context(), "conform forged.pcap --follow").expect(t, 1, "REFUTED forged.pcap, packet 5")
	put(t, "all.pcap", string(capturetest.Snapped(t, capturetest.PCAPNG(t, capturetest.Election, nil), 36, 0, 1, 2, 3, 4, 5, 6)))
	mc(t.Context(), "conform all.pcap").expect(t, 2, "none of its 7 packets is a frame: the first is not, since the frame is cut short: a part of it was not captured: 36 bytes of the packet's")
}

// TestConformRunEmpty: a capture without a packet says nothing of a run. That is no reason not
// to judge the logs; but it has to have what they say was sent, unless it was cut.
func TestConformRunEmpty(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "whole.pcapng", string(capturetest.PCAPNG(t, capturetest.Election, nil)))
	mc(t.Context(), "conform whole.pcapng --explain run").expect(t, 0, "CONFORMS")
	none := capturetest.PCAPNG(t, nil, nil)
	const unseen = "INCONCLUSIVE in all: logs CONFORMS, both INCONCLUSIVE\n"
	for file, b := range map[string][]byte{"capture.pcapng": none, "capture.pcap": capturetest.Snapped(t, none, 0)} {
		put(t, filepath.Join("run", file), string(b))
		mc(t.Context(), "conform run").expect(t, 3, unseen)
		mc(t.Context(), "conform run").expect(t, 3, "INCONCLUSIVE: the capture has none of the messages that are logged: --port names")
		mc(t.Context(), "conform run").expect(t, 3, file+": there is no packet of ours in it")
		mc(t.Context(), "conform run --json").expect(t, 3, `"silent": "there is no packet of ours in it`)
		mc(t.Context(), "conform run --gaps").expect(t, 0, "CONFORMS: each step is one of bully/mended")
		mc(t.Context(), "conform run --gaps --property one-leader").expect(t, 3, "CONFORMS: each step is one of bully/mended")
		mc(t.Context(), "conform run/"+file).expect(t, 2, "there is no packet of ours in it")
		os.Remove(filepath.Join("run", file))
	}
	for size, b := range map[string][]byte{"the capture is empty": nil, "the capture is cut within a packet": capturetest.Snapped(t, none, 0)[:20]} {
		put(t, "run/capture.pcapng", string(b))
		mc(t.Context(), "conform run").expect(t, 2, size)
		mc(t.Context(), "conform run").expect(t, 2, "--cut judges the rest of a run directory")
		mc(t.Context(), "conform run --cut").expect(t, 0, "capture.pcapng: there is no packet of ours in it")
		mc(t.Context(), "conform run/capture.pcapng --cut").expect(t, 2, "there is no packet of ours in it")
	}
	put(t, "run/capture.pcapng", string(none))
	for _, name := range []string{"run/process-1.ndjson", "run/process-2.ndjson"} { // they begin, and crash
		log, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		put(t, name, strings.Join(strings.SplitAfter(string(log), "\n")[:2], ""))
	}
	mc(t.Context(), "conform run").expect(t, 0, "capture.pcapng: there is no packet of ours in it")
	mc(t.Context(), "conform run --crashes 0").expect(t, 1, "REFUTED")
}

// TestConformRun: a run directory is judged by its logs, by its capture, and by the two
// against each other.
func TestConformRun(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("run", 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("run", "capture.pcapng")
	if err := os.WriteFile(file, capturetest.PCAPNG(t, capturetest.Election, nil), 0o600); err != nil {
		t.Fatal(err)
	}
	mc(t.Context(), "conform run/capture.pcapng --explain run").expect(t, 0, "CONFORMS")
	mc(t.Context(), "conform run").expect(t, 0, "evidence   full log")
	mc(t.Context(), "conform run").expect(t, 0, "CONFORMS: the logs and the wire agree")
	mc(t.Context(), "conform run --json").expect(t, 0, `"handled": 3`)
	mc(t.Context(), "conform run --property one-leader").expect(t, 0, "one-leader               HOLDS IN ALL")
	mc(t.Context(), "conform run").expect(t, 0, "\n\nCONFORMS in all: logs CONFORMS, capture CONFORMS, both CONFORMS\n")
	mc(t.Context(), "conform run --frontier 1").expect(t, 3, "\n\nINCONCLUSIVE in all: logs CONFORMS, capture INCONCLUSIVE, both CONFORMS\n")
	if err := errors.Join(os.Mkdir("twice", 0o700), os.WriteFile(filepath.Join("twice", "capture.pcapng"), again(t, capturetest.Election), 0o600)); err != nil {
		t.Fatal(err)
	}
	mc(t.Context(), "conform twice/capture.pcapng --explain twice").expect(t, 0, "CONFORMS")
	mc(t.Context(), "conform twice --crashes 1").expect(t, 0, "crashes    1 of at most 1, 1 restart")
	mc(t.Context(), "conform twice --crashes 0").expect(t, 1, "\n\nREFUTED in all: logs REFUTED, capture REFUTED, both CONFORMS\n")
	depends := mc(t.Context(), "conform run --property leader-is-top")
	if depends.expect(t, 3, "leader-is-top            DEPENDS"); depends.err != "mc: --property leader-is-top: DEPENDS\n" {
		t.Errorf("said on standard error: %q", depends.err)
	}
	mc(t.Context(), "conform run --process 3").expect(t, 2, "--process 3 is not one of its processes, which are 1 to 2")
	mc(t.Context(), "conform run --losses 0 --duplicates 1").expect(t, 0, "0 lost of at most 0")
	mc(t.Context(), "conform run --property leader-eventually").expect(t, 2, `"leader-eventually" is not judged along a capture`)
	soon, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	mc(soon, "conform --live --property nosuch").expect(t, 2, `"nosuch" is not judged along a capture`)
	if soon.Err() != nil {
		t.Error("it listens before it refuses a property that there is not")
	}
	other := capturetest.PCAPNG(t, append(capturetest.Election[:5:5], capturetest.Data(1, 2, 2, 2, bully.Election), capturetest.Election[5], capturetest.Election[6]), nil)
	if err := os.WriteFile(file, other, 0o600); err != nil {
		t.Fatal(err)
	}
	mc(t.Context(), "conform run").expect(t, 1, "message 2 of process 1, incarnation 1, is on the wire, and no log has it")
	mc(t.Context(), "conform run").expect(t, 1, "\n\nREFUTED in all: logs CONFORMS, capture CONFORMS, both REFUTED\n")
	if err := os.WriteFile(file, capturetest.PCAPNG(t, capturetest.Election[:2], nil), 0o600); err != nil { // of which no message came on the wire
		t.Fatal(err)
	}
	silent := "none of its 2 frames of this run carries a message, so there is nothing to judge"
	mc(t.Context(), "conform run").expect(t, 1, silent)
	mc(t.Context(), "conform run").expect(t, 1, "REFUTED: the logs and the wire contradict each other")
	mc(t.Context(), "conform run --json").expect(t, 1, `"silent": "`+silent)
	mc(t.Context(), "conform run/capture.pcapng").expect(t, 2, silent)
	if err := os.WriteFile(filepath.Join("run", "more.pcap"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	mc(t.Context(), "conform run").expect(t, 2, "run has 2 captures")
	if err := os.Mkdir("bare", 0o700); err != nil {
		t.Fatal(err)
	}
	mc(t.Context(), "conform bare").expect(t, 2, "bare has neither a file process-*.ndjson nor a capture")
	mc(t.Context(), "conform bare --json").expect(t, 2, "bare has neither a file process-*.ndjson nor a capture")
	if err := os.WriteFile(filepath.Join("bare", "capture.pcapng"), capturetest.PCAPNG(t, capturetest.Election[:2], nil), 0o600); err != nil {
		t.Fatal(err)
	}
	mc(t.Context(), "conform bare --losses 0").expect(t, 2, "--losses: a capture does not tell")
	mc(t.Context(), "conform bare").expect(t, 2, silent) // with no logs that could be judged instead
}
