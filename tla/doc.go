// Package tla is where the PlusCal modules of the catalogue live, and a
// front-end that explores them without Java. Nothing of it is built yet.
package tla
