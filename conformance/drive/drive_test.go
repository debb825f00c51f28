package drive

import (
	"context"
	"testing"

	"interleave/model"
	"interleave/spec"
	"interleave/spec/changroberts"
)

func home(t *testing.T, m spec.Machine, n int) model.Config {
	t.Helper()
	c, err := model.Home(m, n)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestClassic(t *testing.T) {
	report, err := Cover(context.Background(), changroberts.Classic, home(t, changroberts.Classic, 3), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", report)
}
