package node

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/process"
	"interleave/cmd/mc/internal/ui"
	"interleave/cmd/mc/internal/yaml"
	"interleave/impl"
	"interleave/spec"
)

// settings is what the command line or a file says, as it is written.
type settings struct {
	file      string
	algorithm string

	id, run, ring, listen, transport, begin string
	peers, timers                           map[string]string
	delta                                   time.Duration
	initiator, alone                        bool
	datagrams, insecure, unsafeTimers       bool
	keyFile, data, log, http                string
	statusHost                              []string
	json                                    bool
}

func (s *settings) flags(f *pflag.FlagSet) {
	f.SortFlags = false
	ui.Group(f, "This process", func(f *pflag.FlagSet) {
		f.StringVar(&s.file, "config", "", "read settings from this YAML file, whose keys are the names of the flags")
		f.StringVar(&s.id, "id", "", "ID of this process: 1 to the number of processes")
		f.StringVar(&s.run, "run", "1", "number of this run, the same for all processes: messages of other runs are ignored")
		f.BoolVar(&s.initiator, "initiator", true, "be an initiator, which starts on its own")
		f.StringVar(&s.begin, "begin", "", "lock step: when the first round begins, the same for all, as in 2026-01-31T12:00:00Z")
		f.StringVar(&s.ring, "ring", "", "order on the ring, as in 3,1,2; by default ascending")
		f.StringVar(&s.data, "data", "", "folder for stable storage; by default nothing survives a crash")
	})
	ui.Group(f, "Network", func(f *pflag.FlagSet) {
		f.StringVar(&s.listen, "listen", "", "address of this process: host:port")
		f.StringToStringVar(&s.peers, "peers", nil, "addresses of the other processes, as in 2=127.0.0.1:7002,3=127.0.0.1:7003")
		f.BoolVar(&s.alone, "alone", false, "run without any other process")
		f.StringVar(&s.transport, "transport", "udp", "udp or tcp")
		f.BoolVar(&s.datagrams, "datagrams", false, "send each message once, with no guarantee of order or delivery")
		f.StringVar(&s.keyFile, "key-file", "", "authenticate all messages with the key in this file, the same for all processes")
		f.BoolVar(&s.insecure, "insecure", false, "listen beyond loopback without a key")
	})
	ui.Group(f, "Timers", func(f *pflag.FlagSet) {
		f.DurationVar(&s.delta, "delta", impl.DefaultDelta, "assumed upper bound on message delay")
		f.StringToStringVar(&s.timers, "timer", nil, "durations of timers, as in T_ok=300ms,notice=1s; by default derived from --delta")
		f.BoolVar(&s.unsafeTimers, "unsafe-timers", false, "run even if a timer is too short for --delta")
	})
	ui.Group(f, ui.Output, func(f *pflag.FlagSet) {
		f.StringVar(&s.log, "log", "", "append each step to this file, one JSON object per line")
		f.StringVar(&s.http, "http", "", "serve /healthz, /status, /metrics and /actions on this loopback address")
		f.StringSliceVar(&s.statusHost, "status-host", nil, "names that --http answers to, beside localhost and addresses of loopback")
		f.BoolVar(&s.json, "json", false, "report events on standard error as JSON")
	})
	f.Lookup("peers").DefValue, f.Lookup("timer").DefValue = "", ""
}

