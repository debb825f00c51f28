package explorer

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"interleave/internal/testsize"
	"interleave/model"
	"interleave/model/picture"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/twophasecommit"
)

const current = `[aria-current="step"]`

// TestBrowserTrace reads a trace as somebody does who wants to know why there are two
// leaders: step by step, by mouse and by keys.
func TestBrowserTrace(t *testing.T) {
	t.Parallel()
	s := serve(t, twoLeaders(t))
	b := open(t, s.URL())
	b.shows(".banner", "one-leader is false after 3 steps: processes 1 and 3 both follow themselves")
	b.shows(current, "process 3 notice ✗ one-leader")
	b.shows(current, "★ leads")
	b.shows(`[data-property="one-leader"]`, "processes 1 and 3 both follow themselves")
	if address := b.address(); strings.Contains(address, s.token) {
		t.Errorf("the token stays in the address %s", address)
	}
	b.shoot("table")
	b.click("#back")
	b.shows(current, "timeout T_ok")
	b.shows(current, "Δ Leader none → 1")
	b.press(kb.ArrowLeft)
	b.shows(current, "process 1 notice")
	b.shows("aside", "timeout T_ok: it is not armed") // of process 2
	b.shows("aside", "crash: the world allows no crash")
	b.press(kb.Home)
	b.shows(".where", "the beginning of 3")
	b.press(kb.End)
	b.shows(".where", "step 3 of 3")
	if heights := value[[]int](b, `[...document.querySelectorAll("[data-step]")].map(r => r.offsetHeight)`); len(heights) != 4 || heights[1] >= heights[2] {
		t.Errorf("the rows are so high: %v, and step 1 changes less than step 2", heights)
	}
	b.click(`[data-step="2"]`)
	b.shows(".where", "step 2 of 3")
	b.press("d")
	b.shows(".diagram", "COORDINATOR")
	b.shoot("diagram")
	b.click(`[data-event="0"]`)
	b.shows(".where", "step 1 of 3")
}

// TestBrowserFork leaves the trace, goes on by keys, undoes it, and comes back by an
// address in another tab.
func TestBrowserFork(t *testing.T) {
	t.Parallel()
	s := serve(t, twoLeaders(t))
	b := open(t, s.URL())
	b.shows(".where", "step 3 of 3")
	b.click("#back")
	b.click("#back")
	b.shows("aside h2", "Step 1")
	b.knows()
	b.shows(".choices", "the run takes it")
	other := value[int](b, `[...document.querySelectorAll(".choice")].findIndex(c => c.innerText.includes("process 3: receive ELECTION from 1"))`)
	b.click(fmt.Sprintf(`[data-choice="%d"]`, other))
	b.shows(current, "receive ELECTION from 1")
	b.shows(current+" .fork", "your choice")
	b.shows("#undo", "1 of your own")
	b.shows(".where", "step 2 of 2")
	b.shows("aside h2", "Step 2")
	b.knows()
	b.press("1")
	b.shows(".where", "step 3 of 3")
	b.knows()
	forked := b.address()
	state := b.text("aside")
	if !strings.Contains(forked, fmt.Sprintf("choices=%d.0", other)) {
		t.Errorf("the address is %s", forked)
	}
	same := open(t, forked) // without a token: the browser knows it
	same.shows("#undo", "2 of your own")
	same.shows(".where", "step 3 of 3")
	same.knows()
	if got := same.text("aside"); got != state {
		t.Errorf("the address leads to\n%s\nnot\n%s", got, state)
	}
	b.press("u")
	b.shows("#undo", "1 of your own")
	b.press("u")
	b.shows(".where", "step 1 of 3")
	b.shows(".banner", "one-leader is false")
	b.do(chromedp.NavigateBack())
	b.shows("#undo", "1 of your own")
}

// TestBrowserWhyNot begins with nothing, and is told why a timer does not expire.
func TestBrowserWhyNot(t *testing.T) {
	t.Parallel()
	s := serve(t, Subject{Name: "bully/published", Machine: bully.Published, Config: model.Config{N: 3}})
	b := open(t, s.URL())
	b.knows()
	if where := b.text(".where"); where != "the beginning" {
		t.Errorf("of a run of no steps: %s", where)
	}
	b.click(`[data-choice="0"]`)
	b.shows(current, "process 1 notice")
	b.knows()
	b.shows(".disabled", "timeout T_ok: what it waits for may still come: ELECTION from 1 is on its way to 2")
}

