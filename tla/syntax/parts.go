package syntax

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
