package sweep

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"

	"interleave/cmd/mc/internal/ui"
	"interleave/model"
)

// The head of a lock file.
const (
	lockFormat  = "interleave lock"
	lockVersion = 1
)

// acceptHint stands beside what differs.
const acceptHint = "if this is meant, accept it with --update-lock"

// maxLockBytes bounds what is read of one.
const maxLockBytes = 16 << 20

// lock says how much there was to explore. A checker that by mistake explores less
// than before goes on to say that all holds; a lock makes it say so.
type lock struct {
	Format  string            `json:"format"`
	Version int               `json:"version"`
	Counts  map[string]counts `json:"counts"` // by algorithm and world

	text []byte // that was read
}

// counts is how much there was of one configuration. Without complete it was cut
// short, and the rest is 0, for it may depend on time and memory.
type counts struct {
	Complete    bool `json:"complete"`
	States      int  `json:"distinct_states"`
	Transitions int  `json:"transitions"`

	Assumes string `json:"assumes,omitempty"` // of existing code: the fields that are taken not to matter
}

func (c counts) String() string {
	if !c.Complete {
		return "not explored to the end"
	}
	text := fmt.Sprintf("%s, %s", ui.Count(c.States, "state"), ui.Count(c.Transitions, "transition"))
	if c.Assumes != "" {
		text += ", assuming that nothing depends on " + c.Assumes
	}
	return text
}

// readLock reads a lock. It is none, and no error, if there is no such file and it is
// going to be written.
func (o options) readLock() (*lock, error) {
	text, err := ui.ReadFile(o.lock, maxLockBytes+1)
	switch {
	case errors.Is(err, fs.ErrNotExist) && o.updateLock:
		return &lock{Format: lockFormat, Version: lockVersion, Counts: map[string]counts{}}, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, ui.Hint(fmt.Errorf("--lock: %s: %w", o.lock, err), "--update-lock writes it")
	case err != nil:
		return nil, fmt.Errorf("--lock: %s: %w", o.lock, err)
	}
	l, err := parseLock(text)
	if err != nil {
		return nil, ui.Hint(fmt.Errorf("--lock: %s: %w", o.lock, err), "name the lock; if this was one and is damaged, remove it and write it anew with --update-lock")
	}
	return l, nil
}