// complete makes a configuration of the settings.
func (s *settings) complete(known names.Table) (*options, error) {
	if s.algorithm == "" {
		return nil, ui.Hint(errors.New("mc node takes an algorithm"), "mc list shows the algorithms")
	}
	machine, err := known.Find(s.algorithm)
	if err != nil {
		return nil, err
	}
	o := &options{transport: s.transport, data: s.data, log: s.log, http: s.http, statusHost: s.statusHost, keyFile: s.keyFile, json: s.json}
	c := &o.node
	c.Machine, c.Delta, c.Bystander, c.Datagrams, c.UnsafeTimers = machine, s.delta, !s.initiator, s.datagrams, s.unsafeTimers
	if s.delta == 0 {
		return nil, ui.Hint(errors.New("--delta is 0: it must be positive"), "give an upper bound on message delay, as in --delta 100ms")
	}
	for _, read := range []func(*options) error{s.processes, s.network, s.timing} {
		if err := read(o); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// processes reads who there is.
func (s *settings) processes(o *options) (err error) {
	if s.id == "" {
		return ui.Hint(errors.New("--id is missing"), "each process has its own, from 1, as in --id 1")
	}
	if o.node.ID, err = process.ParseID(s.id); err != nil {
		return ui.Hint(fmt.Errorf("--id: %w", err), "each process has its own, from 1")
	}
	switch {
	case len(s.peers) == 0 && !s.alone:
		return ui.Hint(errors.New("--peers is missing"), "give the addresses of the others, as in --peers 2=127.0.0.1:7002, or --alone if there are none")
	case len(s.peers) > 0 && s.alone:
		return errors.New("--alone means that there are no --peers: leave one of them out")
	}
	o.addresses.Peers = map[spec.ID]string{}
	for _, key := range slices.Sorted(maps.Keys(s.peers)) {
		id, err := process.ParseID(key)
		if err != nil {
			return fmt.Errorf("--peers: %w", err)
		}
		if _, twice := o.addresses.Peers[id]; twice {
			return fmt.Errorf("--peers: process %v is there twice", id)
		}
		o.addresses.Peers[id] = s.peers[key]
	}
	if err := s.places(o); err != nil {
		return err
	}
	delete(o.addresses.Peers, o.node.ID) // so that one list may serve all processes
	n := len(o.addresses.Peers) + 1
	for id := range spec.UpTo(min(n, int(spec.MaxID))).Without(o.node.ID).All() {
		if o.addresses.Peers[id] == "" {
			return ui.Hint(fmt.Errorf("--peers: with process %v there are %d processes, and process %v is not among them", o.node.ID, n, id),
				"processes are numbered from 1, without gaps")
		}
	}
	if err := o.node.Machine.Traits().CheckN(n); err != nil {
		return fmt.Errorf("--peers: %w", err)
	}
	o.node.Ring, err = s.order(n)
	return err
}

// places refuses two processes at one address, and an entry for this one that
// is not where it listens.
func (s *settings) places(o *options) error {
	at := map[netip.AddrPort]spec.ID{place(s.listen): o.node.ID}
	for _, id := range slices.Sorted(maps.Keys(o.addresses.Peers)) {
		address := o.addresses.Peers[id]
		where := place(address)
		if id == o.node.ID && where != place(s.listen) && s.listen != "" {
			return ui.Hint(fmt.Errorf("--peers: this process, %v, is at %s there, and --listen says %s", id, address, s.listen), "make them the same, or leave it out of --peers")
		}
		if other, taken := at[where]; taken && other != id && where.IsValid() {
			return ui.Hint(fmt.Errorf("--peers: processes %v and %v are both at %s", min(id, other), max(id, other), address), "each process has an address of its own")
		}
		at[where] = id
	}
	return nil
}

// place returns where an address is, however it is spelled; none if it is no
// address, of which the transport tells.
func place(address string) netip.AddrPort {
	a, err := net.ResolveUDPAddr("udp", address)
	if err != nil {
		return netip.AddrPort{}
	}
	return netip.AddrPortFrom(a.AddrPort().Addr().Unmap(), a.AddrPort().Port())
}

// order returns the ring.
func (s *settings) order(n int) (ring []spec.ID, err error) {
	if s.ring == "" {
		return slices.Collect(spec.UpTo(n).All()), nil
	}
	if ring, err = process.ParseIDs(s.ring); err != nil {
		return nil, fmt.Errorf("--ring: %w", err)
	}
	if len(ring) != n {
		return nil, fmt.Errorf("--ring: %s names %d processes, and there are %d", s.ring, len(ring), n)
	}
	return ring, nil
}

// network reads how the processes reach each other.
func (s *settings) network(o *options) (err error) {
	switch {
	case s.transport != "udp" && s.transport != "tcp":
		return fmt.Errorf("--transport: %q is not one of udp, tcp", s.transport)
	case s.transport == "tcp" && s.datagrams:
		return ui.Hint(errors.New("--datagrams means nothing with --transport tcp"), "take --transport udp, or leave --datagrams out")
	case s.listen == "":
		return ui.Hint(errors.New("--listen is missing"), "give host:port, as in --listen 127.0.0.1:7001")
	case s.http != "" && !isLoopback(s.http):
		return ui.Hint(fmt.Errorf("--http: %q is not on loopback, and whoever can reach it could look", s.http), "give one as in 127.0.0.1:8001")
	case s.http == "" && s.statusHost != nil:
		return ui.Hint(errors.New("--status-host means nothing without --http"), "add --http 127.0.0.1:9101")
	case slices.ContainsFunc(s.statusHost, func(name string) bool { return !isHost(name) }):
		return ui.Hint(fmt.Errorf("--status-host: %q is not a list of names", strings.Join(s.statusHost, ",")), "give names without ports, as in --status-host metrics.example,proxy")
	case s.keyFile != "" && s.insecure:
		return errors.New("--insecure means nothing with --key-file: leave one of them out")
	}
	if o.node.Run, err = strconv.ParseUint(s.run, 0, 64); err != nil {
		return fmt.Errorf("--run: %q is not a number from 0 to 2^64-1", s.run)
	}
	if s.keyFile != "" {
		if o.node.Key, err = readKey(s.keyFile); err != nil {
			return err
		}
	}
	o.addresses.Listen, o.addresses.Open, o.addresses.Key = s.listen, s.insecure || s.keyFile != "", o.node.Key
	return nil
}

func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	ip := net.ParseIP(host)
	return err == nil && (host == "localhost" || ip != nil && ip.IsLoopback())
}

// timing reads durations, and the beginning of lock step.
func (s *settings) timing(o *options) (err error) {
	if o.node.Durations, err = process.ParseTimers(s.timers); err != nil {
		return err
	}
	if s.begin != "" {
		if o.node.Begin, err = time.Parse(time.RFC3339Nano, s.begin); err != nil {
			return ui.Hint(fmt.Errorf("--begin: %q is not a time", s.begin), "give one as in 2026-01-31T12:00:00Z")
		}
	}
	lockStep := o.node.Machine.Traits().Handles.Has(spec.Round)
	if lockStep && s.begin == "" {
		return ui.Hint(fmt.Errorf("%s runs in lock step, so all processes begin at the same moment", o.node.Machine.Traits().Name),
			"give each the same --begin, a moment ahead, as in 2026-01-31T12:00:00Z")
	}
	o.addresses.Silence = max(10*time.Second, 4*s.delta, 2*o.node.Durations["heartbeat"])
	return nil
}

// readFile reads the settings in the file; what the command line sets stays.
func (s *settings) readFile(f *pflag.FlagSet) error {
	text, err := yaml.ReadFile(s.file)
	if err != nil {
		return fmt.Errorf("--config %s: %w", s.file, err)
	}
	algorithm, err := readKeys(text, f)
	if err != nil {
		return yaml.Placed(s.file, err)
	}
	if s.algorithm == "" {
		s.algorithm = algorithm
	}
	return nil
}

// readKeys sets the flags that a file has keys for, and that are not set
// yet. It returns the algorithm.
func readKeys(text []byte, f *pflag.FlagSet) (algorithm string, err error) {
	root, err := yaml.Read(text)
	if err != nil {
		return "", err
	}
	if root.Kind != yaml.Mapping {
		return "", yaml.At(root.Line, "the file is a %s: write key: value", root.Kind)
	}
	for _, field := range root.Fields {
		if field.Key == "algorithm" {
			if field.Value.Kind != yaml.Scalar {
				return "", yaml.At(field.Value.Line, "algorithm is a %s: write one name", field.Value.Kind)
			}
			algorithm = field.Value.Text
			continue
		}
		flag := f.Lookup(field.Key)
		if flag == nil || field.Key == "config" || field.Key == "help" {
			return "", yaml.UnknownKey(field, "the file", keys(f))
		}
		value, err := settingText(field, flag)
		if err != nil {
			return "", err
		}
		if flag.Changed {
			continue
		}
		if err := f.Set(field.Key, value); err != nil {
			return "", yaml.At(field.Value.Line, "%s: %q is not a value it can have", field.Key, value)
		}
	}
	return algorithm, nil
}

func keys(f *pflag.FlagSet) []string {
	keys := []string{"algorithm"}
	f.VisitAll(func(flag *pflag.Flag) {
		if flag.Name != "config" && flag.Name != "help" {
			keys = append(keys, flag.Name)
		}
	})
	return keys
}

// settingText returns the value of a key as a flag takes it: a mapping for
// peers and timers, a list or one value for the ring and for names, one value for the rest.
func settingText(f yaml.Field, flag *pflag.Flag) (string, error) {
	switch {
	case flag.Value.Type() == "stringToString":
		if f.Value.Kind != yaml.Mapping {
			return "", yaml.At(f.Value.Line, "%s is a %s: write a line for each, as in 2: value", f.Key, f.Value.Kind)
		}
		var parts []string
		for _, field := range f.Value.Fields {
			if field.Value.Kind != yaml.Scalar || strings.ContainsAny(field.Key+field.Value.Text, "=,\"\n") {
				return "", yaml.At(field.Line, "%s: %s has a value that it cannot have: write one, without commas, quotes and equals signs", f.Key, field.Key)
			}
			parts = append(parts, field.Key+"="+field.Value.Text)
		}
		return strings.Join(parts, ","), nil
	case (f.Key == "ring" || flag.Value.Type() == "stringSlice") && f.Value.Kind == yaml.List:
		var parts []string
		for _, item := range f.Value.Items {
			if item.Kind != yaml.Scalar {
				return "", yaml.At(item.Line, "%s has a %s in its list: write one value a line", f.Key, item.Kind)
			}
			parts = append(parts, item.Text)
		}
		return strings.Join(parts, ","), nil
	case f.Value.Kind != yaml.Scalar:
		return "", yaml.At(f.Value.Line, "%s is a %s: write one value", f.Key, f.Value.Kind)
	case f.Value.Text == "":
		return "", yaml.At(f.Value.Line, "%s: its value is empty: leave the key out, or give it one", f.Key)
	}
	return f.Value.Text, nil
}
