package main

// auditBugs are bugs in what finds that existing code cannot be checked as it is.
var auditBugs = []plant{
	{
		file: "spec/machine.go",
		bug:  "a panic of Timers is taken for one of Handle",
		old:  "if fault, its := r.(*CodeError); its {",
		new:  "if fault, its := r.(*CodeError); its && false {",
		test: "TestBadInput", in: "spec/object",
	},
	{
		file: "properties/watchdog.go",
		bug:  "code that cannot be checked is taken for a handler that ends its goroutine",
		old:  "a.end(place, back || said != nil)",
		new:  "a.end(place, back)",
		test: "TestBadInput", in: "spec/object",
	},
	{
		file: "spec/object/table.go",
		bug:  "what Load loses goes unnoticed",
		old:  "\t\tt.checkSaved(l, o)\n",
		new:  "",
		test: "TestBadInput",
	},
	{
		file: "spec/object/table.go",
		bug:  "what Open loses of the disk goes unnoticed",
		old:  "before != none && before != after",
		new:  "before != none && before == nil",
		test: "TestBadInput",
	},
	{
		file: "spec/object/code.go",
		bug:  "a panic of View, Disk, Key, Save or Load has no name",
		old:  "if said := recover(); said != nil {",
		new:  "if said := error(nil); said != nil {",
		test: "TestBadInput",
	},
	{
		file: "spec/object/audit.go",
		bug:  "histories differ in their last event only",
		old:  "i > 0 && at.before != nil",
		new:  "i > otherHistories && at.before != nil",
		test: "TestAudits",
	},
	{
		file: "spec/object/audit.go",
		bug:  "of how a state comes about only one way is tried",
		old:  "way := []hop{hops[i*len(hops)/otherHistories]}",
		new:  "way := []hop{hops[0]}",
		test: "TestHideouts",
	},
	{
		file: "spec/object/audit.go",
		bug:  "what another history does is not compared",
		old:  "if !fx.Same(x.step.effects) {",
		new:  "if false {",
		test: "TestAudits",
	},
	{
		file: "spec/object/audit.go",
		bug:  "where another history leads is not compared",
		old:  "string(before) != string(text)",
		new:  "before == nil",
		test: "TestHideouts",
	},
	{
		file: "spec/object/code.go",
		bug:  "with nothing assumed, fields are ignored",
		old:  "s.Key, s.Ignore = nil, nil",
		new:  "s.Key = nil",
		test: "TestAudits",
	},
	{
		file: "cmd/mc/internal/trace/text.go",
		bug:  "what was there before is no difference",
		old:  "case len(before) > 0 && !is[before[0]]:",
		new:  "case len(before) > 1<<20 && !is[before[0]]:",
		test: "TestScripts/text", in: "cmd/mc",
	},
	{
		file: "properties/audit.go",
		bug:  "a search that was cut short does not say which parts have the most values",
		old:  "if !r.Stats.Complete && r.Verdict != Violated {",
		new:  "if false {",
		test: "TestScripts/text", in: "cmd/mc",
	},
}
