// Package cli is the command line of mc, for any list of algorithms: whoever
// adds an algorithm builds an mc of their own with one line.
//
//	func main() { cli.Main(nil, myelection.Algorithm) }
//
// With properties of their own, too:
//
//	func main() {
//		cli.Program{Machines: []spec.Machine{lock.Algorithm}, Properties: []properties.Property{lock.Exclusion}}.Main()
//	}
//
// Each verb is one file: a struct of options, a function that reads the
// command line into it, and a function that does the work and is what tests
// call. Results go to standard output, progress and errors to standard error.
package cli
