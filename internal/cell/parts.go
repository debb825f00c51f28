package cell

import (
	"fmt"
	"reflect"
	"strings"
)

// Part is one of a value, and where it is in the text. They lie one behind the other without a gap: a mark and the key
// of a map belong to the part behind them, the end of a list to the part before it.
type Part struct {
	Path       string        // as in "Log[2].Term"; empty: the whole
	At, Length int           // bytes
	Value      reflect.Value // a list or a map that is not nil stands for how many elements it has, which follow
}

// Parts returns all that have no parts themselves, and lists and maps before theirs. A list of bytes is one part.
func Parts(c Cell) []Part {
	var p parts
	p.walk("", c.value())
	p.end()
	return p.list
}

type parts struct {
	list []Part
	at   int // the bytes that were passed
	w    writer
}

func (p *parts) walk(path string, v reflect.Value) {
	switch kind := v.Kind(); {
	case kind == reflect.Struct:
		for i := range v.NumField() {
			p.walk(strings.TrimPrefix(path+"."+v.Type().Field(i).Name, "."), Field(v, i))
		}
	case kind == reflect.Array:
		for i := range v.Len() {
			p.walk(fmt.Sprintf("%s[%d]", path, i), v.Index(i))
		}
	case !mayBeNil(v.Type()), v.IsNil(), isBytes(v.Type()):
		p.pass(v)
		p.add(path, v)
	case kind == reflect.Pointer:
		p.at++
		p.walk(path, v.Elem())
	case kind == reflect.Slice:
		p.at++
		p.add(path, v)
		for i := range v.Len() {
			p.at++
			p.walk(fmt.Sprintf("%s[%d]", path, i), v.Index(i))
		}
		p.at++
		p.end()
	case kind == reflect.Map:
		p.at++
		p.add(path, v)
		for _, key := range sortedKeys(v) {
			p.at++
			p.pass(key)
			p.walk(fmt.Sprintf("%s[%s]", path, Shown(key)), element(v, key))
		}
		p.at++
		p.end()
	}
}

// pass passes the text of a value.
func (p *parts) pass(v reflect.Value) {
	p.w.b = p.w.b[:0]
	_ = p.w.put(v) // it has one
	p.at += len(p.w.b)
}

// add adds a part, of all that was passed since the one before.
func (p *parts) add(path string, v reflect.Value) {
	from := 0
	if n := len(p.list); n > 0 {
		from = p.list[n-1].At + p.list[n-1].Length
	}
	p.list = append(p.list, Part{path, from, p.at - from, v})
}

// end adds to the last part what was passed since.
func (p *parts) end() {
	if n := len(p.list); n > 0 {
		p.list[n-1].Length = p.at - p.list[n-1].At
	}
}
