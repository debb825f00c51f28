package main

import "slices"

// table has every bug.
var table = slices.Concat(certificateBugs)

var certificateBugs = []plant{
	{
		file: "properties/certificate/check.go",
		bug:  "a certificate need hold only the first initial state",
		old:  "\t\tif !found {\n\t\t\treturn refuted(now, nil, \"an initial state is not in the set\")",
		new:  "\t\tif !found && len(initial) == 0 {\n\t\t\treturn refuted(now, nil, \"an initial state is not in the set\")",
		test: "TestRefusesALackingBeginning",
	},
	{
		file: "properties/certificate/check.go",
		bug:  "only the first initial state of a certificate is looked at",
		old:  "range k.reference.Initial() {",
		new:  "range k.reference.Initial()[:1] {",
		test: "TestRefusesALackingBeginning",
	},
}
