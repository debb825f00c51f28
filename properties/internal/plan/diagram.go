package plan

import (
	"fmt"
	"strings"
	"time"

	"interleave/explore/dd"
	"interleave/model/diagram"
)

// Diagram says how states become decision diagrams. What is nil is chosen automatically.
type Diagram struct {
	Grouping   *diagram.Grouping
	Strategy   *dd.Strategy
	Order      *diagram.Order
	Overapprox *bool // of an over-approximation, or not
}

// diagramWords are the words of ParseDiagram.
var diagramWords = map[string]func(d *Diagram){
	"receiver":   func(d *Diagram) { d.Grouping = new(diagram.ByReceiver) },
	"content":    func(d *Diagram) { d.Grouping = new(diagram.ByContent) },
	"pair":       func(d *Diagram) { d.Grouping = new(diagram.ByPair) },
	"chain":      func(d *Diagram) { d.Strategy = new(dd.Chain) },
	"saturate":   func(d *Diagram) { d.Strategy = new(dd.Saturate) },
	"ring":       func(d *Diagram) { d.Order = new(diagram.RingOrder) },
	"reversed":   func(d *Diagram) { d.Order = new(diagram.Reversed) },
	"numbered":   func(d *Diagram) { d.Order = new(diagram.Numbered) },
	"overapprox": func(d *Diagram) { d.Overapprox = new(true) },
	"exact":      func(d *Diagram) { d.Overapprox = new(false) },
}

// ParseDiagram reads a list of words as in "content,chain,reversed": at most one each for the
// grouping, the strategy, the order, and whether the world is an over-approximation.
func ParseDiagram(text string) (Diagram, error) {
	var d Diagram
	for word := range strings.SplitSeq(text, ",") {
		set := diagramWords[word]
		if set == nil {
			return d, fmt.Errorf("%q is not one of receiver, content, pair, chain, saturate, ring, reversed, numbered, overapprox, exact", word)
		}
		var one Diagram
		if set(&one); one.Grouping != nil && d.Grouping != nil || one.Strategy != nil && d.Strategy != nil || one.Order != nil && d.Order != nil || one.Overapprox != nil && d.Overapprox != nil {
			return d, fmt.Errorf("%q comes on top of another of its kind: give one of receiver, content and pair, of chain and saturate, of ring, reversed and numbered, of overapprox and exact", word)
		}
		set(&d)
	}
	return d, nil
}

// Attempt is a way to compute the reachable states, and its outcome.
type Attempt struct {
	diagram.Form
	Strategy dd.Strategy `json:"strategy"`
	Nodes    int         `json:"nodes"` // made, including those that were freed
	Peak     int         `json:"peak"`  // in use at once
	Seconds  float64     `json:"seconds"`
	Outcome  string      `json:"outcome"`
}

func (a Attempt) overapproximates() bool { return a.Overapprox }

func (a Attempt) String() string {
	text := fmt.Sprintf("messages %v, %v, %v", a.Grouping, a.Strategy, a.Order)
	if a.Overapprox {
		return text + ", of an over-approximation"
	}
	return text
}

// Growth says how far the symbolic engine has come.
type Growth struct {
	Doing   string
	Nodes   int   // in use
	Bytes   int64 // held
	Elapsed time.Duration
}
