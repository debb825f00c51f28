package explorer

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
)

//go:embed web/dist/app.js
var script []byte

//go:embed web/dist/style.css
var style []byte

//go:embed web/page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// file is one that a GET may have.
type file struct {
	kind string
	text []byte
}

var files = map[string]file{
	"/":          {"text/html; charset=utf-8", rendered(pageParts{})},
	"/app.js":    {"text/javascript; charset=utf-8", script},
	"/style.css": {"text/css; charset=utf-8", style},
}

// pageParts is what a page that needs no server has in itself.
type pageParts struct {
	Alone  bool
	Title  string
	Policy string
	Style  template.CSS
	Script template.JS
	Baked  template.JS // JSON, in which no tag can begin
}

func rendered(p pageParts) []byte {
	var out bytes.Buffer
	if err := page.Execute(&out, p); err != nil {
		panic("explorer: the page: " + err.Error())
	}
	return out.Bytes()
}

// Baked is everything that a page without a server has answers to.
type Baked struct {
	Listing Listing           `json:"listing"`
	Views   []*View           `json:"views"`
	States  [][]Possibilities `json:"states"` // by course and step; as many as are baked
	Graphs  []*Graph          `json:"graphs"` // whole ones; null where the space is large
	Pairs   [][][][2]int      `json:"pairs"`  // as in a Comparison, by either course
	Ran     []Execution       `json:"ran"`
	Left    string            `json:"left"` // what is not in the page
}

// maxBaked is of how many states of a run what is possible is baked into a page.
const maxBaked = 1000

// WriteHTML writes subjects as one page that needs nothing else, neither a server nor
// the network. It shows the runs; it cannot leave them, nor check anything.
func WriteHTML(w io.Writer, subjects []Subject, ran []Execution) error {
	b := Baked{Ran: ran, Left: "This page is one file: it shows what was written into it. To leave a run, to check a world or to count its states, open it with mc explore."}
	if ran == nil {
		b.Ran = []Execution{}
	}
	var courses []*course
	title := "mc explore"
	for n, subject := range subjects {
		subject.Axes = nil // nobody is there to make another world
		c, err := newCourse(subject)
		if err != nil {
			return fmt.Errorf("%s: %w", subject.Name, err)
		}
		courses = append(courses, c)
		title = subject.Name
		if err := b.bake(c, n); err != nil {
			return fmt.Errorf("%s: %w", subject.Name, err)
		}
	}
	b.Listing, b.Pairs = listed(courses, ran), compared(courses)
	text, err := json.Marshal(b)
	if err != nil {
		return err
	}
	hash := func(text []byte) string {
		sum := sha256.Sum256(text)
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	_, err = w.Write(rendered(pageParts{
		Alone: true, Title: title, Style: template.CSS(style), Script: template.JS(script), Baked: template.JS(text),
		Policy: fmt.Sprintf("default-src 'none'; script-src %s; style-src %s; base-uri 'none'; form-action 'none'", hash(script), hash(style)),
	}))
	return err
}

// compared aligns each course with each.
func compared(courses []*course) (pairs [][][][2]int) {
	for _, x := range courses {
		var row [][][2]int
		for _, y := range courses {
			row = append(row, align(x, y))
		}
		pairs = append(pairs, row)
	}
	return pairs
}

func (b *Baked) bake(c *course, n int) (err error) {
	defer guarded(c.Machine, &err)
	place := Place{which: which{Course: n}, Steps: len(c.run.Steps)}
	b.Views = append(b.Views, c.view(place, c.run))
	var states []Possibilities
	for at := range min(len(c.run.Steps)+1, maxBaked) {
		states = append(states, c.at(c.run, at))
	}
	b.States = append(b.States, states)
	g, err := c.graph(atQuestion{Place: place})
	if err != nil {
		return err
	}
	if !g.Whole {
		g = nil
	}
	b.Graphs = append(b.Graphs, g)
	return nil
}
