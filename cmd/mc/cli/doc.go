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
// error. Begin to read with cli.go and verify.go.
package cli
