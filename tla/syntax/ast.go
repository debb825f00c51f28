package syntax

// Module is a module as written.
type Module struct {
	Ident
	File    string
	Extends []Ident
	Units   []Unit
}

// Ident is a name and its position.
type Ident struct {
	At   Pos
	Name string
}

// Param is a parameter of an operator, or a declared constant. Its Arity is 0 unless it
// is an operator itself.
type Param struct {
	Ident
	Arity int
}

// Unit is a declaration, a definition or another part of a module's body. It is one of
// *Constants, *Variables, *Recursive, *Assume, *Theorem, *OpDef, *Instance, *Module.
type Unit interface{ Pos() Pos }

// Constants declares constants.
type Constants struct {
	at
	Names []Param
}

// Variables declares variables.
type Variables struct {
	at
	Names []Ident
}

// Recursive declares operators that may be used before they are defined.
type Recursive struct {
	at
	Names []Param
}

// Assume states an assumption; Name may be empty.
type Assume struct {
	Ident
	Body Expr
}

// Theorem is a theorem without its proof. Body is nil for ASSUME ... PROVE.
type Theorem struct {
	Ident
	Body Expr
}

// OpDef defines an operator. If Function is set, it defines a function: Body constructs
// it and may use its name.
type OpDef struct {
	Ident
	Local    bool
	Function bool
	Params   []Param
	Body     Expr
}

// Instance is INSTANCE Module WITH ... Name is empty unless the instance has a name.
type Instance struct {
	Ident
	Local  bool
	Params []Param
	Module Ident
	With   []Substitution
}

// Substitution is Name <- Value.
type Substitution struct {
	Ident
	Value Expr
}

func (i Ident) Pos() Pos { return i.At }

// Expr is an expression: one of the types below.
type Expr interface{ Pos() Pos }

type at struct{ At Pos }

func (a at) Pos() Pos { return a.At }

type (
	// Ref is a name or an applied operator, however it is written: prefix, infix,
	// postfix or by name. The name of unary minus is "-.", that of prime is "'". It has
	// several steps if ! is between them; all but the last are named instances.
	Ref struct {
		at
		Steps  []Step
		Closed bool // it is in parentheses
	}
	// Step is a part of a Ref.
	Step struct {
		Ident
		Args []Expr
	}
	// Numeral is a number as written.
	Numeral struct {
		at
		Text string
	}
	// Text is a string.
	Text struct {
		at
		Value string
	}
	// Current is the @ of EXCEPT.
	Current struct{ at }
	// Lambda is LAMBDA Params : Body.
	Lambda struct {
		at
		Params []Param
		Body   Expr
	}
	// Let is LET Defs IN Body.
	Let struct {
		at
		Defs []Unit
		Body Expr
	}
	// If is IF Cond THEN Then ELSE Else.
	If struct {
		at
		Cond, Then, Else Expr
	}
	// Case is CASE; Other may be nil.
	Case struct {
		at
		Arms  []Arm
		Other Expr
	}
	// Arm is Cond -> Body.
	Arm struct{ Cond, Body Expr }
	// Bound is Names \in Set, or if Tuple is set, <<Names>> \in Set. Set may be nil.
	Bound struct {
		Names []Ident
		Tuple bool
		Set   Expr
	}
	// Quantified is \A, \E, \AA or \EE.
	Quantified struct {
		at
		Symbol string
		Bounds []Bound
		Body   Expr
	}
	// Choose is CHOOSE Bound : Body.
	Choose struct {
		at
		Bound Bound
		Body  Expr
	}
	// SetOf is {Elems}.
	SetOf struct {
		at
		Elems []Expr
	}
	// Filter is {Bound : Body}.
	Filter struct {
		at
		Bound Bound
		Body  Expr
	}
	// Image is {Body : Bounds}.
	Image struct {
		at
		Body   Expr
		Bounds []Bound
	}
	// Tuple is <<Elems>>.
	Tuple struct {
		at
		Elems []Expr
	}
	// Product is Factors with \X between.
	Product struct {
		at
		Factors []Expr
		open    bool // another factor may follow
	}
	// Function is [Bounds |-> Body].
	Function struct {
		at
		Bounds []Bound
		Body   Expr
	}
	// Functions is [From -> To].
	Functions struct {
		at
		From, To Expr
	}
	// Record is [a |-> e, ...], or if Set is set, [a : S, ...].
	Record struct {
		at
		Set    bool
		Fields []Field
	}
	// Field is a field of a record.
	Field struct {
		Ident
		Value Expr
	}
	// Except is [Fn EXCEPT Updates].
	Except struct {
		at
		Fn      Expr
		Updates []Update
	}
	// Update is !Path = Value. A component of the path is the list in brackets; a field
	// is a Text.
	Update struct {
		At    Pos
		Path  [][]Expr
		Value Expr
	}
	// Index is Fn[Args].
	Index struct {
		at
		Fn   Expr
		Args []Expr
	}
	// Select is Rec.Name.
	Select struct {
		at
		Rec  Expr
		Name string
	}
	// Junction is a conjunction or a disjunction, written as a list or infix. The chain
	// A /\ B /\ C has three items, although its operands are A /\ B and C.
	Junction struct {
		at
		And   bool
		Infix bool
		Items []Expr
		open  bool // it is infix, and another item may follow
	}
	// Square is [Action]_Sub, or if Angle is set, <<Action>>_Sub.
	Square struct {
		at
		Angle  bool
		Action Expr
		Sub    Expr
	}
	// Fair is WF_Sub(Action), or if Strong is set, SF_Sub(Action).
	Fair struct {
		at
		Strong bool
		Sub    Expr
		Action Expr
	}
	// Label is Name(Params) :: Body.
	Label struct {
		at
		Name *Ref
		Body Expr
	}
)

// NewRef returns the expression that is a name.
func NewRef(pos Pos, name string) *Ref {
	return &Ref{at: at{pos}, Steps: []Step{{Ident: Ident{pos, name}}}}
}

// NewJunction returns a conjunction, or a disjunction, that stands at a place.
func NewJunction(pos Pos, and bool, items ...Expr) *Junction {
	return &Junction{at: at{pos}, And: and, Items: items}
}

// NewSquare returns [action]_sub, or if angle is set, <<action>>_sub.
func NewSquare(angle bool, action, sub Expr) *Square {
	return &Square{at{action.Pos()}, angle, action, sub}
}

// Parts returns the parts of an expression that is no name and binds none.
func Parts(x Expr) (all []Expr) {
	switch x := x.(type) {
	case *If:
		return []Expr{x.Cond, x.Then, x.Else}
	case *Case:
		for _, a := range x.Arms {
			all = append(all, a.Cond, a.Body)
		}
		return append(all, x.Other)
	case *Junction:
		return x.Items
	case *SetOf:
		return x.Elems
	case *Tuple:
		return x.Elems
	case *Product:
		return x.Factors
	case *Functions:
		return []Expr{x.From, x.To}
	case *Record:
		for _, f := range x.Fields {
			all = append(all, f.Value)
		}
	case *Except:
		all = append(all, x.Fn)
		for _, u := range x.Updates {
			for _, args := range u.Path {
				all = append(all, args...)
			}
			all = append(all, u.Value)
		}
	case *Index:
		return append([]Expr{x.Fn}, x.Args...)
	case *Select:
		return []Expr{x.Rec}
	case *Square:
		return []Expr{x.Action, x.Sub}
	case *Fair:
		return []Expr{x.Sub, x.Action}
	case *Label:
		return []Expr{x.Body}
	}
	return all
}
