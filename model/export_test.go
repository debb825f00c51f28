package model

// WhyNot returns what keeps a condition from being met in s, in words, if anything does.
func (r *Reference) WhyNot(s State, c Condition) (why string, blocked bool) {
	by, blocked := r.blocks(s, c)
	return c.whyNot(Rule{}, by), blocked
}
