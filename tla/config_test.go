package tla_test

import (
	"strings"
	"testing"

	"interleave/tla"
	"interleave/tla/syntax"
	"interleave/tla/value"
)

const config = `\* a comment
CONSTANTS N = 3 p = p
  S = {a, {1, -2}, "x"}
  Nat <- Small  Ballot <-[Voting] Few
INIT First NEXT Then
INVARIANTS A B
INVARIANT C
PROPERTY L
CONSTRAINT Bound
CHECK_DEADLOCK FALSE`

func TestConfig(t *testing.T) {
	c, err := tla.ParseConfig("M.cfg", config)
	if err != nil {
		t.Fatal(err)
	}
	if c.Init != "First" || c.Next != "Then" || len(c.Invariants) != 3 || c.Properties[0] != "L" || c.Constraints[0] != "Bound" || !c.NoDeadlock {
		t.Errorf("%+v", c)
	}
	var got []string
	for _, k := range c.Constants {
		s := k.Name + " <- " + k.In + " " + k.By
		if k.Value != nil {
			s = k.Name + " = " + value.Format(k.Value)
		}
		got = append(got, s)
	}
	want := `N = 3; p = p; S = {a, "x", {-2, 1}}; Nat <-  Small; Ballot <- Voting Few`
	if s := strings.Join(got, "; "); s != want {
		t.Errorf("got %s\nwant %s", s, want)
	}
}

func TestConfigErrors(t *testing.T) {
	for text, want := range map[string]string{
		"CONSTANT N 3":                                   "M.cfg:1:12: 3 where = or <- is expected, after N",
		"CONSTANT N = 1 INIT A CONSTANT N = 3":           "M.cfg:1:32: N is given a second time",
		"CONSTANTS N = N N <- M":                         "M.cfg:1:17: N is given a second time",
		"CONSTANTS N <-[A] M N <- M N <-[B] M N <-[A] K": "M.cfg:1:38: N is given a second time",
		"CHECK_DEADLOCK FALSE CHECK_DEADLOCK TRUE":       "M.cfg:1:22: a second CHECK_DEADLOCK",
		"INIT A INIT B":                                  "M.cfg:1:13: a second INIT",
		"POSTCONDITION P":                                "M.cfg:1:1: POSTCONDITION is not supported",
		"Foo":                                            "M.cfg:1:1: Foo where a section",
		"CONSTANT N = {1, 2":                             "M.cfg:1:19: the end of the text where } is expected",
		"INVARIANTS A, B":                                "M.cfg:1:13: a comma: what a section lists stands one after another, without commas",
		"CONSTANTS N = 1, M = 2":                         "M.cfg:1:16: a comma",
		"\"INVARIANT\" A":                                "M.cfg:1:1: the string \"INVARIANT\" where a section",
		"INVARIANT A \"NEXT\" B":                         "M.cfg:1:13: the string \"NEXT\" where a name is expected",
		"CHECK_DEADLOCK \"FALSE\"":                       "M.cfg:1:16: CHECK_DEADLOCK is followed by the string",
		"CONSTANT Op <- \"+\"":                           "M.cfg:1:16: the string \"+\" where the name of a definition is expected",
		"CONSTANT \"N\" = 1":                             "M.cfg:1:10: the string \"N\" where the name of a constant is expected",
		"CHECK_DEADLOCK MAYBE":                           "M.cfg:1:16: CHECK_DEADLOCK is followed by MAYBE",
		"CONSTANT N = 99999999999999999999":              "is no integer of 64 bits",
	} {
		if _, err := tla.ParseConfig("M.cfg", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %s", text, err, want)
		}
	}
}

func FuzzConfig(f *testing.F) {
	f.Add(config)
	f.Add("CONSTANT N = {{{1")
	f.Fuzz(func(t *testing.T, text string) {
		_, err := tla.ParseConfig("M.cfg", text)
		if _, ok := err.(*syntax.Error); err != nil && !ok {
			t.Errorf("%T: %v", err, err)
		}
	})
}
