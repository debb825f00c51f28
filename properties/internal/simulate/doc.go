// Package simulate takes single runs of a world that is too large for a search, by schedules with a seed. It finds
// violations, and verifies nothing.
//
// A walker takes runs by the tables of model/compiled, or by model.Interpreted where there are none. It expands one state
// at a time, and a schedule chooses a step (schedule.go). What walkers learn they keep for themselves, so tables are
// thrown away when they grow too large, and nothing else grows with the number of runs: coverage has a limit
// (coverage.go).
//
// Runs are numbered, and the number and the seed decide a run, whoever takes it: what a schedule knows of other runs is
// from earlier generations, each of which is merged in the order of the numbers (simulate.go). The violation of the first
// run that has one is made smaller (minimise.go), with the handlers alone.
package simulate
