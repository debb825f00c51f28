package syntax

// MaxDepth is how deeply expressions and modules may be nested.
const MaxDepth = 500
