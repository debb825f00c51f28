// Package forge spoils what honest processes leave behind: logs, and the capture
// of their packets. So it is tested what the checks of package conformance see.
//
//	for _, f := range forge.Logs {
//		for line := range logs.Lines(1) {
//			forged, honest, ok := f.Forge(logs, forge.Place{Log: 1, Line: line})
//
// A forgery changes one place: it deletes, copies, swaps, moves, alters or makes
// up. A forger of logs may be clumsy, or know how numbers, hashes and chain are
// computed. Where what he makes could be true, as the end of a log that a crash may
// have cut off, the forgery says so.
package forge
