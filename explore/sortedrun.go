package explore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"syscall"

	"github.com/klauspost/compress/zstd"

	"interleave/internal/scratch"
)

// DiskError is an error in reading or writing what a search keeps on disk.
// Search returns it; a Graph panics with it.
type DiskError struct{ Err error }

func (e *DiskError) Error() string { return "the states on disk: " + e.Err.Error() }

// Unwrap returns the error of the file system.
func (e *DiskError) Unwrap() error { return e.Err }

// Full reports whether the error is that there is no room, on the disk or in a file.
func (e *DiskError) Full() bool {
	return slices.ContainsFunc([]error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG}, func(full error) bool { return errors.Is(e.Err, full) })
}

func onDisk(err error) error {
	if err == nil {
		return nil
	}
	return &DiskError{err}
}

// folder is where runs are kept: a new one, of this search alone. Nothing is read that another
// process wrote.
type folder struct {
	made  *scratch.Folder
	path  string
	zip   *zstd.Encoder
	unzip *zstd.Decoder
	block int   // bytes of a run that are compressed at once
	room  int64 // limit on bytes; 0: as many as the file system has
	names int   // used so far

	bytes, peak int64 // on disk, now and at most
}

func newFolder(within string, sc scale) (*folder, error) {
	made, err := scratch.NewFolder(within)
	if err != nil {
		return nil, onDisk(err)
	}
	f := &folder{made: made, path: made.Path, block: sc.block, room: sc.room}
	f.zip, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
		zstd.WithWindowSize(1<<16), zstd.WithLowerEncoderMem(true))
	if err != nil {
		panic("explore: the options of zstd: " + err.Error())
	}
	f.unzip, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderLowmem(true))
	if err != nil {
		panic("explore: the options of zstd: " + err.Error())
	}
	return f, nil
}

// remove removes the folder and all that is in it.
func (f *folder) remove() error {
	f.unzip.Close()
	return onDisk(f.made.Remove())
}

// run is a file of states in the order of their words, each once. So neighbours have much in
// common, and two runs are compared in one pass. Blocks are compressed one by one, and the first
// state of each is held in memory, so that looking up few states reads few blocks.
type run struct {
	name   string
	width  int
	block  int // states in each block except the last
	count  int
	firsts []uint64 // the first state of each block
	begins []int64  // where each block begins, and where the last one ends
	level  bool     // needed for paths, even if its states are in a larger run, too

	// If the packing has changed since, cursors yield states in the new one, but in the old order.
	repack Repack
	wide   int // words in a state of the new packing
}

func (r *run) blocks() int { return len(r.begins) - 1 }

// first returns the first state of a block.
func (r *run) first(block int) []uint64 { return r.firsts[block*r.width : (block+1)*r.width] }

// size returns how many bytes the run has on disk.
func (r *run) size() int64 { return r.begins[r.blocks()] }

// held returns how many bytes the run has in memory.
func (r *run) held() int64 { return int64(cap(r.firsts)+cap(r.begins)) * 8 }

// blockOf returns the last block, from a given one on, that does not begin after a state.
func (r *run) blockOf(words []uint64, from int) int {
	return from + sort.Search(r.blocks()-from-1, func(i int) bool { return compare(r.first(from+i+1), words) > 0 })
}

// runWriter writes a run.
type runWriter struct {
	folder *folder
	file   *os.File
	run    *run
	raw    []byte // the states of the current block
	zipped []byte
}

// make makes a run of the states that fill adds.
func (f *folder) make(width int, fill func(w *runWriter) error) (*run, error) {
	f.names++
	name := filepath.Join(f.path, strconv.Itoa(f.names))
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, onDisk(err)
	}
	w := &runWriter{folder: f, file: file, run: &run{name: name, width: width, block: max(1, f.block/8/width), begins: []int64{0}}}
	err = fill(w)
	if err == nil {
		err = w.flush()
	}
	if closed := file.Close(); err == nil {
		err = onDisk(closed)
	}
	if err != nil {
		f.drop(w.run)
		return nil, err
	}
	return w.run, nil
}

