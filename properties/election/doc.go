// Package election has what an election must guarantee: its properties by name, those to check of an
// algorithm when none are named, and the predicates that formulas about elections are made of.
//
// Package properties knows nothing of leaders. Whoever wants these names passes it the Catalogue:
//
//	properties.Verify(ctx, bully.Published, world, nil, properties.Options{Catalogue: election.Catalogue})
//
// or uses Test, as a gate in any go test.
package election
