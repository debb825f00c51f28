package model_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"interleave/model"
	"interleave/model/modeltest"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/catalog"
	"interleave/spec/changroberts"
)

// TestConfigErrors wants one sentence for each thing that means nothing.
func TestConfigErrors(t *testing.T) {
	cr, fd, classic, tb := changroberts.Textbook, changroberts.Detecting, changroberts.Classic, bully.Mended
	for want, row := range map[string]struct {
		m spec.Machine
		c model.Config
	}{
		"n: 0 processes are out of range: give 1 to 16":         {tb, model.Config{}},
		"n: 3 processes are out of range: x/pair is for 1 to 2": {&spec.Algorithm[int, int]{Name: "x/pair", MaxN: 2, Receive: func(*int, *spec.Proc[int], spec.ID, int) {}, Election: &spec.Election[int, int]{Leader: func(int) spec.ID { return 1 }}}, model.Config{N: 3}},
		"n: 17 processes":                                         {tb, model.Config{N: 17}},
		"ring: bully/mended does not use the ring":                {tb, model.Config{N: 3, Ring: []spec.ID{1, 2, 3}}},
		"ring: [1 2 2] does not name each of the processes 1 to":  {cr, model.Config{N: 3, Ring: []spec.ID{1, 2, 2}}},
		"ring: [1 2] does not name":                               {cr, model.Config{N: 3, Ring: []spec.ID{1, 2}}},
		"initiators: {4} names processes that do not exist":       {cr, model.Config{N: 3, Initiators: model.Initiators{Only: spec.SetOf(4)}}},
		"initiators: give either":                                 {cr, model.Config{N: 3, Initiators: model.Initiators{Any: true, Only: 1}}},
		"crashes: 4 crashes are out of range: 0 to 3":             {cr, model.Config{N: 3, Crashes: 4}},
		"crashes: 3 crashes are out of range: 0 to 2":             {cr, model.Config{N: 3, Crashes: 3, Start: model.LeaderDown}},
		"crashes: -1 crashes":                                     {cr, model.Config{N: 3, Crashes: -1}},
		"split: it says where a crash may fall":                   {cr, model.Config{N: 3, Split: true}},
		"detector: chang-roberts/textbook has no Suspect":         {cr, model.Config{N: 3, Detector: model.Perfect}},
		"detector: there is no detector number 7":                 {fd, model.Config{N: 3, Detector: 7}},
		"network: there is no network number 9":                   {fd, model.Config{N: 3, Network: 9}},
		"timers: chang-roberts/textbook sets no timers":           {cr, model.Config{N: 3, Timers: model.Just}},
		"timers: there is no timing number 9":                     {tb, model.Config{N: 3, Timers: 9}},
		"timers: flush: nothing says when timer T of x/unruled":   {unruled, model.Config{N: 3}},
		"timers: just: nothing says when timer T of x/unruled":    {unruled, model.Config{N: 3, Timers: model.Just}},
		"timers: flush: timer T_coord of bully/mended would wait": {tb, model.Config{N: 3, Losses: 1}},
		"timers: just: timer T_coord of bully/mended would wait":  {tb, model.Config{N: 3, Partitions: 1, Timers: model.Just}},
		"timers: timed: how many ticks may a message take":        {tb, model.Config{N: 3, Timers: model.Timed}},
		"start: chang-roberts/classic has no Follow":              {classic, model.Config{N: 3, Start: model.LeaderDown}},
		"start: with the leader down nobody is left":              {cr, model.Config{N: 1, Start: model.LeaderDown}},
		"start: x/requests elects nobody, so there is nobody":     {modeltest.Requests, model.Config{N: 3, Start: model.LeaderDown}},
		"timers: mixed: x/wakes elects nobody":                    {wakes, model.Config{N: 3, Timers: model.Mixed}},
		"initiators: x/wakes has no Start, so nobody begins":      {wakes, model.Config{N: 3, Timers: model.Any, Initiators: model.Initiators{Any: true}}},
		"times: 256 is out of range: give 1 to 255, declared, or": {modeltest.Requests, model.Config{N: 3, Times: 256}},
		"times: -2 is out of range":                               {modeltest.Requests, model.Config{N: 3, Times: -2}},
		"times: bully/mended limits no action by Times":           {tb, model.Config{N: 3, Times: -1}},
		"network: x/rounds runs in lock-step rounds":              {rounds, model.Config{N: 3}},
		"algorithm : the name \"\" is empty":                      {&spec.Algorithm[int, int]{}, model.Config{N: 3}},
	} {
		err := row.c.Check(row.m)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(want, ": ") && strings.Count(err.Error(), "\n") > 3 {
			t.Errorf("%+v: %v; want %q", row.c, err, want)
		}
		if _, err := model.NewInterpreted(row.m, row.c, nil); err == nil {
			t.Errorf("%+v makes a system", row.c)
		}
	}
	for _, c := range []model.Config{{N: 3, Timers: model.Any}, {N: 3, Timers: model.Mixed}} {
		if err := c.Check(unruled); err != nil {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// unruled has a timer that elects nobody and of which nothing is known.
var unruled = &spec.Algorithm[int, int]{
	Name:     "x/unruled",
	Receive:  func(*int, *spec.Proc[int], spec.ID, int) {},
	Timeout:  func(*int, *spec.Proc[int], spec.Timer) {},
	Election: &spec.Election[int, int]{Leader: func(int) spec.ID { return spec.None }},
	Rules:    []spec.TimerRule[int, int]{{Name: "T"}},
}

// wakes has a timer, and elects nobody.
var wakes = &spec.Algorithm[int, int]{
	Name:    "x/wakes",
	Receive: func(*int, *spec.Proc[int], spec.ID, int) {},
	Timeout: func(*int, *spec.Proc[int], spec.Timer) {},
	Rules:   []spec.TimerRule[int, int]{{Name: "T"}},
}

var rounds = &spec.Algorithm[int, int]{
	Name:     "x/rounds",
	Round:    func(*int, *spec.Proc[int], []spec.Received[int]) {},
	Election: &spec.Election[int, int]{Leader: func(int) spec.ID { return spec.None }},
}

// TestAxesInWords writes worlds in words and as JSON, and reads them again.
func TestAxesInWords(t *testing.T) {
	for _, times := range []int{-1, 0, 1, 255} {
		var again model.Config
		word := model.Config{Times: times}.Value("times")
		if err := again.Set("times", word); err != nil || again.Times != times {
			t.Errorf("%d comes back from %q as %d, %v", times, word, again.Times, err)
		}
	}
	for _, m := range catalog.Machines {
		for _, c := range modeltest.Worlds(m) {
			var again model.Config
			for _, axis := range model.Axes {
				if err := again.Set(axis, c.Value(axis)); err != nil {
					t.Fatalf("%s of %+v: %v", axis, c, err)
				}
			}
			if !reflect.DeepEqual(again, c) {
				t.Errorf("%+v comes back from words as %+v", c, again)
			}
			text, err := json.Marshal(c)
			var back model.Config
			if err != nil || json.Unmarshal(text, &back) != nil || !reflect.DeepEqual(back, c) {
				t.Errorf("%+v comes back from JSON as %+v", c, back)
			}
		}
	}
}

func TestBadWords(t *testing.T) {
	for want, words := range map[string][2]string{
		`n: "x" is not a value it can have`:                         {"n", "x"},
		`ring: "1;2" is not a process from 1 to 16`:                 {"ring", "1;2"},
		`ring: 2 is named twice`:                                    {"ring", "2,2"},
		`initiators: "" is not a process`:                           {"initiators", ""},
		`network: "tcp" is not one of fifo, bag, set`:               {"network", "tcp"},
		`detector: "good" is not one of none, perfect, flushed`:     {"detector", "good"},
		`timers: "late" is not one of flush, mixed, just, any`:      {"timers", "late"},
		`start: "warm" is not one of cold, leader-down`:             {"start", "warm"},
		`split: "maybe" is not a value it can have`:                 {"split", "maybe"},
		`crashes: "99999999999999999999" is not a value it can`:     {"crashes", "99999999999999999999"},
		`times: "often" is not a value it can have: give 1 to 255,`: {"times", "often"},
		`times: "-1" is not a value it can have`:                    {"times", "-1"},
		`moon: there is no such axis: there are n, ring, initiato`:  {"moon", "full"},
	} {
		var c model.Config
		if err := c.Set(words[0], words[1]); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}

// TestHome: the world that an algorithm says is its own is one it can be in.
func TestHome(t *testing.T) {
	for _, m := range catalog.Machines {
		c, err := model.Home(m, 3)
		if err == nil {
			err = c.Check(m)
		}
		if err != nil {
			t.Error(err)
		}
	}
	if c, _ := model.Home(changroberts.Classic, 3); c.Network != model.Set || !c.Initiators.Any {
		t.Errorf("the classic is at home in %+v", c)
	}
	rounds := &spec.Algorithm[int, int]{
		Name: "x/rounds", Election: &spec.Election[int, int]{Leader: func(int) spec.ID { return spec.None }}, Round: func(*int, *spec.Proc[int], []spec.Received[int]) {},
	}
	if c, err := model.Home(rounds, 2); err != nil || c.Check(rounds) != nil {
		t.Errorf("an algorithm in rounds is at home in %+v, %v", c, err)
	}
}
