package network

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"interleave/spec"
)

// Faults are the faults of the network that are in force at one time. The zero
// value: none.
type Faults struct {
	Loss      Rate // of each frame
	Duplicate Rate // of each frame that is not lost
	Reorder   Rate // of each frame that is not lost: the next on its link overtakes it
	Delay     Span // of each copy of a frame
}

// Rate is a chance, in millionths.
type Rate uint32

const certain Rate = 1_000_000

// ParseRate reads a percentage from 0% to 100%.
func ParseRate(text string) (Rate, error) {
	number, percent := strings.CutSuffix(text, "%")
	f, err := strconv.ParseFloat(number, 64)
	switch {
	case err != nil || !percent:
		return 0, fmt.Errorf("%q is no percentage: write one as in 10%%", text)
	case !(f >= 0 && f <= 100): // or not a number
		return 0, fmt.Errorf("%s is no chance: write 0%% to 100%%", text)
	}
	return Rate(f*float64(certain)/100 + 0.5), nil
}

func (r Rate) String() string {
	return strconv.FormatFloat(float64(r)*100/float64(certain), 'f', -1, 64) + "%"
}

// Span is a range of times, both ends included.
type Span struct{ Min, Max time.Duration }

// maxDelay bounds the delay of a frame by a plan.
const maxDelay = time.Minute

// ParseSpan reads a span as in 0..20ms, or a single time as in 5ms.
func ParseSpan(text string) (Span, error) {
	first, last, isSpan := strings.Cut(text, "..")
	if !isSpan {
		last = first
	}
	least, err1 := time.ParseDuration(first)
	most, err2 := time.ParseDuration(last)
	switch {
	case err1 != nil || err2 != nil:
		return Span{}, fmt.Errorf("%q is no span of time: write one as in 0..20ms", text)
	case least < 0:
		return Span{}, fmt.Errorf("%s begins below 0: write 0..%v", text, most)
	case most < least:
		return Span{}, fmt.Errorf("%s is empty: write %v..%v", text, most, least)
	case most > maxDelay:
		return Span{}, fmt.Errorf("%s: more than %v is no delay: write a shorter one", text, maxDelay)
	}
	return Span{least, most}, nil
}

func (s Span) String() string {
	switch {
	case s.Min == s.Max:
		return s.Max.String()
	case s.Min == 0:
		return "0.." + s.Max.String()
	}
	return s.Min.String() + ".." + s.Max.String()
}

// at returns the point of the span at a fraction of it, from 0 to 1.
func (s Span) at(fraction float64) time.Duration {
	return s.Min + time.Duration(fraction*float64(s.Max-s.Min))
}

// Fate is what the network does to one frame.
type Fate struct {
	Lost   bool
	Copied bool
	Held   bool             // until the next frame on its link has overtaken it
	Delay  [2]time.Duration // of the frame, and of its copy
}

// Fate returns what happens to a frame. It is a pure function of the seed of the run, the link
// from one process to another, the frame's ordinal on that link (from 1), and the rates in force
// when it passes. The chances are drawn in the same way whatever the rates, so what is lost at
// one rate is also lost at a higher one.
func (f Faults) Fate(seed uint64, from, to spec.ID, ordinal uint64) Fate {
	draw := Chance(seed, FateDraws, uint64(from)<<32|uint64(to), ordinal)
	hit := func(r Rate) bool { return Rate(draw.IntN(int(certain))) < r }
	fate := Fate{Lost: hit(f.Loss), Copied: hit(f.Duplicate), Held: hit(f.Reorder)}
	fate.Delay = [2]time.Duration{f.Delay.at(draw.Float64()), f.Delay.at(draw.Float64())}
	if fate.Lost {
		return Fate{Lost: true}
	}
	return fate
}

// What chances are drawn for.
const (
	FateDraws uint64 = iota
	EventDraws
)

// Chance returns a source of numbers that depends on its arguments only.
func Chance(seed, what, which, ordinal uint64) *rand.Rand {
	var key [32]byte
	for i, part := range [...]uint64{seed, what, which, ordinal} {
		binary.LittleEndian.PutUint64(key[8*i:], part)
	}
	return rand.New(rand.NewChaCha8(key))
}

// Check refuses faults that no parser would let pass.
func (f Faults) Check() error {
	switch {
	case f.Loss > certain || f.Duplicate > certain || f.Reorder > certain:
		return errors.New("a rate is more than 100%")
	case f.Delay.Min < 0 || f.Delay.Max < f.Delay.Min || f.Delay.Max > maxDelay:
		return fmt.Errorf("the delay %v is no span up to %v", f.Delay, maxDelay)
	}
	return nil
}

// String lists the faults, as in "loss 10%, delay 0..20ms".
func (f Faults) String() string {
	var parts []string
	for _, r := range []struct {
		name string
		rate Rate
	}{{"loss", f.Loss}, {"duplicate", f.Duplicate}, {"reorder", f.Reorder}} {
		if r.rate > 0 {
			parts = append(parts, r.name+" "+r.rate.String())
		}
	}
	if f.Delay.Max > 0 {
		parts = append(parts, "delay "+f.Delay.String())
	}
	if parts == nil {
		return "none"
	}
	return strings.Join(parts, ", ")
}
