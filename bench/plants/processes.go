package main

// processBugs are bugs in real processes, and in what is said of their runs.
var processBugs = []plant{
	{
		file: "impl/timers.go",
		bug:  "fair actions are tried again though nothing came of them",
		old:  "n.fruitless = n.moment()",
		new:  "n.fruitless = moment{}",
		test: "TestFairActions", in: "impl",
	},
	{
		file: "impl/timers.go",
		bug:  "actions that are not fair happen by themselves",
		old:  "return a.Fair && !a.Leaderless }",
		new:  "return !a.Leaderless }",
		test: "TestFairActions", in: "impl",
	},
	{
		file: "impl/request.go",
		bug:  "a field that a client misspells is 0",
		old:  "if !reflect.DeepEqual(said, read) {",
		new:  "if false && !reflect.DeepEqual(said, read) {",
		test: "TestRequests", in: "impl",
	},
	{
		file: "impl/http.go",
		bug:  "the page of any site asks for actions",
		old:  "return http.NewCrossOriginProtection().Handler(mux)",
		new:  "return mux",
		test: "TestRequestOfAnotherSite", in: "impl",
	},
	{
		file: "impl/runlog/scan.go",
		bug:  "the value of an action is skipped",
		old:  "in.Value = s.raw()",
		new:  "s.raw()",
		test: "TestScan", in: "impl/runlog",
	},
	{
		file: "impl/cluster/history.go",
		bug:  "no state of a run is judged but quiescent ones",
		old:  "h.ask(spec.Invariants, r.Time)",
		new:  "_ = r.Time",
		test: "TestNobodyIsElected/put_9", in: "impl/cluster",
	},
	{
		file: "impl/cluster/history.go",
		bug:  "no moment of a run is quiescent",
		old:  "now.Sub(since) >= h.rest &&",
		new:  "now.Sub(since) >= 1000*h.rest &&",
		test: "TestNobodyIsElected/put_7", in: "impl/cluster",
	},
	{
		file: "spec/property.go",
		bug:  "a run may end in a deadlock",
		old:  "if !w.Idle(p) {",
		new:  "if false && !w.Idle(p) {",
		test: "TestNobodyIsElected/put_5", in: "impl/cluster",
	},
}
