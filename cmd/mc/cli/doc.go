// Package cli is the command line of mc, for any list of algorithms. To add an algorithm
// of your own, build your own mc, with one line:
//
//	func main() { cli.Main(nil, myelection.Algorithm) }
//
// With properties of your own, too:
//
//	func main() {
//		cli.Program{Machines: []spec.Machine{lock.Algorithm}, Properties: []properties.Property{lock.Exclusion}}.Main()
//	}
//
// Begin to read with cli.go, the program and its table of verbs. Each verb is a package in
// cmd/mc/internal: a struct of options, Command, which reads the command line into it, and a
// function that does the work. What it prints is in report.go, unless it is short. No verb
// imports another. What several need is below them:
//
//	ui         output, styles, progress, arguments, files, errors
//	exit       an error told, and its exit status
//	names      algorithms and properties by name
//	world      an algorithm in a configuration, and what is asked of it
//	limits     --mem and other limits
//	report     runs and findings in print
//	saved      traces that mc wrote
//	execution  logs and captures of real processes, read and judged
//	source     the line of a handler
//	yaml       files of settings
//	process    what is said of real processes
//
// Results go to standard output, progress and errors to standard error.
package cli
