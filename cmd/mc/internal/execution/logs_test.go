package execution

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"interleave/cmd/mc/internal/ui"
)

// TestProgressOfReading: what is read of logs is told as it is read.
func TestProgressOfReading(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log")
	put(t, name, strings.Repeat("x", 1000))
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		logs, done, err := openLogs([]string{name}, ui.NewProgress(&ui.UI{Err: &out}).Reading)
		if err != nil {
			t.Fatal(err)
		}
		defer done()
		time.Sleep(10 * time.Second)
		if n, err := io.ReadFull(logs[0].Reader, make([]byte, 250)); n != 250 || err != nil {
			t.Fatal(n, err)
		}
		if want := "250 B of 1000 B read, about 30 s left"; !strings.Contains(out.String(), want) {
			t.Errorf("%q, not %q", out.String(), want)
		}
	})
}
