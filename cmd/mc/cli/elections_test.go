package cli

import (
	"os"
	"regexp"
	"testing"

	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/ui"
	"interleave/internal/testsize"
	"interleave/spec/catalog"
)

// TestElections: of each family a page shows the quick part of the catalogue that comes with
// Interleave, so that TestPages runs it, and has what holds confirmed by certificates.
func TestElections(t *testing.T) {
	testsize.Alone(t)
	t.Chdir("../../..")
	shown := ""
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		shown += string(text)
	}
	for _, m := range catalog.Machines {
		f := names.Family(m.Traits().Name)
		if ok, _ := regexp.MatchString("<!-- mc sweep elections.yaml (--quick )?--only "+f+" --markdown -->", shown); !ok {
			t.Errorf("no page shows what is expected of %s", f)
		}
	}
	mc(t.Context(), "sweep --quick --certify elections.yaml --only bully/published").expect(t, ui.ExitHolds, "certified")
}

// TestAllRingsVerified: a placement that violates something does not keep the others from being looked at.
func TestAllRingsVerified(t *testing.T) {
	mc(t.Context(), "verify cr-naive --crashes 1 --network set --ring all --continue --json").expect(t, ui.ExitViolated, `"rings_in_all": 2`)
}
