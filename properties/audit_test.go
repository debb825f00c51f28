package properties

import (
	"context"
	"strings"
	"testing"

	"interleave/spec"
)

// hasty is code whose audits find the context ended.
type hasty struct {
	spec.Code
	audited bool
}

func (*hasty) Assumes() []spec.Assumption {
	return []spec.Assumption{{Field: "all", Reason: "it does not matter"}}
}
func (*hasty) Unseen() []string           { return []string{"f is the func g"} }
func (*hasty) Fields() []spec.FieldValues { return make([]spec.FieldValues, 2*mostFields) }
func (*hasty) Fresh() spec.Machine        { return nil }
func (h *hasty) Audit(context.Context) (int, bool, error) {
	h.audited = true
	return 3, false, nil
}

// Nothing holds of existing code that was not audited to the end, and what needs no audit gets none.
func TestAuditCutShort(t *testing.T) {
	code := &hasty{}
	r := &Report{Stats: Stats{Complete: true}, Findings: []Finding{{Verdict: Verified}, {Verdict: Violated, Kind: RecoverableKind}}}
	if err := r.audit(context.Background(), code); err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		if f.Verdict != Inconclusive || !strings.Contains(f.Why, "other histories") {
			t.Errorf("%v: %s", f.Verdict, f.Why)
		}
	}
	if r.Verdict != Inconclusive || r.Audits != 3 || len(r.Assumes) != 1 || len(r.Assumptions) != 1 || r.Fields != nil {
		t.Errorf("%+v", r)
	}
	code = &hasty{}
	r = &Report{Findings: []Finding{{Verdict: Inconclusive}}}
	if err := r.audit(context.Background(), code); err != nil || code.audited || len(r.Fields) != mostFields {
		t.Errorf("audited: %t, %d fields, %v", code.audited, len(r.Fields), err)
	}
	r = &Report{Verdict: Violated, Findings: []Finding{{Verdict: Violated}}}
	if err := r.audit(context.Background(), code); err != nil || r.Fields != nil {
		t.Errorf("after a violation, %d fields, %v", len(r.Fields), err)
	}
	if err := r.audit(context.Background(), nil); err != nil {
		t.Error(err)
	}
}
