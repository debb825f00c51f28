package main

// cellBugs are bugs in how values travel that == does not compare, and in what is shown of them.
var cellBugs = []plant{
	{
		file: "internal/cell/text.go",
		bug:  "a list that is read has room behind it, which all who append to it share",
		old:  "v.SetCap(v.Len())",
		new:  "_ = v.Len()",
		test: "TestAppending",
		in:   "properties",
	},
	{
		file: "properties/internal/plan/explicit.go",
		bug:  "what a property changes after the search goes unnoticed",
		old:  "cmp.Or(err, found.spoilt())",
		new:  "cmp.Or(err, nil)",
		test: "TestRecoverableSpoils",
		in:   "properties",
	},
	{
		file: "spec/machine.go",
		bug:  "a mutant is shown cells",
		old:  "a.around(&state, p, e.Opened(), func()",
		new:  "a.around(&state, p, e, func()",
		test: "TestAliasing",
		in:   "spec",
	},
	{
		file: "spec/call.go",
		bug:  "what is changed after it was sent goes unnoticed",
		old:  "if now != l.given {",
		new:  "if false {",
		test: "TestAliasing",
		in:   "spec",
	},
	{
		file: "spec/action.go",
		bug:  "When is asked of the state that the handler works on",
		old:  "act.When(cell.Copy(*s))",
		new:  "act.When(*s)",
		test: "TestWhenLooksOnly",
		in:   "spec",
	},
	{
		file: "internal/cell/text.go",
		bug:  "a nil list is an empty one",
		old:  "w.mark(!v.IsNil())",
		new:  "w.mark(true)",
		test: "TestLaws",
		in:   "internal/cell",
	},
}
