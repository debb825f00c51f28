package properties

import (
	"context"
	"fmt"
	"slices"

	"interleave/explore"
	"interleave/model"
)

// carried is what is carried over from one search of a check to the next, or to the same one
// when it goes on on disk.
type carried struct {
	kept    map[uint8]Finding // by mark
	seen    Stats
	near    bool   // states were explored one by one as long as that is quick
	because string // why Auto took the engine that it took
}

// keepFound keeps what an unfinished search has found, for the next search.
func (c *check) keepFound(ctx context.Context) error {
	if c.result == nil { // the disk was full when the search moved there; findings were kept before that
		return nil
	}
	for i, p := range append(slices.Clone(c.props), NoPanic) {
		mark := c.markOf(i)
		f, circles := c.circling[mark]
		var err error
		switch {
		case circles:
		case !c.found(mark):
			continue
		case mark == model.PanicMark:
			f, err = c.violation(p, mark)
		case p.Kind == Liveness:
			f, err = c.ending(c.finding(p), mark)
		default:
			f, err = c.judge(ctx, p, mark)
		}
		if err != nil {
			return err
		}
		if f.Verdict != Inconclusive {
			c.kept[mark] = f
		}
	}
	return nil
}

// keepDecided keeps those findings that are decided, for the next search.
func (c *check) keepDecided(findings []Finding) {
	for i, f := range findings {
		if f.Verdict != Inconclusive {
			c.kept[c.markOf(i)] = f
		}
	}
}

// markOf returns the mark of finding i: that of property i or, after the last property, that of a
// panic.
func (c *check) markOf(i int) uint8 {
	if i == len(c.props) {
		return model.PanicMark
	}
	return uint8(i)
}

// recall replaces findings that are undecided, or do not say how far away a goal is, by those
// that were kept. Two findings that contradict each other are a bug in an engine.
func (c *check) recall(findings []Finding) []Finding {
	if len(findings) < len(c.props) {
		return findings // after an error
	}
	for mark, kept := range c.kept {
		at := int(mark)
		if mark == model.PanicMark {
			at = len(c.props)
		}
		switch {
		case at == len(findings):
			findings = append(findings, kept)
		case at < len(findings) && (findings[at].Verdict == Inconclusive || findings[at].Verdict == kept.Verdict && findings[at].Depth < 0):
			findings[at] = kept
		case at < len(findings) && findings[at].Verdict != kept.Verdict:
			panic(explore.Contradiction(fmt.Sprintf("%s is %v for one engine and %v for another", kept.Name, kept.Verdict, findings[at].Verdict)))
		}
	}
	return findings
}
