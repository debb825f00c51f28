// Package bench is where Interleave is measured side by side with its peers.
// Nothing of it is built yet; go test ./model -run '^$' -bench Search measures
// the search alone.
package bench
