package main

// tlaBugs are bugs in what modules mean, and in their values.
var tlaBugs = []plant{
	{
		file: "tla/eval/spec.go",
		bug:  "an argument of a specification has a slot that its steps use for another name",
		old:  "op.inside(op.scope.bind(op.params, args, f.p), x, f.p)",
		new:  "op.inside(func() *scope { sc, _ := (&compiler{init: true}).bind(op, args, f.p); return sc }(), x, f.p)",
		test: "TestArguments", in: "tla",
	},
	{
		file: "tla/value/value.go",
		bug:  "model values are not found in a set that is not enumerated",
		old:  "look(Explicit(v))",
		new:  "look(v)",
		test: "TestModels",
	},
	{
		file: "tla/export/world.tmpl",
		bug:  "an exported action that need not happen has to",
		old:  "{{if .Optional}} \\/ ~ r.obliged{{end}}",
		new:  "",
		test: "TestRequests",
	},
	{
		file: "tla/export/tables.go",
		bug:  "an exported action that spends its own budget is no action that has to happen",
		old:  "value.Bool(s.Rule.Obliged())",
		new:  "value.Bool(s.Rule.Obliged() && s.Rule.Spends == model.Unlimited)",
		test: "TestRequests",
	},
}
