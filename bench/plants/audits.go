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
}
