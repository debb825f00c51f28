// Package tla checks TLA+ modules without Java: it reads a module and its configuration,
// and explores its states with package explore. The PlusCal modules of the catalogue are in
// this folder, too.
//
// A module is looked for only in the folder of the root module; the standard modules are
// built in. What the front-end does not support is an error with a name and a position:
// nothing in a specification or a configuration is silently ignored.
package tla
