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
		old:  "&printable.Writer{To: cursor, Styled: true}",
		new:  "cursor",
		test: "TestFoul",
	},
	{
		file: "internal/printable/style.go",
		bug:  "a text has colours if it has the codes of ours",
		old:  `"\x1b\\[" + mark + "([0-9;]*m)"`,
		new:  `"\x1b\\[(?:" + mark + ")?([0-9;]*m)"`,
		test: "TestStyles",
	},
	{
		file: "cmd/mc/cli/progress.go",
		bug:  "progress has the codes of what is being searched",
		old:  "printable.Styled(styleFaint.Render(line))",
		new:  "styleFaint.Render(line)",
		test: "TestOwnCursorOnly",
	},
	{
		file: "spec/machine.go",
		bug:  "what an algorithm says of itself takes several lines",
		old:  "Doc: oneLine(a.Doc), Source: oneLine(a.Source),",
		new:  "Doc: a.Doc, Source: a.Source,",
		test: "TestOwnStylesOnly", in: "cmd/mc/cli",
	},
	{
		file: "cmd/mc/cli/names.go",
		bug:  "the name of a property has line breaks",
		old:  "\t\tnames = append(names, p.Name)\n\t}\n\tslices.Sort",
		new:  "\t\t_ = p\n\t}\n\tslices.Sort",
		test: "TestNamesOnTheirLine",
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