// TestBrowserCheck starts a check that would take hours, sees it get on, and stops it.
// Then it runs a small one, and opens the counterexample that it finds.
func TestBrowserCheck(t *testing.T) {
	t.Parallel()
	s := serve(t, Subject{Name: "large", Machine: bully.Mended, Config: model.Config{N: 6, Crashes: 2, Network: model.Set, Split: true}},
		Subject{Name: "small", Machine: bully.Published, Config: model.Config{N: 3, Crashes: 1, Split: true, Network: model.Set}})
	b := open(t, s.URL()+"&view=check")
	b.click("#start")
	b.until(`Number(document.querySelector("#states")?.innerText.replaceAll(",", "")) > 5000`)
	b.shoot("check-running")
	b.click("#stop")
	b.shows("#verdict", "INCONCLUSIVE")
	if st := asks[CheckStatus](t, s, "/api/check", which{}); st.Running {
		t.Error("it goes on after it was stopped")
	}
	value[bool](b, `(() => { const s = document.querySelector('select[aria-label="Run"]'); s.value = "1"; return s.dispatchEvent(new Event("change", { bubbles: true })); })()`)
	b.shows("header", "bully/published")
	b.click("#start")
	b.shows("#verdict", "VIOLATED")
	b.shows(".coverage", "timeout T_ok")
	b.shoot("check-done")
	b.click(`[data-show="agreement"]`)
	b.shows(".banner", "agreement is false")
	b.shows(current, "✗ agreement")
}

// TestBrowserNeverFired: what never happens is marked in words.
func TestBrowserNeverFired(t *testing.T) {
	t.Parallel()
	s := serve(t, Subject{Name: "quiet", Machine: bully.Mended, Config: model.Config{N: 2, Initiators: model.Initiators{Only: 2}}})
	b := open(t, s.URL()+"&view=check")
	b.click("#start")
	b.shows("#verdict", "VERIFIED")
	b.shows(".never", "⚠ never happens, though this world allows it")
}

// TestBrowserLateAnswer: an answer from before the check began does not hide the check.
func TestBrowserLateAnswer(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, Subject{Name: "bully", Machine: bully.Mended, Config: model.Config{N: 2}}).URL())
	value[bool](b, `(() => {
		const now = window.fetch;
		const later = new Promise(go => window.late = go);
		window.fetch = async (address, o) => {
			const answer = await now(address, o);
			if (address === "api/check" && !window.asked) { window.asked = true; await later; window.came = true; }
			return answer;
		};
		return true;
	})()`)
	b.click("#tab-check")
	b.until("window.asked === true")
	b.click("#start")
	b.shows("#verdict", "VERIFIED")
	value[bool](b, "(window.late(), true)")
	b.until("window.came === true")
	time.Sleep(100 * time.Millisecond) // for the page to show what came
	b.shows("#verdict", "VERIFIED")
	b.shows("#start", "Check again")
}

// TestBrowserClickAtOnce: how the check stands is asked before there is a button to begin it. Asked
// later, the answer might be from before it began, and hide it.
func TestBrowserClickAtOnce(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, Subject{Name: "bully", Machine: bully.Mended, Config: model.Config{N: 2}}).URL())
	value[bool](b, `(() => {
		const now = window.fetch;
		window.order = [];
		window.fetch = (address, o) => {
			if (address.startsWith("api/check")) window.order.push(address);
			return now(address, o);
		};
		const watch = new MutationObserver(() => {
			const start = document.querySelector("#start");
			if (start) { watch.disconnect(); start.click(); }
		});
		watch.observe(document.body, { childList: true, subtree: true });
		return true;
	})()`)
	b.click("#tab-check")
	b.shows("#verdict", "VERIFIED")
	if order := value[string](b, "window.order.slice(0, 2).join()"); order != "api/check,api/check/start" {
		t.Errorf("it is asked for %s", order)
	}
}

