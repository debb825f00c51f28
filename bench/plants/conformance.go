package main

// conformanceBugs are bugs in what compares real runs with an algorithm.
var conformanceBugs = []plant{
	{
		file: "conformance/frontier/world.go",
		bug:  "a step is remembered without the value that its action was asked for with",
		old:  "e.Action, e.Value}",
		new:  "e.Action, nil}",
		test: "TestFrontiersAgree/poll/yes-or-no/2/false", in: "conformance",
	},
	{
		file: "conformance/frontier/world.go",
		bug:  "of what a handler chooses one answer is left out",
		old:  "range fx.Choose {",
		new:  "range max(fx.Choose-1, min(fx.Choose, 1)) {",
		test: "TestFrontiersAgree/poll/yes-or-no/2/false", in: "conformance",
	},
	{
		file: "conformance/frontier/hidden.go",
		bug:  "clients ask with declared values only",
		old:  "if !declared(act) {",
		new:  "if false && !declared(act) {",
		test: "TestUndeclaredValues", in: "conformance",
	},
	{
		file: "conformance/captures/safety.go",
		bug:  "what holds of declared values holds in all explanations",
		old:  "asked := c.world.Undeclared != 0",
		new:  "asked := false",
		test: "TestUndeclaredValues", in: "conformance",
	},
	{
		file: "conformance/captures/explanation.go",
		bug:  "an explanation does not say what was chosen",
		old:  "Round: in.Round, Choices: in.Choices}",
		new:  "Round: in.Round}",
		test: "TestFrontiersAgree/poll/yes-or-no/2/false", in: "conformance",
	},
	{
		file: "conformance/logs/step.go",
		bug:  "a step that does not say what it chooses changes nothing",
		old:  "case fx.Choose > 0:",
		new:  "case false:",
		test: "TestUnansweredInLogs", in: "conformance",
	},
	{
		file: "conformance/logs/step.go",
		bug:  "choices are the word of the log",
		old:  "after, fx := c.machine.Step(p.id, c.ring, p.state, e)\n\tswitch {",
		new:  "after, fx := c.machine.Step(p.id, c.ring, p.state, e)\n\tfor fx.Choose > 0 {\n\t\te.Choices = append(e.Choices, 0)\n\t\tafter, fx = c.machine.Step(p.id, c.ring, p.state, e)\n\t}\n\tswitch {",
		test: "TestActionsInLogs", in: "conformance",
	},
	{
		file: "conformance/drive/compare.go",
		bug:  "what a driven process chooses is not compared",
		old:  "case !slices.Equal(e.Choices, want.Choices):",
		new:  "case false:",
		test: "TestActions",
	},
	{
		file: "conformance/drive/perform.go",
		bug:  "a driven process chooses for itself",
		old:  "s.choices[id-1].answer(m)",
		new:  "s.choices[id-1].answer(&group{})",
		test: "TestActions",
	},
	{
		file: "conformance/gotest/gotest.go",
		bug:  "the events of a written test have no choices",
		old:  "if e.Choices != nil {",
		new:  "if false {",
		test: "TestActions",
	},
	{
		file: "model/handlers.go",
		bug:  "of what a handler chooses one answer does not come",
		old:  "for answer := range fx.Choose {",
		new:  "for answer := range max(fx.Choose-1, 1) {",
		test: "TestRequests", in: "properties/certificate",
	},
}
