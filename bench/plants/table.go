package main

import "slices"

// table has every bug.
var table = slices.Concat(compiledBugs, conformanceBugs, exploreBugs, modelBugs, mutantBugs, processBugs, propertiesBugs, reportBugs, simulateBugs, tlaBugs)
