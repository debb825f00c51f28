package sweep

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"slices"

	"interleave/cmd/mc/internal/ui"
	"interleave/model"
	"interleave/properties"
	"interleave/properties/certificate"
	"interleave/properties/election"
	"interleave/spec"
)

// certifyStates is how many states a configuration may have, if nothing else is
// said: the checker calls the handlers anew at each step, and takes its time.
const certifyStates = 20_000

// proof is what became of a configuration that was to be certified.
type proof uint8

const (
	notAsked    proof = iota
	certified         // what holds there, and a certificate can prove, is confirmed
	tooLarge          // it has too many states
	nothingSure       // no such thing holds, or not everything was explored
)

func (p proof) String() string {
	return [...]string{"", "certified", "too large to certify", "nothing to certify"}[p]
}

// proofCounts counts proofs, in words.
type proofCounts map[string]int

func (c proofCounts) String() string {
	text := ui.Comma(c[certified.String()]) + " certified"
	for _, p := range []proof{tooLarge, nothingSure} {
		if n := c[p.String()]; n > 0 {
			text += fmt.Sprintf(", %s %v", ui.Comma(n), p)
		}
	}
	return text
}

// certify writes what holds as certificates, and confirms them.
func (r result) certify(ctx context.Context, most int) (proof, error) {
	props := r.provable()
	switch {
	case !r.stats.Complete || len(props) == 0:
		return nothingSure, nil
	case r.stats.States > most:
		return tooLarge, nil
	}
	for c := range r.rings() {
		err := prove(ctx, r.Machine, c, props)
		if ctx.Err() != nil {
			return notAsked, ctx.Err()
		}
		if err != nil {
			return notAsked, err
		}
	}
	return certified, nil
}

// provable returns the properties that were found to hold, as far as a
// certificate can prove them; none if a handler panics somewhere.
func (r result) provable() []properties.Property {
	var props []properties.Property
	for _, j := range r.judged {
		p := j.finding.Property
		switch {
		case p.Name == properties.NoPanic.Name:
			return nil
		case p.Kind == properties.MessagesKind:
		case j.finding.Verdict == properties.Verified || j.finding.Verdict == properties.Bounded:
			props = append(props, p)
		}
	}
	return props
}

// rings returns the configuration, once for each ring that it has.
func (r result) rings() iter.Seq[model.Config] {
	if !r.AllRings {
		return slices.Values([]model.Config{r.Config})
	}
	return properties.Rings(r.Machine, r.Config)
}

// prove explores one configuration again, for its states, and sends them
// through a certificate.
func prove(ctx context.Context, m spec.Machine, c model.Config, props []properties.Property) error {
	r, err := properties.Verify(ctx, m, c, props, properties.Options{Catalogue: election.Catalogue, Keep: true})
	if err != nil {
		return err
	}
	var file bytes.Buffer
	if err := certificate.Write(ctx, &file, m, certificate.Of(r), r.States(), certificate.WriteOptions{}); err != nil {
		return err
	}
	opened, err := certificate.Open(&file)
	var result *certificate.Result
	if err == nil {
		result, err = opened.Check(ctx, m, certificate.Options{Properties: props})
	}
	if err == nil {
		err = compare(r, result)
	}
	if err != nil && ctx.Err() == nil {
		return &properties.ContradictionError{Reason: fmt.Sprintf("what holds is not confirmed by its certificate: %v", err)}
	}
	return err
}

// compare wants a certificate to confirm all that was found, and to count the
// same: so it is not a set with more in it than can be reached, either.
func compare(r *properties.Report, c *certificate.Result) error {
	for _, f := range c.Findings {
		if f.Doubt != "" && f.Property.Kind != properties.LivenessKind { // of runs a set of states does not say all
			return fmt.Errorf("%s: %s", f.Property.Name, f.Doubt)
		}
	}
	found := [...]int{len(r.Findings), r.Stats.States, r.Stats.Initial, r.Stats.Transitions, r.Stats.Quiescent}
	confirmed := [...]int{len(c.Findings), c.States, c.Initial, c.Steps, c.Quiescent}
	if found != confirmed {
		return fmt.Errorf("it has other numbers of properties, states, initial states, steps, quiescent states: %v, not %v", confirmed, found)
	}
	return nil
}