// add writes a state, which must be greater than those before.
func (w *runWriter) add(words []uint64) error {
	if len(w.raw) == 0 {
		w.run.firsts = append(w.run.firsts, words...)
	}
	for _, u := range words {
		w.raw = binary.BigEndian.AppendUint64(w.raw, u)
	}
	if w.run.count++; w.run.count%w.run.block == 0 {
		return w.flush()
	}
	return nil
}

func (w *runWriter) flush() error {
	if len(w.raw) == 0 {
		return nil
	}
	w.zipped = w.folder.zip.EncodeAll(w.raw, w.zipped[:0])
	w.raw = w.raw[:0]
	if room := w.folder.room; room > 0 && w.folder.bytes+int64(len(w.zipped)) > room {
		return onDisk(syscall.ENOSPC)
	}
	n, err := w.file.Write(w.zipped)
	w.run.begins = append(w.run.begins, w.run.size()+int64(n))
	w.folder.bytes += int64(n)
	w.folder.peak = max(w.folder.peak, w.folder.bytes)
	return onDisk(err)
}

// drop removes a run.
func (f *folder) drop(r *run) error {
	f.bytes -= r.size()
	return onDisk(os.Remove(r.name))
}

// cursor reads a run from the beginning to the end.
type cursor struct {
	folder *folder
	file   *os.File
	run    *run
	block  int    // the one read last
	zipped []byte // buffers
	raw    []byte
	states []uint64 // of that block
	width  int      // words in each of these
	at     int      // index in states
}

func (f *folder) open(r *run) (*cursor, error) {
	file, err := os.Open(r.name)
	if err != nil {
		return nil, onDisk(err)
	}
	c := &cursor{folder: f, file: file, run: r, width: r.width}
	if r.repack != nil {
		c.width = r.wide
	}
	if err := c.load(0); err != nil {
		file.Close()
		return nil, err
	}
	return c, nil
}

// openAll opens runs. After an error it returns the cursors opened before it.
func (f *folder) openAll(runs []*run) (cursors []*cursor, err error) {
	for _, r := range runs {
		c, err := f.open(r)
		if err != nil {
			return cursors, err
		}
		cursors = append(cursors, c)
	}
	return cursors, nil
}

func closeAll(cursors []*cursor) {
	for _, c := range cursors {
		c.close()
	}
}

func (c *cursor) close() { c.file.Close() }

// words returns the current state; nil at the end.
func (c *cursor) words() []uint64 {
	if c.at >= len(c.states) {
		return nil
	}
	return c.states[c.at : c.at+c.width]
}

// next moves to the next state.
func (c *cursor) next() error {
	if c.at += c.width; c.at < len(c.states) {
		return nil
	}
	return c.load(c.block + 1)
}

// seek moves forward to the first state that is not less than the given one.
func (c *cursor) seek(words []uint64) error {
	if c.at >= len(c.states) {
		return nil
	}
	if next := c.block + 1; next < c.run.blocks() && compare(c.run.first(next), words) <= 0 {
		if err := c.load(c.run.blockOf(words, next)); err != nil {
			return err
		}
	}
	for c.at < len(c.states) && compare(c.states[c.at:c.at+c.width], words) < 0 {
		c.at += c.width
	}
	if c.at < len(c.states) {
		return nil
	}
	return c.load(c.block + 1)
}

// load reads a block. Past the last one there are no states.
func (c *cursor) load(block int) (err error) {
	c.block, c.at, c.states = block, 0, c.states[:0]
	if block >= c.run.blocks() {
		return nil
	}
	begin, end := c.run.begins[block], c.run.begins[block+1]
	c.zipped = sized(c.zipped, int(end-begin))
	if _, err := c.file.ReadAt(c.zipped, begin); err != nil {
		return onDisk(err)
	}
	if c.raw, err = c.folder.unzip.DecodeAll(c.zipped, c.raw[:0]); err != nil {
		return onDisk(fmt.Errorf("read %s: %w", c.run.name, err))
	}
	states := min(c.run.block, c.run.count-block*c.run.block)
	if len(c.raw) != states*c.run.width*8 {
		return onDisk(fmt.Errorf("read %s: a block of %d bytes, not %d", c.run.name, len(c.raw), states*c.run.width*8))
	}
	c.states = sized(c.states, states*c.run.width)
	for i := range c.states {
		c.states[i] = binary.BigEndian.Uint64(c.raw[i*8:])
	}
	if c.run.repack != nil {
		c.repack(states)
	}
	return nil
}