// TestBrowserStates goes to a state by its place in the graph.
func TestBrowserStates(t *testing.T) {
	testsize.Test(t)
	t.Parallel()
	s := serve(t, Subject{Name: "bully", Machine: bully.Published, Config: model.Config{N: 2, Crashes: 1}}, Subject{Name: "large", Machine: bully.Mended, Config: model.Config{N: 3, Crashes: 1, Split: true}})
	b := open(t, s.URL()+"&view=states")
	b.shows("h2", "All 27 states")
	b.shoot("states")
	b.click(`[data-node="9"]`)
	b.shows(".where", "of")
	want := asks[Graph](t, s, "/api/graph", atQuestion{}).Nodes[9].Place.Choices
	if address := b.address(); !strings.Contains(address, "choices="+strings.ReplaceAll(strings.Trim(fmt.Sprint(want), "[]"), " ", ".")) {
		t.Errorf("the state %v is at %s", want, address)
	}
	large := open(t, "http://"+s.hosts[0]+"/#run=1&choices=0.0.1&view=states&at=3")
	large.shows("h2", "Around this state")
	large.shows(".depths", "States")
	large.size(400, 850)
	large.press("t")
	large.press("s")
	large.shows("h2", "Around this state")
	large.until(`(() => {
		const box = document.querySelector(".graph-box").getBoundingClientRect(), here = document.querySelector(".node.here").getBoundingClientRect();
		return box.left <= here.left && here.right <= box.right && box.top <= here.top && here.bottom <= box.bottom;
	})()`)
	large.shoot("around")
}

// TestBrowserNoted: what does not count turns false quietly, and counts where it was
// asked for.
func TestBrowserNoted(t *testing.T) {
	t.Parallel()
	c := model.Config{N: 2, Crashes: 1}
	report, err := properties.Verify(t.Context(), bully.Published, c, []properties.Property{election.LeaderIsTop}, properties.Options{Engine: properties.Explicit})
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, Subject{Name: "bully", Machine: bully.Published, Config: c}, Subject{Name: "asked.json", Machine: bully.Published, Trace: report.Findings[0].Trace})
	var choices []int // to a state in which it is false
	for _, n := range asks[Graph](t, s, "/api/graph", atQuestion{}).Nodes {
		if slices.Contains(n.False, "leader-is-top") {
			t.Errorf("the state %v is marked, and leader-is-top does not count", n.Place)
		}
		v := asks[viewed](t, s, "/api/view", n.Place)
		lit := slices.IndexFunc(v.Properties, func(p Statement) bool { return p.Name == "leader-is-top" })
		if choices == nil && v.Valuations[v.Rows[n.Depth].Valuation[lit]].Says == isFalse {
			choices = n.Place.Choices
		}
	}
	b := open(t, s.URL()+"&choices="+strings.ReplaceAll(strings.Trim(fmt.Sprint(choices), "[]"), " ", ".")+fmt.Sprint("&at=", len(choices)))
	b.shows(".turned .quiet", "✗ leader-is-top")
	b.shows(`.noted[data-property="leader-is-top"]`, "does not count")
	b.until(`!document.querySelector(".blamed")`)
	b.shoot("noted")
	asked := open(t, "http://"+s.hosts[0]+"/#run=1")
	asked.shows(current+" .turned", "✗ leader-is-top")
	asked.until(`!document.querySelector(".turned .quiet, .noted")`)
	asked.shows("select", "asked.json, 3 steps")
}

// TestBrowserCompare: two traces side by side.
func TestBrowserCompare(t *testing.T) {
	t.Parallel()
	s := serve(t, twoLeaders(t), cycle(t))
	b := open(t, s.URL()+"&view=compare")
	b.shows(".compare.both", "the beginning")
	b.shows(".compare.left", "timeout T_ok")
	b.shows(".compare.right", "process 2: notice")
	b.shows(`[data-pair="1"]`, "2: ✉ ELECTION[1] from 1 – | on its way") // the last of seven differences
	b.shoot("compare")
}

