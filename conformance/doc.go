// Package conformance is where real runs are compared with the model: logs and
// packet captures of impl against the worlds of model, and Go algorithms
// against the modules of tla. Nothing of it is built yet.
package conformance
