package explorer

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// tab is a page in a headless Chromium that notes what it should not do.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu   sync.Mutex
	told []string // errors, and requests to others
}

// closeBrowser ends the browser, if one began.
var closeBrowser = func() {}

var theBrowser = sync.OnceValues(func() (context.Context, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "headless-shell"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.WindowSize(1400, 900))
		ctx, _ := chromedp.NewExecAllocator(context.Background(), options...)
		ctx, _ = chromedp.NewContext(ctx)
		closeBrowser = func() { _ = chromedp.Cancel(ctx) }
		return ctx, chromedp.Do(ctx)
	}
	return nil, fmt.Errorf("no chromium on the PATH: install it (apt-get install chromium), and the pages are tested")
})

func TestMain(m *testing.M) {
	status := m.Run()
	closeBrowser()
	os.Exit(status)
}

// open opens an address in a tab of its own. It may ask the given origin only.
func open(t *testing.T, address string) *tab {
	t.Helper()
	browser, err := theBrowser()
	if browser == nil {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := chromedp.NewContext(browser)
	ctx, cancelTime := context.WithTimeout(ctx, 5*time.Minute)
	b := &tab{t: t, ctx: ctx}
	own, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	err = chromedp.Listen(ctx, func(event any) {
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			if to, err := url.Parse(e.Request.URL); err != nil || to.Host != own.Host && to.Scheme != "data" {
				b.note("it asks " + e.Request.URL)
			}
		case *runtime.EventExceptionThrown:
			b.note(fmt.Sprintf("script: %s %+v", e.ExceptionDetails.Text, e.ExceptionDetails.Exception))
		case *cdplog.EventEntryAdded:
			if e.Entry.Level == cdplog.EntryLevelError {
				b.note("console: " + e.Entry.Text)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancelTime()
		cancel()
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, text := range b.told {
			t.Error(text)
		}
	})
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, cdplog.Enable, cdp.Empty{}); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.Navigate(address))
	b.until(`document.querySelector("main") !== null`)
	return b
}

func (b *tab) note(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.told = append(b.told, text)
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.fail(err.Error())
	}
}

func (b *tab) fail(why string) {
	b.t.Helper()
	b.shoot("failed-" + b.t.Name())
	b.t.Fatalf("%s\nat %s the page says:\n%s", why, b.address(), b.text("body"))
}

// value evaluates an expression in the page.
func value[T any](b *tab, expression string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// until waits until an expression is true. The page's own policy forbids to wait there.
func (b *tab) until(expression string) {
	b.t.Helper()
	b.wait(expression, func() bool { return value[bool](b, expression) })
}

// wait does something until it succeeds.
func (b *tab) wait(what string, done func() bool) {
	b.t.Helper()
	for began := time.Now(); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			b.fail("in vain it was waited for " + what)
		}
	}
}

// click moves the mouse to an element and clicks. What it is meant for may move away just
// then, as a page does that is still being laid out; so it is done until it is hit.
func (b *tab) click(selector string) {
	b.t.Helper()
	b.wait("a click on "+selector, func() bool {
		at := value[[]float64](b, fmt.Sprintf(`(() => {
			const e = document.querySelector(%q);
			if (e === null) return [];
			window.hit = false;
			document.addEventListener("click", c => window.hit = c.target.closest(%[1]q) !== null, { capture: true, once: true });
			e.scrollIntoView({ block: "nearest", inline: "nearest" });
			const r = e.getBoundingClientRect();
			return [r.left + r.width / 2, r.top + r.height / 2];
		})()`, selector))
		if len(at) == 0 {
			return false
		}
		b.do(chromedp.MouseClickXY(at[0], at[1]))
		return value[bool](b, "window.hit")
	})
}

func (b *tab) press(keys string) { b.t.Helper(); b.do(chromedp.KeyEvent(keys)) }

func (b *tab) text(selector string) string {
	return value[string](b, fmt.Sprintf("(document.querySelector(%q)?.innerText ?? document.querySelector(%[1]q)?.textContent ?? '').replace(/\\s+/g, ' ')", selector))
}

// shows waits until an element says something.
func (b *tab) shows(selector, text string) {
	b.t.Helper()
	b.until(fmt.Sprintf("(document.querySelector(%q)?.innerText ?? document.querySelector(%[1]q)?.textContent ?? '').replace(/\\s+/g, ' ').includes(%[2]q)", selector, text))
}

func (b *tab) address() string {
	return value[string](b, "location.href")
}

// shoot takes a picture, if a folder for them is named.
func (b *tab) shoot(name string) {
	dir := os.Getenv("EXPLORER_PICTURES")
	if dir == "" {
		return
	}
	time.Sleep(200 * time.Millisecond) // for what is on its way
	picture, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Logf("no picture: %v", err)
		return
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o644); err != nil {
		b.t.Error(err)
	}
}

func (b *tab) dark() {
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}})
	if err != nil {
		b.t.Fatal(err)
	}
}

func (b *tab) size(width, height int64) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(width, height))
	b.until(fmt.Sprint("innerWidth === ", width))
}

// knows waits until what may happen in the state is known.
func (b *tab) knows() { b.t.Helper(); b.until(`document.querySelector("#next")?.ariaBusy === "false"`) }