// TestBrowserLasso: an infinite run is drawn as a loop, with why it is fair.
func TestBrowserLasso(t *testing.T) {
	t.Parallel()
	s := serve(t, cycle(t))
	b := open(t, s.URL()+"&view=diagram")
	b.shows(".diagram .loop", "forever ↻")
	b.shows(".foot", "And again from step 5, forever, which is fair")
	b.shows(".foot", "happens in step 5")
	b.shoot("lasso")
	b.press("t")
	b.shows(current, "↻")
}

// fill writes into an input, as somebody types.
func (b *tab) fill(selector, text string) {
	b.t.Helper()
	b.until(fmt.Sprintf("document.querySelector(%q) !== null", selector))
	value[bool](b, fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.value = %q; return e.dispatchEvent(new Event("input", { bubbles: true })); })()`, selector, text))
}

// TestBrowserWorld changes the number of processes and the crashes, is refused, and goes back.
func TestBrowserWorld(t *testing.T) {
	t.Parallel()
	subject := twoLeaders(t)
	subject.Axes = []Axis{{Name: "n", Help: "number of processes"}, {Name: "crashes"}, {Name: "network"}}
	s := serve(t, subject)
	b := open(t, s.URL())
	b.shows(".where", "step 3 of 3")
	b.click("#world")
	b.fill("#world-form input[name=n]", "17")
	b.click("#world-show")
	b.shows("#world-form [role=alert]", `n: "17" is no number of processes: give 1 to 16`)
	b.shows(".where", "step 3 of 3")
	b.fill("#world-form input[name=n]", "5")
	b.fill("#world-form input[name=crashes]", "1")
	b.click("#world-show")
	b.shows(".row.head", "Process 5")
	b.shows(".where", "the beginning")
	b.shows("#world", "World: crashes=1, n=5")
	b.knows()
	b.shows("#next", "crash")
	b.press("1")
	b.shows(".where", "step 1 of 1")
	other := open(t, b.address()) // for somebody else
	other.shows(".row.head", "Process 5")
	other.shows(".where", "step 1 of 1")
	other.click("#tab-check")
	other.shows(".world", "at most 1 crash")
	b.do(chromedp.NavigateBack())
	b.shows(".where", "the beginning")
	b.do(chromedp.NavigateBack())
	b.shows(".where", "step 3 of 3")
	b.until(`!document.querySelector(".row.head").innerText.includes("Process 5")`)
	bad := open(t, "http://"+s.hosts[0]+"/#run=0&world=n%3D99")
	bad.shows("[role=alert]", "n: \"99\" is no number of processes")
	bad.click("#world")
	bad.fill("#world-form input[name=n]", "2")
	bad.click("#world-show")
	bad.shows(".row.head", "Process 2")
	bad.mu.Lock() // that the server refuses is told on the console, too
	bad.told = slices.DeleteFunc(bad.told, func(text string) bool { return strings.Contains(text, "400") })
	bad.mu.Unlock()
	b.mu.Lock()
	b.told = slices.DeleteFunc(b.told, func(text string) bool { return strings.Contains(text, "400") })
	b.mu.Unlock()
}

// TestBrowserFind looks for a state by its text, along the run and everywhere, and goes there.
func TestBrowserFind(t *testing.T) {
	t.Parallel()
	s := serve(t, twoLeaders(t))
	b := open(t, s.URL())
	b.shows(".where", "step 3 of 3")
	b.press("/")
	b.until(`document.activeElement?.id === "find"`)
	b.fill("#find", "1: leader 1, 3: leader 3")
	b.press(kb.Enter)
	b.shows("#findings", "On this run: step 3")
	b.shows("#findings .hits", "1: Leader 1; 3: Leader 3")
	if address := b.address(); !strings.Contains(address, "find=1%3A+leader+1%2C+3%3A+leader+3") {
		t.Errorf("the address is %s", address)
	}
	b.click("#findings .hits button")
	b.shows(current, "★ leads")
	b.do(chromedp.NavigateBack())
	b.fill("#find", "nowhere")
	b.click("[role=search] button")
	b.shows("#findings", "None of")
}

// TestBrowserFive: with five processes and long words nothing overprints, and nothing is cut where
// there is room, in wide windows and in narrow ones.
func TestBrowserFive(t *testing.T) {
	t.Parallel()
	s := serve(t, randomRun(t, commit, model.Config{N: 5, Timers: model.Any, Losses: 6}, 14))
	for _, width := range []int64{1280, 420} {
		b := open(t, s.URL())
		b.size(width, 860)
		for at := range 15 {
			value[bool](b, fmt.Sprintf(`(location.hash = "#run=0&view=table&at=%d", true)`, at))
			b.shows(".where", where(at, 14))
			b.until(fmt.Sprintf(`document.querySelector("[aria-current=step]")?.dataset.step === "%d"`, at))
			if cut := value[[]string](b, `[...document.querySelectorAll("[aria-current=step] .line, [aria-current=step] .action, [aria-current=step] .cell")].filter(e => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1).map(e => e.innerText)`); len(cut) > 0 {
				t.Errorf("%d wide, step %d: cut: %q", width, at, cut)
			}
			if over := value[[]string](b, `(() => {
				const rows = [...document.querySelectorAll(".sheet > .row")].map(r => [r.dataset.step, r.getBoundingClientRect()]);
				return rows.slice(1).filter(([, r], i) => Math.abs(r.top - rows[i][1].bottom) > 2).map(([step]) => step);
			})()`); len(over) > 0 {
				t.Errorf("%d wide, step %d: rows that do not follow the one before: %v", width, at, over)
			}
			if at > 0 && !value[bool](b, `(() => { const here = document.querySelector("[data-here=true]")?.getBoundingClientRect(), box = document.querySelector(".windowed").getBoundingClientRect(); return !here || here.left >= box.left && here.right <= box.right + 1; })()`) {
				t.Errorf("%d wide, step %d: the process that acts is out of sight", width, at)
			}
		}
		b.shoot(fmt.Sprintf("five-%d-table", width))
		b.press("d")
		b.until(`document.querySelector(".diagram text.title") !== null`)
		overprinted := `(() => {
			const frame = document.querySelector(".diagram").getBoundingClientRect();
			const all = [...document.querySelectorAll(".diagram text")].filter(e => e.textContent).map(e => [[...e.childNodes].filter(n => n.nodeName === "#text").map(n => n.data).join(""), e.getBoundingClientRect()]).filter(([text, a]) => text && a.top >= frame.top && a.bottom <= frame.bottom);
			const bad = all.filter(([, a]) => a.left < frame.left || a.right > frame.right).map(([text]) => "sticks out: " + text);
			for (const [i, [one, a]] of all.entries()) for (const [other, b] of all.slice(0, i)) {
				if (a.left + 2 < b.right && b.left + 2 < a.right && a.top + 5 < b.bottom && b.top + 5 < a.bottom) bad.push(one + " over " + other);
			}
			return bad;
		})()`
		if bad := value[[]string](b, overprinted); len(bad) > 0 {
			t.Errorf("%d wide, diagram: %q", width, bad)
		}
		if short := value[[]string](b, `(() => {
			const frame = document.querySelector(".diagram").getBoundingClientRect();
			return [...document.querySelectorAll(".diagram text.title")].filter(e => e.textContent.endsWith("…")).filter(e => { const r = e.getBoundingClientRect(); return frame.right - r.right > 60 && r.left - frame.left > 104; }).map(e => e.textContent);
		})()`); len(short) > 0 {
			t.Errorf("%d wide, diagram: cut though there is room: %q", width, short)
		}
		b.shoot(fmt.Sprintf("five-%d-diagram", width))
		b.press("s")
		b.until(`document.querySelector(".graph .node text") !== null`)
		if out := value[[]string](b, `[...document.querySelectorAll(".graph .node")].filter(n => { const r = n.querySelector("rect").getBoundingClientRect(); return [...n.querySelectorAll("text:not(.beyond)")].some(t => { const b = t.getBoundingClientRect(); return b.left < r.left || b.right > r.right || b.bottom > r.bottom + 1; }); }).map(n => n.textContent)`); len(out) > 0 {
			t.Errorf("%d wide: names that stick out of their state: %q", width, out)
		}
		if value[bool](b, `document.documentElement.scrollWidth > innerWidth`) {
			t.Errorf("%d wide: the page is wider than the window", width)
		}
		b.shoot(fmt.Sprintf("five-%d-states", width))
	}
}

// TestBrowserNobodyElected: of an algorithm that elects nobody the page speaks of no leader.
func TestBrowserNobodyElected(t *testing.T) {
	t.Parallel()
	var axes []Axis
	for _, name := range []string{"n", "crashes", "losses", "timers"} {
		axes = append(axes, Axis{Name: name})
	}
	b := open(t, serve(t, Subject{Name: "commit", Machine: twophasecommit.Mended, Config: model.Config{N: 3, Timers: model.Any, Crashes: 1}, Axes: axes, Properties: append(properties.Own(twophasecommit.Mended), properties.NoDeadlock, properties.Termination)}).URL()+"&choices=0.0.0")
	b.shows(".where", "step")
	b.knows()
	b.click("#world")
	for _, tab := range []string{"table", "diagram", "states", "check"} {
		b.click("#tab-" + tab)
		if tab == "check" {
			b.click("#start")
			b.until(`document.querySelector("#verdict") !== null`)
		}
		b.until(`document.querySelector("main > *") !== null`)
		if found := value[[]string](b, `[...([...document.querySelectorAll("main > *")].map(e => { const c = e.cloneNode(true); c.querySelector(".world")?.remove(); return c.innerHTML; }).join(" ").match(/.{0,40}(leader|follows (itself|none)|elect|★).{0,40}/gi) ?? [])]`); len(found) > 0 {
			t.Errorf("%s says %q", tab, found)
		}
	}
}

// TestBrowserLists: of a list and a map the elements that a step changes are marked, and what is gone is told with what it was.
func TestBrowserLists(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, Subject{Name: "scribe", Machine: scribe, Config: model.Config{N: 1}}).URL()+"&choices=0.0.0.0&steps=0&at=4")
	marked := func(want string) {
		t.Helper()
		b.knows()
		if got := value[string](b, `[...document.querySelectorAll("[aria-current=step] .line")].map(l => l.innerText).join("; ")`); got != want {
			t.Errorf("it shows %q, want %q", got, want)
		}
	}
	b.shows(".where", "step 4 of 4")
	marked(`− Log[1].Term 2; − Log[1].Text ""`)
	b.click("#back")
	b.shows(".where", "step 3 of 4")
	marked(`+ Log[1].Term 2; + Log[1].Text ""; + Acks[""] true; Δ Last.Term 0 → 3`)
	b.click("#back")
	b.shows(".where", "step 2 of 4")
	marked(`+ Log[0].Term 1; + Log[0].Text a; + Acks[x y] true; + Last.Term 0; + Last.Text ""; − Log []; − Acks map[]; − Last nil`)
}

// where is what the page says of a step.
func where(at, of int) string {
	if at == 0 {
		return fmt.Sprintf("the beginning of %d steps", of)
	}
	return fmt.Sprintf("step %d of %d", at, of)
}

// TestBrowserGone: rows that are no longer shown may be told late that they were scrolled.
func TestBrowserGone(t *testing.T) {
	t.Parallel()
	s := serve(t, twoLeaders(t))
	b := open(t, s.URL())
	b.shows(current, "notice")
	value[bool](b, `(window.gone = document.querySelector(".windowed")) !== null`)
	b.click("#tab-check")
	b.until("!gone.isConnected")
	value[bool](b, `gone.dispatchEvent(new Event("scroll")), dispatchEvent(new Event("resize"))`) // an error on the page fails the test
}

// TestBrowserLong: of a run of 5,000 steps only what is in sight is drawn, and going
// through it takes no time to speak of; how long it takes is told, not judged.
func TestBrowserLong(t *testing.T) {
	testsize.Test(t)
	steps := testsize.Of(1000, 1000, 5000)
	s := serve(t, longRun(t, steps))
	began := time.Now()
	b := open(t, s.URL()+"&at=0")
	b.shows(".where", fmt.Sprintf("the beginning of %d", steps))
	loaded := time.Since(began)
	for _, view := range []string{"table", "diagram"} {
		b.click("#tab-" + view)
		b.until(`document.querySelector(".sheet") !== null`)
		took := value[[]float64](b, `(async () => {
			const box = document.querySelector(".windowed"), frame = () => new Promise(requestAnimationFrame);
			let worst = 0, most = 0;
			const began = performance.now();
			for (let k = 0; k < 20; k++) {
				const before = performance.now();
				box.scrollTop = (k * 7 % 20) / 20 * box.scrollHeight;
				await frame(); await frame();
				worst = Math.max(worst, performance.now() - before);
				most = Math.max(most, document.querySelectorAll(".sheet *").length);
			}
			return [worst, (performance.now() - began) / 20, most];
		})()`)
		worst, all, drawn := took[0], took[1], int(took[2])
		t.Logf("%s: loaded in %v; 20 jumps: %.0f ms on average, %.0f ms at worst; at most %d elements", view, loaded.Round(time.Millisecond), all, worst, drawn)
		if drawn == 0 || drawn > 4000 {
			t.Errorf("%s: %d elements are there at once", view, drawn)
		}
		if all > 1000 {
			t.Errorf("%s: a jump takes %.0f ms", view, all)
		}
	}
	b.press("t")
	b.press(kb.End)
	b.shows(".where", fmt.Sprintf("step %d of %[1]d", steps))
	b.shows(current, fmt.Sprint(steps))
	b.knows()
	b.press("1")
	b.shows("#undo", "1 of your own")
	b.shows(".where", fmt.Sprintf("step %d of %[1]d", steps+1))
}

// elected is what two processes really did, by hand: an election, of which one packet was
// lost and nothing explains the last.
func elected() Execution {
	sent := func(n int, from, to spec.ID, text, name string) Packet {
		return Packet{Number: n, Time: "0.1", From: from, To: to, Text: text, Message: name}
	}
	ok := sent(3, 2, 1, "OK", "2.1.1")
	behind := sent(2, 1, 2, "ELECTION", "1.1.1")
	behind.Delivered = true
	odd := sent(4, 2, 1, "ELECTION", "2.1.2")
	odd.Unexplained = "process 2 never asks a smaller one"
	return Execution{
		Name: "capture.pcapng", Algorithm: "bully/mended", N: 2, Verdict: "the capture: REFUTED", Notes: []string{"by hand"}, Source: "Steps that explain it",
		Packets: []Packet{sent(1, 1, 2, "ELECTION", "1.1.1"), behind, ok, odd},
		Steps: []Step{
			{Process: 1, Incarnation: 1, Step: 1, Action: "notice", State: "{electing}", Sends: []Sending{{2, "ELECTION", "1.1.1"}}},
			{Process: 2, Incarnation: 1, Step: 1, Action: "receive ELECTION from 1", State: "{idle 2}", Leader: 2, Takes: []string{"1.1.1"}, Sends: []Sending{{1, "OK", "2.1.1"}}},
		},
		Picture: &picture.Picture{
			N: 2, Steps: 2, Events: []picture.Event{{Step: 1, Process: 1, Kind: "notice", Title: "notice"}, {Step: 2, Process: 2, Kind: "receive", Title: "receive ELECTION from 1"}},
			Messages: []picture.Message{{From: 1, To: 2, Text: "ELECTION", EndsIn: 1, Fate: picture.Delivered}, {From: 2, To: 1, Text: "OK", SentBy: 1, EndsIn: -1}},
			Views:    []picture.View{{Leader: []spec.ID{0, 0}, Status: []string{"down", "down"}}, {Leader: []spec.ID{0, 0}, Status: []string{"up", "down"}}, {Leader: []spec.ID{0, 2}, Status: []string{"up", "up"}}},
		},
	}
}

// TestBrowserRan: packets stand beside the steps that explain them, on a page with a
// server and on one without.
func TestBrowserRan(t *testing.T) {
	t.Parallel()
	s, err := Listen(0, nil, []Execution{elected()})
	if err != nil {
		t.Fatal(err)
	}
	go s.Serve(t.Context())
	file := filepath.Join(t.TempDir(), "ran.html")
	if err := model.WriteFile(file, func(w io.Writer) error { return WriteHTML(w, nil, []Execution{elected()}) }); err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{s.URL(), "file://" + file} {
		b := open(t, address)
		b.shows("main", "the capture: REFUTED")
		b.shows(".bar-line", "4 packets with a message, 2 steps")
		b.shows("[role=alert]", "packet 4, 2 → 1: ELECTION: process 2 never asks a smaller one")
		b.shows(".row.ran.current", "↦ #1 0.1 s, 1 → 2: ELECTION process 1 notice")
		b.click(".row.ran:not(.head):not(.current)")
		b.shows(".row.ran.current", "⇥ #2 0.1 s, 1 → 2: ELECTION")
		b.shows(".row.ran.current", "↦ #3 0.1 s, 2 → 1: OK ✗ lost")
		b.shows(".row.ran.current", "★ leads")
		b.click("button[aria-pressed]")
		b.shows(".diagram", "OK → 1")
	}
}

// TestBrowserAlone opens one page from a file, with no server.
func TestBrowserAlone(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := WriteHTML(&out, []Subject{twoLeaders(t), cycle(t)}, nil); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "two.html")
	if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	b := open(t, "file://"+file)
	b.shows(".banner", "one-leader is false after 3 steps")
	b.press(kb.ArrowLeft)
	b.shows(current, "timeout T_ok")
	b.shows("aside", "the run takes it")
	b.click(`.choice:not(.taken)`)
	b.shows(".banner.bad", "open it with mc explore")
	b.press("d")
	b.shows(".diagram", "COORDINATOR")
	b.click("#tab-compare")
	b.shows(".compare.left", "timeout T_ok")
	if value[bool](b, `document.querySelector("#tab-states") !== null`) {
		t.Error("the page has no states of a large space, and a tab for them")
	}
	small := open(t, "file://"+file+"#run=1&at=1&view=states")
	small.shows("h2", "All ")
	small.until(`document.querySelectorAll(".node.here").length === 1`)
	small.click(".node:not(.on)")
	small.shows(".banner.bad", "open it with mc explore")
	small.click(".node.here")
	small.shows(".where", "step 1 of")
}

// TestBrowserLooks takes pictures, light and dark, narrow and wide, and wants nothing to
// stick out of the window, or to be cut within a row, and every control to have a name.
func TestBrowserLooks(t *testing.T) {
	testsize.Alone(t)
	testsize.Test(t)
	t.Parallel()
	s := serve(t, twoLeaders(t), cycle(t))
	type look struct {
		name          string
		dark          bool
		width, height int64
	}
	looks := []look{{"wide-light", false, 1600, 1000}, {"narrow-dark", true, 400, 850}, {"wide-dark", true, 1600, 1000}, {"narrow-light", false, 400, 850}}
	if !testsize.All() {
		looks = looks[:2]
	}
	for _, look := range looks {
		b := open(t, s.URL())
		if look.dark {
			b.dark()
		}
		b.size(look.width, look.height)
		for view, content := range map[string]string{"table": current, "diagram": ".diagram", "states": ".graph", "check": ".coverage", "compare": ".row.compare.both"} {
			b.click("#tab-" + view)
			b.until(fmt.Sprintf("document.querySelector(%q) !== null", content))
			b.shoot(look.name + "-" + view)
			if value[bool](b, `document.documentElement.scrollWidth > innerWidth`) {
				t.Errorf("%s, %s: the page is wider than the window", look.name, view)
			}
			if cut := value[[]string](b, `[...document.querySelectorAll(".row > span")].filter(e => e.scrollHeight > e.clientHeight + 1).map(e => e.innerText)`); len(cut) > 0 {
				t.Errorf("%s, %s: cut: %q", look.name, view, cut)
			}
			nameless := value[[]string](b, `[...document.querySelectorAll("button, select, input, [role=button], [role=img], [role=region]")].filter(e => {
				const text = e.matches("select, input") ? "" : e.innerText ?? "";
				return !/[a-z]/i.test([text, e.ariaLabel, e.title, ...[...(e.labels ?? [])].map(l => l.innerText)].join(" "));
			}).map(e => e.outerHTML.slice(0, 120))`)
			if len(nameless) > 0 {
				t.Errorf("%s, %s: without a name: %v", look.name, view, nameless)
			}
		}
	}
}