func parseLock(text []byte) (*lock, error) {
	if len(text) > maxLockBytes {
		return nil, fmt.Errorf("it is larger than %d MiB: no lock is", maxLockBytes>>20)
	}
	if len(text) == 0 {
		return nil, errors.New("it is not a lock of mc: it is empty")
	}
	l := &lock{text: text}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(l); err != nil {
		return nil, fmt.Errorf("it is not a lock of mc: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("it is not a lock of mc: something stands after its end")
	}
	switch {
	case l.Format != lockFormat:
		return nil, fmt.Errorf("it is not a lock of mc: its format is %q, not %q", l.Format, lockFormat)
	case l.Version != lockVersion:
		return nil, fmt.Errorf("it is a lock of version %d, and this program reads version %d", l.Version, lockVersion)
	case l.Counts == nil:
		return nil, errors.New("it has no counts")
	}
	return l, nil
}

// difference says of one configuration how what was explored differs from a lock.
type difference struct {
	Configuration string `json:"configuration"` // its key
	Why           string `json:"why"`

	line int // of the lock, where it speaks of the configuration; its first, if it does not
}

func (d difference) String() string { return d.Configuration + ": " + d.Why }

// line returns the line at which a lock speaks of a configuration; 1: it does not.
func (l *lock) line(key string) int {
	name, err := json.Marshal(key)
	before, _, found := bytes.Cut(l.text, append(name, ':'))
	if err != nil || !found {
		return 1
	}
	return 1 + bytes.Count(before, []byte("\n"))
}

// difference says how a result differs from a lock; nothing if it does not.
func (l *lock) difference(r result) string {
	switch was, ok := l.Counts[r.key()]; {
	case !ok:
		return fmt.Sprintf("it is not in the lock: %v", r.counts())
	case was != r.counts():
		return fmt.Sprintf("%v, and in the lock: %v", r.counts(), was)
	}
	return ""
}

// compare says how what was explored differs from a lock: of what was run, and, if the
// options leave no rows out, of what the lock has and the file no longer.
func (l *lock) compare(o *outcome) []difference {
	var out []difference
	in := map[string]bool{}
	for _, c := range o.cases {
		in[c.key()] = true
	}
	for _, r := range o.results {
		if r.lock != "" { // these come first
			out = append(out, difference{r.key(), r.lock, l.line(r.key())})
		}
	}
	if o.options.partial() {
		return out
	}
	for _, key := range slices.Sorted(maps.Keys(l.Counts)) {
		if !in[key] {
			out = append(out, difference{key, "it is in the lock, and not checked any more", l.line(key)})
		}
	}
	return out
}

// lockRoom is how many bytes of differences from a lock a document has room for.
const lockRoom = 512 << 10

// foremost returns the differences for which a document has room. If these are not all,
// a last one says how many there are besides.
func foremost(differences []difference) []difference {
	room := lockRoom
	for i, d := range differences {
		if room -= len(d.String()); room < 0 {
			more := ui.Count(len(differences)-i, "difference") + ", for which there is no room here"
			return append(slices.Clone(differences[:i]), difference{"more", more, 1})
		}
	}
	return differences
}

// part returns how much of the sweep is done, by the states that the lock says there are;
// nil if it does not say of all.
func (l *lock) part(o *outcome) func(states int) (done, of int64) {
	if l == nil {
		return nil
	}
	all := int64(0)
	until := []int64{0} // what is done when so many configurations are
	for _, c := range o.cases {
		known, ok := l.Counts[c.key()]
		if !ok || !known.Complete {
			return nil
		}
		all += int64(known.States)
		until = append(until, all)
	}
	return func(states int) (done, of int64) {
		at := len(o.results)
		return min(until[at]+int64(states), until[at+1]), all
	}
}

// partial reports whether the options leave out rows of the file.
func (o options) partial() bool { return o.quick || o.only != nil }

// accept takes what was explored into the lock, in place of what it said. It refuses two rows
// that come to one configuration and not to the same counts, as where one has a timeout: no
// lock is right for both.
func (l *lock) accept(o *outcome) error {
	first := map[string]result{}
	for _, r := range o.results {
		f, twice := first[r.key()]
		if twice && f.counts() != r.counts() {
			return ui.Hint(fmt.Errorf("--update-lock: %s: no lock is right for line %d and for line %d, which come to %s: %v, and %v", o.options.file, f.row.line, r.row.line, r.key(), f.counts(), r.counts()),
				"make one row of them, or give both the same limits and the same properties")
		}
		first[r.key()] = r
	}
	if !o.options.partial() && len(o.results) == len(o.cases) {
		clear(l.Counts)
	}
	for _, r := range o.results {
		l.Counts[r.key()] = r.counts()
	}
	return nil
}

// conclude tells how what was explored differs from the lock, or writes it.
func (l *lock) report(u *ui.UI, o *outcome) error {
	if o.options.updateLock {
		if o.failure != nil && !o.interrupted() {
			return nil
		}
		if err := l.accept(o); err != nil {
			return err
		}
		err := model.WriteFile(o.options.lock, func(w io.Writer) error {
			enc := json.NewEncoder(w)
			enc.SetIndent("", "  ")
			return enc.Encode(l)
		})
		if err != nil {
			return ui.Trouble(fmt.Errorf("--update-lock: %w", err))
		}
		fmt.Fprintf(u.Err, "mc: wrote %s to %s\n", ui.Count(len(l.Counts), "configuration"), o.options.lock)
		return nil
	}
	differences := o.differences
	if !o.options.json && !o.options.markdown { // what was checked has been told with the rest of it
		differences = differences[o.unlocked():]
	}
	for _, d := range differences {
		fmt.Fprintf(u.Err, "mc: %s %s\n", ui.Bad.Render("lock:"), d)
	}
	if len(o.differences) > 0 {
		fmt.Fprintf(u.Err, "mc: hint: %s\n", acceptHint)
	}
	return nil
}
