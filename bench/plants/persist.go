package main

// persistBugs are bugs in crashes between persisting and sending.
var persistBugs = []plant{
	{
		file: "model/faults.go",
		bug:  "a crash that leaves all as it was counts as one within the step",
		old:  "least++ // what was there before: like a crash before the step",
		new:  "",
		test: "TestPersist", in: "spec/object",
	},
	{
		file: "model/handlers.go",
		bug:  "a step that persists nothing new has all on its disk at once",
		old:  "if p.Memory != on || i == len(all)-1 && some == nil {",
		new:  "if p.Memory != on || i > len(all) {",
		test: "TestPersist", in: "spec/object",
	},
	{
		file: "model/handlers.go",
		bug:  "a crash leaves what the step leaves, whatever it has persisted",
		old:  "after.State = persists[disk-2].Memory",
		new:  "_ = persists[disk-2].Memory",
		test: "TestPersist", in: "spec/object",
	},
	{
		file: "model/compiled/localsteps.go",
		bug:  "tables forget what was on the disk before the step",
		old:  "w.reference.AfterCut(before, after, fx.Persists, disk)",
		new:  "w.reference.AfterCut(before, after, fx.Persists, max(disk, 2))",
		test: "TestTablesOfPersisting",
	},
	{
		file: "model/compiled/fire.go",
		bug:  "no crash comes when all is sent and not all is persisted",
		old:  "\t\tif x.mayCut {",
		new:  "\t\tif x.mayCut && k < len(m.Sends) {",
		test: "TestTablesOfPersisting",
	},
	{
		file: "model/diagram/events.go",
		bug:  "in diagrams a crash leaves what the step leaves, whatever it has persisted",
		old:  "if disk > 0 {",
		new:  "if false {",
		test: "TestPersistEngines", in: "spec/object",
	},
	{
		file: "spec/machine.go",
		bug:  "when something is persisted is no part of what a step does",
		old:  "slices.Equal(fx.Persists, other.Persists) && ",
		new:  "",
		test: "TestPersistAudited", in: "spec/object",
	},
	{
		file: "spec/mutant.go",
		bug:  "what is persisted stays behind messages that are taken back",
		old:  "fx.Persists[i].Sends = kept[fx.Persists[i].Sends]",
		new:  "fx.Persists[i].Sends += len(kept) - len(kept)",
		test: "TestPersist", in: "spec/object",
	},
	{
		file: "model/event.go",
		bug:  "a trace does not say what is on the disk",
		old:  "e.Disk > 0 {",
		new:  "e.Disk > 1000 {",
		test: "TestScripts/code", in: "cmd/mc",
	},
	{
		file: "conformance/drive/scheduler.go",
		bug:  "real processes are driven to crash before they persist",
		old:  "if e.Disk > 0 {",
		new:  "if false {",
		test: "TestImpossible",
	},
}
