package picture_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"

	"interleave/model"
	"interleave/model/picture"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/changroberts"
	"interleave/spec/syncbully"
)

var update = flag.Bool("update", false, "rewrite the expected pictures in testdata")

// shown are runs that have all that there is to draw, between them.
var shown = map[string]struct {
	machine  spec.Machine
	config   model.Config
	property properties.Property
}{
	"crash between two sends": {bully.Published, model.Config{N: 3, Crashes: 1, Split: true}, election.Agreement},
	"timers at any moment":    {bully.Published, model.Config{N: 3, Timers: model.Any}, election.WinnerIsTop},
	"cycle":                   {changroberts.Naive, model.Config{N: 3, Crashes: 1, Network: model.Set}, properties.Termination},
	"rounds":                  {syncbully.Published, model.Config{N: 3, Network: model.Rounds, Crashes: 1}, election.LeaderIsTopOrCrashed},
	"loss":                    {changroberts.Textbook, model.Config{N: 3, Losses: 1}, election.Agreement},
	"division":                {bully.Mended, model.Config{N: 3, Partitions: 1, Timers: model.Mixed}, election.Agreement},
}

// drawn returns the picture of a shortest run that breaks a property.
func drawn(t *testing.T, name string) *picture.Picture {
	t.Helper()
	if name == "hostile" {
		return stranger(t, 6)
	}
	s := shown[name]
	return breaking(t, s.machine, s.config, s.property)
}

func breaking(t *testing.T, m spec.Machine, c model.Config, p properties.Property) *picture.Picture {
	t.Helper()
	report, err := properties.Verify(t.Context(), m, c, []properties.Property{p}, properties.Options{})
	if err != nil {
		t.Fatal(err)
	}
	trace := report.Findings[0].Trace
	if trace == nil {
		t.Fatalf("%s: %s is not violated", m.Traits().Name, p.Name)
	}
	r, run, err := model.Replay(m, trace)
	if err != nil {
		t.Fatal(err)
	}
	return picture.Of(r, run, trace)
}

// TestSVGLabels: no message is written over whom a process follows, nor over a dot or a cross.
func TestSVGLabels(t *testing.T) {
	for n, p := range map[int]properties.Property{3: election.Agreement, 5: election.OneLeader} {
		t.Run(fmt.Sprint(n, " processes"), func(t *testing.T) {
			svgLabels(t, picture.SVG(breaking(t, bully.Published, model.Config{N: n, Timers: model.Any}, p)))
		})
	}
	for name := range shown {
		t.Run(name, func(t *testing.T) { svgLabels(t, picture.SVG(drawn(t, name))) })
	}
}

func svgLabels(t *testing.T, svg string) {
	type place struct{ from, to, y int }
	places := func(class string, anchor float64) (out []place) {
		for _, found := range regexp.MustCompile(`<text class="`+class+`" x="(\d+)" y="(\d+)">([^<]+)</text>`).FindAllStringSubmatch(svg, -1) {
			x, _ := strconv.Atoi(found[1])
			y, _ := strconv.Atoi(found[2])
			wide := 8 * utf8.RuneCountInString(found[3])
			from := x - int(anchor*float64(wide))
			out = append(out, place{from, from + wide, y})
		}
		return out
	}
	messages, followed := places("label", .5), places("small follows", 1)
	if len(messages) == 0 {
		t.Fatal("no message has a label")
	}
	for _, m := range messages {
		for _, f := range followed {
			if m.from < f.to && f.from < m.to && max(m.y-f.y, f.y-m.y) < 15 {
				t.Errorf("a message at %v hides who is followed at %v", m, f)
			}
		}
	}
	dots := regexp.MustCompile(`<circle class="dot" cx="(\d+)" cy="(\d+)"`).FindAllStringSubmatch(svg, -1)
	if len(dots) == 0 {
		t.Error("there is no dot")
	}
	for _, dot := range dots {
		x, _ := strconv.Atoi(dot[1])
		y, _ := strconv.Atoi(dot[2])
		for _, m := range messages {
			if m.from < x+5 && x-5 < m.to && m.y-11 < y+5 && y-5 < m.y+3 {
				t.Errorf("a message at %v hides the dot at %d, %d", m, x, y)
			}
		}
	}
}

