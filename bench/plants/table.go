package main

import "slices"

// table has every bug.
var table = slices.Concat(cellBugs, compiledBugs, conformanceBugs, exploreBugs, modelBugs, mutantBugs, processBugs, propertiesBugs, reportBugs, simulateBugs, tlaBugs)
