// Package gotest writes a counterexample of the model as a Go test.
package gotest
