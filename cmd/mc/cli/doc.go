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
// Each verb has a file of its name: a struct of options, a function that reads the command
// line into it, and a function that does the work, which tests call. Further files of a
// verb begin with its name. Results go to standard output, progress and errors to standard
// error.
//
// Begin to read with cli.go, the program and its exit statuses, and verify.go, the main verb.
// What several verbs use:
//
//	names.go     algorithms and properties by name
//	usage.go     arguments, and what is wrong with them
//	limits.go    --mem and other limits
//	files.go     files that are to be written
//	progress.go  how the work is getting on
//	trace.go     the steps of a run
//	source.go    the line of a handler
//	expect.go    what a property may come to, and what was expected
//	words.go     numbers in words
//	style.go     colours, widths, wrapping
package cli
