package main

// reportBugs are bugs in what is printed and reported of what was found.
var reportBugs = []plant{
	{
		file: "properties/record.go",
		bug:  "a reason that is not UTF-8 gets into a trace",
		old:  "p.Name, printable.Text(why.Error())",
		new:  "p.Name, why.Error(); _ = printable.Text",
		test: "TestFoul", in: "cmd/mc/cli",
	},
	{
		file: "cmd/mc/cli/cli.go",
		bug:  "standard error gets what does not print",
		old:  "&printable.Writer{To: cursor, Styles: styleCodes}",
		new:  "cursor",
		test: "TestFoul",
	},
	{
		file: "properties/replay.go",
		bug:  "the reason in a trace is believed",
		old:  "\tt.Reason = printable.Text(why.Error())\n\treturn r, run, t.Reason, nil",
		new:  "\treturn r, run, printable.Text(why.Error()), nil",
		test: "TestReasonIsRecomputed", in: "cmd/mc/cli",
	},
	{
		file: "cmd/mc/cli/draw.go",
		bug:  "a drawing in a file has colours",
		old:  "if o.out != \"\" {",
		new:  "if false {",
		test: "TestDrawnFiles",
	},
	{
		file: "cmd/mc/cli/source.go",
		bug:  "reports name files from the folder that mc runs in",
		old:  "filepath.Rel(s.repository, file)",
		new:  "filepath.Rel(s.here, file)",
		test: "TestSources",
	},
	{
		file: "cmd/mc/cli/sweepcase.go",
		bug:  "rows that come to one configuration have one title",
		old:  "len(same) > 2 &&",
		new:  "len(same) > 4 &&",
		test: "TestSameRows",
	},
	{
		file: "internal/scratch/scratch.go",
		bug:  "what a process left half written stays",
		old:  "return free && (known",
		new:  "return free && false && (known",
		test: "TestFile",
	},
	{
		file: "internal/scratch/scratch.go",
		bug:  "a file that another process writes is taken for left over",
		old:  "\t\tlock(f)\n\t}\n\treturn f, err",
		new:  "\t}\n\treturn f, err",
		test: "TestFile",
	},
}