// repack puts the states that were read into the new packing.
func (c *cursor) repack(states int) {
	old, width := c.states, c.run.width
	c.states = make([]uint64, states*c.width)
	for n := range states {
		c.run.repack(c.states[n*c.width:(n+1)*c.width], old[n*width:(n+1)*width])
	}
}

// seekAll has cursors seek a state, and reports whether one of them found it.
func seekAll(cursors []*cursor, words []uint64) (found bool, err error) {
	for _, c := range cursors {
		if err := c.seek(words); err != nil {
			return false, err
		}
		found = found || c.words() != nil && equal(c.words(), words)
	}
	return found, nil
}

// merge yields the states of some runs in order, each once. Now and then it calls look, and ends
// if that returns an error.
func (f *folder) merge(runs []*run, look func() error, yield func(words []uint64) error) error {
	cursors, err := f.openAll(runs)
	defer func() { closeAll(cursors) }()
	if err != nil {
		return err
	}
	for n := 1; ; n++ {
		least := leastOf(cursors)
		if least == nil {
			return nil
		}
		if err := yield(least.words()); err != nil {
			return err
		}
		if err := passAll(cursors, least); err != nil {
			return err
		}
		if n%lookStates == 0 {
			if err := look(); err != nil {
				return err
			}
		}
	}
}

// lookStates is how many states are merged between looks at the context.
const lookStates = 1 << 16

// leastOf returns the first cursor at the least state; nil if all are at the end.
func leastOf(cursors []*cursor) (least *cursor) {
	for _, c := range cursors {
		if w := c.words(); w != nil && (least == nil || compare(w, least.words()) < 0) {
			least = c
		}
	}
	return least
}

// passAll moves those cursors on that are at the same state as the given one.
func passAll(cursors []*cursor, at *cursor) error {
	for _, c := range cursors {
		if w := c.words(); c != at && w != nil && equal(w, at.words()) {
			if err := c.next(); err != nil {
				return err
			}
		}
	}
	return at.next()
}

// union writes one run of all states of some runs of the same width.
func (f *folder) union(width int, runs []*run, look func() error) (*run, error) {
	return f.make(width, func(w *runWriter) error { return f.merge(runs, look, w.add) })
}

// find returns the place of a state that is in a run, which is in order.
func (f *folder) find(r *run, words []uint64) (int, error) {
	c, err := f.open(r)
	if err != nil {
		return 0, err
	}
	defer c.close()
	if err := c.seek(words); err != nil {
		return 0, err
	}
	if c.words() == nil || !equal(c.words(), words) {
		return 0, onDisk(fmt.Errorf("read %s: a state is not there any more", r.name))
	}
	return c.block*r.block + c.at/r.width, nil
}

// at returns the state at a place in a run.
func (f *folder) at(r *run, place int) ([]uint64, error) {
	c, err := f.open(r)
	if err != nil {
		return nil, err
	}
	defer c.close()
	if err := c.load(place / r.block); err != nil {
		return nil, err
	}
	c.at = place % r.block * c.width
	return c.words(), nil
}

// numbered yields the states of a run, numbered from lo on. It panics if the
// run cannot be read.
func (f *folder) numbered(r *run, lo int) iter.Seq2[int, []uint64] {
	return func(yield func(int, []uint64) bool) {
		c, err := f.open(r)
		for ; err == nil && c.words() != nil && yield(lo, c.words()); lo++ {
			err = c.next()
		}
		if c != nil {
			c.close()
		}
		if err != nil {
			panic(err)
		}
	}
}
