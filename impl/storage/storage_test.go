package storage

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// disk is a folder whose machine can lose its power: what was not synced may
// then be there, be there in part, or not be there.
type disk struct {
	present map[string][]byte // as programs see it
	names   map[string]string // names that a loss of power leaves, and the file that each leads to
	files   map[string][]byte // files by an identity of their own, as they are
	synced  map[string][]byte // and as a loss of power leaves them
	next    int
	left    int // operations until the power fails; negative: never
}

var errPower = errors.New("the power failed")

func newDisk() *disk {
	return &disk{present: map[string][]byte{}, names: map[string]string{}, files: map[string][]byte{}, synced: map[string][]byte{}, left: -1}
}

// inode returns the identity of the file that a program sees under a name.
func (d *disk) inode(name string) string { return string(d.present[name]) }

func (d *disk) operation() error {
	if d.left == 0 {
		return errPower
	}
	d.left--
	return nil
}

func (d *disk) Read(name string) ([]byte, error) {
	if d.present[name] == nil {
		return nil, fs.ErrNotExist
	}
	return d.files[d.inode(name)], nil
}

func (d *disk) Write(name string, b []byte) error {
	if err := d.operation(); err != nil {
		return err
	}
	if d.present[name] == nil {
		d.next++
		d.present[name] = []byte(strconv.Itoa(d.next))
	}
	d.files[d.inode(name)] = bytes.Clone(b)
	return nil
}

func (d *disk) Sync(name string) error {
	if err := d.operation(); err != nil {
		return err
	}
	d.synced[d.inode(name)] = bytes.Clone(d.files[d.inode(name)])
	return nil
}

func (d *disk) Rename(from, to string) error {
	if err := d.operation(); err != nil {
		return err
	}
	d.present[to] = d.present[from]
	delete(d.present, from)
	return nil
}

func (d *disk) SyncFolder() error {
	if err := d.operation(); err != nil {
		return err
	}
	d.names = map[string]string{}
	for name, inode := range d.present {
		d.names[name] = string(inode)
	}
	return nil
}

// boots returns what the folder may look like after the power failed: names as
// last synced or as they were seen; the contents of files that were not synced
// whole, cut, empty or as before.
func (d *disk) boots() []*disk {
	seen := map[string]string{}
	for name, inode := range d.present {
		seen[name] = string(inode)
	}
	var out []*disk
	for _, names := range []map[string]string{d.names, seen} {
		for _, keep := range []func(inode string) []byte{
			func(inode string) []byte { return d.synced[inode] },
			func(inode string) []byte { return d.files[inode] },
			func(inode string) []byte {
				if bytes.Equal(d.synced[inode], d.files[inode]) {
					return d.files[inode]
				}
				return d.files[inode][:len(d.files[inode])/2]
			},
		} {
			boot := newDisk()
			boot.next = d.next
			for name, inode := range names {
				boot.present[name], boot.names[name] = []byte(inode), inode
				boot.files[inode] = keep(inode)
				boot.synced[inode] = boot.files[inode]
			}
			out = append(out, boot)
		}
	}
	return out
}

func memory(incarnation uint32) Memory {
	return Memory{Algorithm: "ble/mended", Process: 3, Incarnation: incarnation, State: json.RawMessage(fmt.Sprintf(`{"N":%d}`, incarnation))}
}

// TestPowerFails: wherever the power fails while memories are saved, the last one whose
// Save returned is found, or the one that was being saved.
func TestPowerFails(t *testing.T) {
	found := map[uint32]bool{}
	for left := range 13 {
		d := newDisk()
		s := &Folder{folder: "disk", files: d}
		saved := uint32(0)
		d.left = left
		var err error
		for err == nil && saved < 3 {
			if err = s.Save(memory(saved + 1)); err == nil {
				saved++
			}
		}
		if (err == nil) != (left >= 12) || err != nil && !errors.Is(err, errPower) {
			t.Fatalf("after %d operations: %v", left, err)
		}
		for _, boot := range d.boots() {
			m, err := (&Folder{folder: "disk", files: boot}).Load()
			if err != nil {
				t.Fatalf("after %d operations, with %d saved: %v", left, saved, err)
			}
			if m.Incarnation < saved || m.Incarnation > saved+1 {
				t.Fatalf("after %d operations, with %d saved: number %d is found", left, saved, m.Incarnation)
			}
			if m.Incarnation > 0 && string(m.State) != string(memory(m.Incarnation).State) {
				t.Fatalf("number %d has the state %s", m.Incarnation, m.State)
			}
			found[m.Incarnation] = true
			again := &Folder{folder: "disk", files: boot}
			if err := again.Save(memory(9)); err != nil {
				t.Fatal(err)
			}
			if m, err := again.Load(); err != nil || m.Incarnation != 9 {
				t.Fatalf("saved after that: %+v, %v", m, err)
			}
		}
	}
	if got := len(found); got != 4 {
		t.Errorf("only %v were found", found)
	}
}