// TestNobodyElected: where nobody is elected, no drawing speaks of leaders.
func TestNobodyElected(t *testing.T) {
	p := drawn(t, "loss")
	for i := range p.Views {
		p.Views[i].Leader = nil
	}
	for i := range p.Events { // which tell of a field of that name
		p.Events[i].Changes, p.Events[i].Title = nil, "step"
	}
	p.Algorithm, p.Property, p.Reason = "", "", ""
	for name, text := range map[string]string{"text": picture.Text(p, picture.TextOptions{}), "svg": picture.SVG(p)} {
		_, body, _ := strings.Cut(text, "</style>")
		if name == "text" {
			body = text
		}
		if word := regexp.MustCompile(`(?i)leader|follows|║|class="lane leads"|in the eyes`).FindString(body); word != "" {
			t.Errorf("%s says %q:\n%s", name, word, body)
		}
	}
	data, err := json.Marshal(p)
	if err != nil || strings.Contains(strings.ToLower(string(data)), "leader") {
		t.Errorf("%s %v", data, err)
	}
}

// TestEmptyText: an empty string is seen: of a state before, in an arrow, and in an output.
func TestEmptyText(t *testing.T) {
	type state struct{ Word string }
	r, err := model.NewReference(&spec.Algorithm[state, string]{
		Name: "mute", Doc: "says nothing", Source: "this test",
		Receive: func(s *state, p *spec.Proc[string], _ spec.ID, m string) { s.Word = m },
		Start: func(s *state, p *spec.Proc[string]) {
			if p.ID == 1 {
				s.Word = "a"
				p.Send(2, "")
				p.Output("")
			}
		},
	}, model.Config{N: 2})
	if err != nil {
		t.Fatal(err)
	}
	text := picture.Text(picture.Of(r, walk(r, rand.New(rand.NewPCG(1, 1))), nil), picture.TextOptions{})
	for _, want := range []string{`Word "" → a`, `outputs ""`, `─""─`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}

// TestForms compares every form of every picture with what is in testdata.
func TestForms(t *testing.T) {
	for _, name := range append(slices.Collect(maps.Keys(shown)), "hostile") {
		t.Run(name, func(t *testing.T) {
			p := drawn(t, name)
			if len(p.Events) > 2 {
				p.Events[1].Faded, p.Turn = true, 2 // as if explained
			}
			data, err := json.MarshalIndent(p, "", " ")
			if err != nil {
				t.Fatal(err)
			}
			paint := func(tone picture.Tone, text string) string { return fmt.Sprint(tone, " ", text) }
			have := &txtar.Archive{Files: []txtar.File{
				{Name: "text", Data: []byte(picture.Text(p, picture.TextOptions{}))},
				{Name: "painted, 80 columns", Data: []byte(picture.Text(p, picture.TextOptions{Columns: 80, Paint: paint}))},
				{Name: "28 columns", Data: []byte(picture.Text(p, picture.TextOptions{Columns: 28}))},
				{Name: "mermaid", Data: []byte(picture.Mermaid(p))},
				{Name: "shiviz", Data: []byte(picture.ShiViz(p))},
				{Name: "dot", Data: []byte(picture.DOT(p))},
				{Name: "json", Data: append(data, '\n')},
				{Name: "svg", Data: []byte(picture.SVG(p))},
			}}
			file := filepath.Join("testdata", strings.ReplaceAll(name, " ", "_")+".txtar")
			if *update {
				if err := os.WriteFile(file, txtar.Format(have), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for i, f := range have.Files {
				if i >= len(want.Files) || string(want.Files[i].Data) != string(f.Data) {
					t.Errorf("%s is not what stands in %s; go test ./model/picture -update rewrites it:\n%s", f.Name, file, f.Data)
				}
			}
		})
	}
}

// TestTextFits: whatever the terminal, no line is longer, unless the lanes alone are.
func TestTextFits(t *testing.T) {
	for name := range shown {
		p := drawn(t, name)
		for columns := 16; columns < 120; columns++ {
			for _, line := range strings.Split(picture.Text(p, picture.TextOptions{Columns: columns}), "\n") {
				if n := utf8.RuneCountInString(line); n > max(columns, 28) {
					t.Fatalf("%s: %d columns, and a line of %d: %s", name, columns, n, line)
				}
			}
		}
	}
}

// nasty is a message that says of itself what ends lines, strings and tags.
type nasty uint8

func (nasty) String() string {
	return "a\"b\\c;d#e`f<g>&h%%{init}$$i\n-->j\x1b[31m\x00]]>k\u202e end"
}

// hostile sends nasty messages.
func hostile() spec.Machine {
	return &spec.Algorithm[struct{ Said nasty }, nasty]{
		Name: "hostile", Doc: "says what it should not", Source: "this test",
		Receive: func(s *struct{ Said nasty }, p *spec.Proc[nasty], _ spec.ID, m nasty) { s.Said = m },
		Election: &spec.Election[struct{ Said nasty }, nasty]{
			Notice: func(s *struct{ Said nasty }, p *spec.Proc[nasty]) {
				if s.Said++; s.Said > 2 {
					p.Refuse()
				}
				p.Broadcast(p.Others(), s.Said)
			},
			Leader: func(struct{ Said nasty }) spec.ID { return spec.None },
		},
	}
}

// stranger returns a random run of a hostile algorithm.
func stranger(t *testing.T, seed uint64) *picture.Picture {
	t.Helper()
	r, err := model.NewReference(hostile(), model.Config{N: 3, Crashes: 1, Losses: 1, Duplicates: 1, Partitions: 1})
	if err != nil {
		t.Fatal(err)
	}
	run := walk(r, rand.New(rand.NewPCG(seed, 1)))
	return picture.Of(r, run, &model.Trace{Algorithm: "hos\"tile", Property: "P;", Reason: "be\ncause <b>"})
}

// everyPicture yields pictures of walks and of strangers.
func everyPicture(t *testing.T, each func(t *testing.T, p *picture.Picture)) {
	for seed := range uint64(20) {
		each(t, stranger(t, seed))
	}
	walks(t, 1, func(t *testing.T, r *model.Reference, run *model.Run) { each(t, picture.Of(r, run, nil)) })
}

// mermaidLine is what a line may be, once its entities are taken out.
var (
	mermaidLine   = regexp.MustCompile("^(sequenceDiagram|    participant \\d+ as process \\d+|    \\d+(->>|--x|--\\))\\d+: [^;#%$`<>&\\n]*|    Note over \\d+(,\\d+)?: [^;#%$`>&\\n]*|    loop forever|    end)$")
	mermaidEntity = regexp.MustCompile(`#\d+;`)
)

func TestMermaidIsWellFormed(t *testing.T) {
	everyPicture(t, func(t *testing.T, p *picture.Picture) {
		for _, line := range strings.Split(strings.TrimSuffix(picture.Mermaid(p), "\n"), "\n") {
			plain := strings.ReplaceAll(mermaidEntity.ReplaceAllString(line, "_"), "<br/>", " ")
			if !mermaidLine.MatchString(plain) || strings.Contains(plain, "<") {
				t.Fatalf("%q", line)
			}
		}
	})
}

// dotStatement is a statement of DOT with its strings taken out.
var (
	dotString    = regexp.MustCompile(`"(\\[\\"n]|[^"\\\n])*"`)
	dotStatement = regexp.MustCompile(`^ *(digraph run \{|subgraph cluster_\d+ \{|\}|label=S;|(node|edge) \[[\w=, S]+\];|p\d+ \[label=S, shape=plaintext\];|[em]\d+( -> [em]\d+)? \[[\w=, S]+\];)$`)
	dotName      = regexp.MustCompile(`\b[em]\d+\b`)
)

func TestDOTIsWellFormed(t *testing.T) {
	everyPicture(t, func(t *testing.T, p *picture.Picture) {
		declared := map[string]bool{}
		for _, line := range strings.Split(strings.TrimSuffix(picture.DOT(p), "\n"), "\n") {
			plain := dotString.ReplaceAllString(line, "S")
			if !dotStatement.MatchString(plain) {
				t.Fatalf("%q", line)
			}
			for _, name := range dotName.FindAllString(plain, -1) {
				if strings.Contains(plain, "->") && !declared[name] {
					t.Fatalf("%s is not declared before %q", name, line)
				}
				declared[name] = true
			}
		}
	})
}

// TestDOTBoxes: each process has a box with something in it, as Graphviz leaves out others.
func TestDOTBoxes(t *testing.T) {
	everyPicture(t, func(t *testing.T, p *picture.Picture) {
		boxes := regexp.MustCompile(`(?m)^  subgraph cluster_\d+ \{\n    label=".*;\n    [ep]\d+ `).FindAllString(picture.DOT(p), -1)
		if len(boxes) != p.N {
			t.Errorf("%d boxes of %d processes:\n%s", len(boxes), p.N, picture.DOT(p))
		}
	})
}

// TestSVGIsWellFormed: it is XML, has a title and a description that it names, and
// draws nothing outside of itself.
func TestSVGIsWellFormed(t *testing.T) {
	everyPicture(t, func(t *testing.T, p *picture.Picture) {
		text := picture.SVG(p)
		d := xml.NewDecoder(strings.NewReader(text))
		ids := map[string]int{}
		var labelled, width, height string
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			element, ok := token.(xml.StartElement)
			if !ok {
				continue
			}
			for _, a := range element.Attr {
				switch a.Name.Local {
				case "id":
					ids[a.Value]++
				case "aria-labelledby":
					labelled = a.Value
				case "width":
					width = firstOf(width, a.Value)
				case "height":
					height = firstOf(height, a.Value)
				case "x", "x1", "x2", "cx":
					within(t, a, width)
				case "y", "y1", "y2", "cy":
					within(t, a, height)
				}
			}
		}
		for id := range strings.FieldsSeq(labelled) {
			if ids[id] != 1 {
				t.Fatalf("%d elements are called %s", ids[id], id)
			}
		}
		if labelled == "" {
			t.Fatal("it has no name")
		}
	})
}

func firstOf(have, new string) string {
	if have == "" {
		return new
	}
	return have
}

func within(t *testing.T, a xml.Attr, size string) {
	t.Helper()
	at, err := strconv.Atoi(a.Value)
	most, err2 := strconv.Atoi(size)
	if err != nil || err2 != nil || at < 0 || at > most {
		t.Fatalf("%s=%q lies outside of %s", a.Name.Local, a.Value, size)
	}
}

// TestShiVizIsWellFormed: each host counts its own events, one by one, and knows of
// others no more than they have had before.
func TestShiVizIsWellFormed(t *testing.T) {
	event := regexp.MustCompile(`^(\S+) (\{.*\})$`)
	everyPicture(t, func(t *testing.T, p *picture.Picture) {
		lines := strings.Split(strings.TrimSuffix(picture.ShiViz(p), "\n"), "\n")
		if len(lines) != 2+2*len(p.Events) || lines[1] != "" {
			t.Fatalf("%d lines of %d events", len(lines), len(p.Events))
		}
		count := map[string]int{}
		for i := 2; i < len(lines); i += 2 {
			parts := event.FindStringSubmatch(lines[i])
			clock := map[string]int{}
			if parts == nil || json.Unmarshal([]byte(parts[2]), &clock) != nil || lines[i+1] == "" {
				t.Fatalf("%q, %q", lines[i], lines[i+1])
			}
			count[parts[1]]++
			if clock[parts[1]] != count[parts[1]] {
				t.Fatalf("event %d of %s has the clock %v", count[parts[1]], parts[1], clock)
			}
			for _, host := range slices.Sorted(maps.Keys(clock)) {
				if clock[host] < 1 || clock[host] > count[host] {
					t.Fatalf("%s knows of %d events of %s, which had %d", parts[1], clock[host], host, count[host])
				}
			}
		}
	})
}
