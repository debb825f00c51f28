package cell

import (
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"testing"
)

// TestNamesInTags: Plain takes the names in tags that encoding/json takes.
func TestNamesInTags(t *testing.T) {
	for c := range rune(0x3000) {
		name := "x" + string(c)
		if c == ',' { // what comes after it are options
			continue
		}
		one := reflect.StructOf([]reflect.StructField{{Name: "A", Type: reflect.TypeFor[int](), Tag: reflect.StructTag("json:" + strconv.Quote(name))}})
		text, err := json.Marshal(reflect.Zero(one).Interface())
		var written map[string]int
		if err := errors.Join(err, json.Unmarshal(text, &written)); err != nil {
			t.Fatal(err)
		}
		_, taken := written[name]
		if err := Plain(one, "state"); (err == nil) != taken {
			t.Errorf("%q is in %s, and %v", name, text, err)
		}
	}
}
