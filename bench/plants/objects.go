package main

// objectBugs are bugs in how existing code is checked.
var objectBugs = []plant{
	{
		file: "spec/object/text.go",
		bug:  "maps that are shared have the text of copies",
		old:  "if first, met := w.seen[p]; met {\n\t\tw.line(\"^\" + first)",
		new:  "if first, met := w.seen[p]; met && first == \"?\" {\n\t\tw.line(\"^\" + first)",
		test: "TestText",
	},
	{
		file: "spec/object/text.go",
		bug:  "what is shared with a key of a map is not told",
		old:  "numbered := mayPoint(v.Type().Key())",
		new:  "numbered := false",
		test: "TestText",
	},
	{
		file: "spec/object/text.go",
		bug:  "the type of what is in an interface is not told",
		old:  "w.line(w.typeName(inside.Type()))",
		new:  "w.line(\"is\")",
		test: "TestTextsTell",
	},
	{
		file: "spec/object/text.go",
		bug:  "a pointer to nil is nil",
		old:  `w.under("*", func() { w.value(v.Elem()) })`,
		new:  `w.value(v.Elem())`,
		test: "TestTextsTell",
	},
	{
		file: "spec/object/text.go",
		bug:  "where a pointer was met before is not told",
		old:  "w.line(\"^\" + first)\n\t\treturn\n\t}\n\tw.seen[p] = string(w.path)\n\tswitch",
		new:  "w.line(\"^\" + first[:0])\n\t\treturn\n\t}\n\tw.seen[p] = string(w.path)\n\tswitch",
		test: "TestText",
	},
	{
		file: "spec/object/text.go",
		bug:  "a nil list is an empty one",
		old:  "if v.IsNil() {\n\t\t\tw.line(\"nil\")\n\t\t\treturn\n\t\t}\n\t\tif v.Type().Elem().Kind() != reflect.Uint8",
		new:  "if v.Type().Elem().Kind() != reflect.Uint8",
		test: "TestText",
	},
	{
		file: "spec/object/text.go",
		bug:  "two types of one name are taken for one",
		old:  "if taken == name && other != t {",
		new:  "if taken == name && other == nil {",
		test: "TestTextRefuses",
	},
	{
		file: "spec/object/ignore.go",
		bug:  "one name in Ignore means fields of two types",
		old:  "case len(owners) > 1:",
		new:  "case len(owners) > 2:",
		test: "TestIgnoreRefuses",
	},
	{
		file: "spec/object/ignore.go",
		bug:  "types that are nil at first are not known",
		old:  "case reflect.Pointer, reflect.Slice, reflect.Array:\n\t\tx.meet",
		new:  "case reflect.Array:\n\t\tx.meet",
		test: "TestIgnoreRefuses",
	},
	{
		file: "internal/cell/show.go",
		bug:  "what stands for an object is shown, and is in traces",
		old:  "if v, hides := Value(closed).(interface{ Seen() any }); hides {",
		new:  "if v, hides := Value(closed).(interface{ Seen() any }); hides && false {",
		test: "TestTraceOfAnotherVersion",
		in:   "spec/object",
	},
	{
		file: "model/changes.go",
		bug:  "a step seems to do nothing that changes what is not shown",
		old:  "if from != to && changes == nil {",
		new:  "if false {",
		test: "TestHiddenChange",
		in:   "spec/object",
	},
}