// TestTorn: a file that is cut anywhere, or altered in any byte, is told from a
// memory, and the error says what to do.
func TestTorn(t *testing.T) {
	whole, err := formatMemory(memory(7))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	s, err := Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	refused := func(b []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, memoryFile), b, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := s.Load()
		if !errors.Is(err, ErrMemory) || !strings.Contains(err.Error(), filepath.Join(folder, memoryFile)) {
			t.Fatalf("%q: %v", b, err)
		}
	}
	for i := range whole {
		refused(whole[:i])
		altered := bytes.Clone(whole)
		altered[i] ^= 0x20
		refused(altered)
	}
	altered := bytes.Clone(whole)
	altered[len(altered)-2] ^= 1
	if _, err := parseMemory(altered); err == nil || !strings.Contains(err.Error(), "its checksum is wrong") {
		t.Error(err)
	}
	refused(append(bytes.Clone(whole), '\n'))
	refused([]byte("version: 1\n"))
	refused(bytes.Repeat([]byte("x"), maxMemory+1))
}

// TestLock: two processes do not share a folder.
func TestLock(t *testing.T) {
	folder := t.TempDir()
	s, err := Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(folder); err == nil || !strings.Contains(err.Error(), "another process uses it") {
		t.Error(err)
	}
	s.Close()
	if s, err = Open(folder); err != nil {
		t.Fatal(err)
	}
	s.Close()
}

// TestFolderIsThere: a folder that is made outlives a crash of the machine: the
// one above it is synced, and so on up to the first that was there before.
func TestFolderIsThere(t *testing.T) {
	top := t.TempDir()
	for _, c := range []struct {
		folder string
		synced []string
	}{
		{"a/b/c", []string{"a/b", "a", "."}}, {"a/b/c", nil}, {"a/d", []string{"a"}}, {"e", []string{"."}}, {".", nil},
	} {
		var synced, want []string
		err := makeFolder(filepath.Join(top, c.folder), func(folder string) error {
			synced = append(synced, folder)
			return nil
		})
		for _, folder := range c.synced {
			want = append(want, filepath.Join(top, folder))
		}
		if err != nil || !slices.Equal(synced, want) {
			t.Errorf("%s: synced %v, want %v: %v", c.folder, synced, want, err)
		}
	}
	broken := errors.New("the disk is gone")
	if err := makeFolder(filepath.Join(top, "f"), func(string) error { return broken }); err != broken {
		t.Error(err)
	}
	if err := makeFolder(filepath.Join(top, "g"), syncFolder); err != nil {
		t.Error(err)
	}
}

// saver is the environment variable that makes this test program save memories
// into a folder until it is killed, and say each number when it is saved.
const saver = "INTERLEAVE_TEST_SAVER"

// TestMain saves memories if it is to, and runs the tests otherwise.
func TestMain(m *testing.M) {
	if folder := os.Getenv(saver); folder != "" {
		saveForever(folder)
	}
	os.Exit(m.Run())
}

func saveForever(folder string) {
	s, err := Open(folder)
	if err != nil {
		panic(err)
	}
	m, err := s.Load()
	if err != nil {
		panic(err)
	}
	for i := m.Incarnation + 1; ; i++ {
		if err := s.Save(memory(i)); err != nil {
			panic(err)
		}
		fmt.Println(i)
	}
}

// TestKill: a process that is killed while it saves, at no chosen moment, leaves
// what it saved last, or what it was saving.
func TestKill(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts programs")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	last := uint64(0)
	for k := range 20 {
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), saver+"="+folder)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for n := 0; lines.Scan(); n++ {
			if last, err = strconv.ParseUint(lines.Text(), 10, 32); err != nil {
				t.Fatal(err)
			}
			if n == 5+k {
				cmd.Process.Kill() // what it says until it is dead is read all the same
			}
		}
		cmd.Wait()
		s, err := Open(folder)
		if err != nil {
			t.Fatal(err)
		}
		m, err := s.Load()
		if err != nil || uint64(m.Incarnation) != last && uint64(m.Incarnation) != last+1 {
			t.Fatalf("kill %d: after %d was saved, %d is found: %v", k, last, m.Incarnation, err)
		}
		s.Close()
	}
}

func FuzzMemory(f *testing.F) {
	whole, err := formatMemory(memory(7))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:40])
	f.Add([]byte(memoryMagic + " \n{}"))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := parseMemory(b)
		if err != nil {
			if !errors.Is(err, ErrMemory) {
				t.Error(err)
			}
			return
		}
		if again, err := formatMemory(m); err != nil || !bytes.Equal(again, b) {
			t.Errorf("%q is read, and written as %q: %v", b, again, err)
		}
	})
}

// BenchmarkSave is what a change of stable state costs.
func BenchmarkSave(b *testing.B) {
	s, err := Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	for i := range b.N {
		if err := s.Save(memory(uint32(i))); err != nil {
			b.Fatal(err)
		}
	}
}
