package main

import "slices"

// table has every bug.
var table = slices.Concat(auditBugs, cellBugs, compiledBugs, conformanceBugs, etcdraftBugs, exploreBugs, modelBugs, mutantBugs, objectBugs, persistBugs, processBugs, propertiesBugs, refinementBugs, reportBugs, simulateBugs, tlaBugs)
