package logs

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"interleave/impl/runlog"
	"interleave/spec"
)

// others calls use with v altered in each field that there is in turn, under its name.
func others(v reflect.Value, name string, use func(name string)) {
	old := reflect.New(v.Type()).Elem()
	old.Set(v)
	set := func(to reflect.Value) {
		v.Set(to.Convert(v.Type()))
		use(name)
		v.Set(old)
	}
	switch {
	case v.Type() == reflect.TypeFor[time.Time]():
		set(reflect.ValueOf(v.Interface().(time.Time).Add(1)))
	case v.Kind() == reflect.Pointer && v.IsNil():
		set(reflect.New(v.Type().Elem()))
	case v.Kind() == reflect.Pointer:
		set(reflect.Zero(v.Type()))
		others(v.Elem(), name, use)
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			others(v.Field(i), name+"."+v.Type().Field(i).Name, use)
		}
	case v.Kind() == reflect.Slice:
		set(reflect.Append(v, reflect.New(v.Type().Elem()).Elem()))
		for i := range v.Len() {
			others(v.Index(i), name, use)
		}
	case v.Kind() == reflect.String:
		set(reflect.ValueOf(v.String() + "x"))
	case v.Kind() == reflect.Bool:
		set(reflect.ValueOf(!v.Bool()))
	case v.CanInt():
		set(reflect.ValueOf(v.Int() + 1))
	case v.CanUint():
		set(reflect.ValueOf(v.Uint() + 1))
	case v.Kind() == reflect.Map:
		set(reflect.MakeMap(v.Type()))
	}
}

// TestSame: two lines that differ in any field are not the same.
func TestSame(t *testing.T) {
	letter := func() *runlog.Letter { return &runlog.Letter{Kind: "OK", Message: json.RawMessage("1")} }
	full := func() *runlog.Record {
		live := spec.UpTo(2)
		return &runlog.Record{
			Input: &runlog.Input{Live: &live, Received: letter(), Inbox: []runlog.Letter{*letter()}}, Sends: []runlog.Sent{{Message: json.RawMessage("1")}},
			Outputs: []json.RawMessage{json.RawMessage("1")}, Armed: []string{"T"}, Stopped: []string{"T"}, State: json.RawMessage("{}"),
		}
	}
	for _, line := range []func() *runlog.Record{
		func() *runlog.Record { return &runlog.Record{} }, full,
		func() *runlog.Record {
			return &runlog.Record{Begin: &runlog.Begin{Durations: map[string]string{"T": "1s"}, Ring: []spec.ID{1}}}
		},
		func() *runlog.Record { return &runlog.Record{Lost: []runlog.Name{{}}, Reason: "late"} },
		func() *runlog.Record { return &runlog.Record{Breach: &runlog.Breach{Message: &runlog.Name{}}} },
	} {
		a, b := line(), line()
		if !same(a, b) {
			t.Fatalf("not the same: %+v %+v", a, b)
		}
		n := 0
		others(reflect.ValueOf(b).Elem(), "line", func(name string) {
			n++
			if same(a, b) || same(b, a) {
				t.Errorf("%s does not count", name)
			}
		})
		if n < 20 {
			t.Errorf("only %d fields", n)
		}
	}
}
