// Package forge falsifies logs and packet captures of honest processes, to test what the
// checks of package conformance detect.
//
//	for _, f := range forge.Logs {
//		for line := range logs.Lines(1) {
//			forged, honest, ok := f.Forge(logs, forge.Place{Log: 1, Line: line})
//
// A forgery changes one place: it deletes, copies, swaps, moves, alters or makes up. A
// forger of logs may be clumsy, or may know how numbers, hashes and the hash chain are
// computed. A forgery that could be true says so, such as a log whose end is missing, as
// after a crash.
package forge
