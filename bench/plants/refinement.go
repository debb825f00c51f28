package main

// refinementBugs are bugs in how code is compared with an algorithm.
var refinementBugs = []plant{
	{
		file: "spec/refinement/step.go",
		bug:  "states are not compared",
		old:  "if at := unequal(want.state, got.state); at != \"\" {",
		new:  "if at := unequal(want.state, got.state); at == \"?\" {",
		test: "TestDifferences",
	},
	{
		file: "spec/refinement/step.go",
		bug:  "what is sent is not compared",
		old:  "if !sends(want).Same(sends(got)) {",
		new:  "if false {",
		test: "TestDifferences",
	},
	{
		file: "spec/refinement/step.go",
		bug:  "what is output is not compared",
		old:  "if x.output != nil && !outputs(want).Same(outputs(got)) {",
		new:  "if x.output == nil && !outputs(want).Same(outputs(got)) {",
		test: "TestDifferences",
	},
	{
		file: "spec/refinement/step.go",
		bug:  "what a crash leaves is not compared",
		old:  "if at := unequal(stable(&x.of, seen.state), x.memory(stable(&x.traits, s.after))); at != \"\" {",
		new:  "if at := unequal(stable(&x.of, seen.state), x.memory(stable(&x.traits, s.after))); at == \"?\" {",
		test: "TestDifferences",
	},
	{
		file: "spec/refinement/step.go",
		bug:  "a timer expires that the algorithm has not armed",
		old:  "case e.Kind == spec.Timeout && before.armed>>e.Timer&1 == 0:",
		new:  "case false:",
		test: "TestDifferences",
	},
	{
		file: "spec/refinement/step.go",
		bug:  "timers are not compared",
		old:  "if want.armed != got.armed {",
		new:  "if false {",
		test: "TestRelations",
	},
	{
		file: "spec/refinement/step.go",
		bug:  "where nothing happens in the algorithm, anything may in the code",
		old:  "if at := x.compare(before, seen); at != \"\" {",
		new:  "if at := x.compare(before, seen); at == \"?\" {",
		test: "TestRelations",
	},
	{
		file: "spec/refinement/step.go",
		bug:  "the code may do what the algorithm refuses",
		old:  "return fmt.Sprintf(\"%s refuses that\", x.of.Name)",
		new:  "return \"\"",
		test: "TestRelations",
	},
	{
		file: "spec/refinement/step.go",
		bug:  "a process may boot with what no process of the algorithm has then",
		old:  "at != \"\" && s.before == x.traits.Zero {",
		new:  "at == \"?\" && s.before == x.traits.Zero {",
		test: "TestRelations",
	},
	{
		file: "spec/refinement/refinement.go",
		bug:  "code of which nothing is assumed is not compared",
		old:  "return k.machine.with(k.Code.Strict())",
		new:  "return k.Code.Strict()",
		test: "TestDifferences",
	},
	{
		file: "spec/refinement/refinement.go",
		bug:  "an algorithm with Recover is compared with code without",
		old:  "if x.of.Handles.Has(k) && !x.traits.Handles.Has(k) {",
		new:  "if x.of.Handles.Has(k) && x.traits.Handles.Has(k) {",
		test: "TestRefuses",
	},
}
