// Package tla checks TLA+ modules without Java: it reads a module and its
// configuration, and explores its states with package explore. The PlusCal modules
// of the catalogue live in this folder, too.
//
// A module is looked for in the folder of the root module and nowhere else; the
// standard modules are built in. What the front-end does not support is an error
// that names it and where it stands: nothing in a specification or a configuration
// is passed over.
package tla
