package compiled

// grid is a table of numbers by row and column that grows as it is filled. A cell that was not
// set holds 0, which is unlearned.
type grid struct {
	cells []int32
	width uint32 // in columns
}

// at returns what was set.
func (g *grid) at(row, column uint32) int32 {
	if i := int(row)*int(g.width) + int(column); column < g.width && i < len(g.cells) {
		return g.cells[i]
	}
	return unlearned
}

func (g *grid) set(row, column uint32, v int32) {
	if column >= g.width {
		g.widen(column)
	}
	if need := (int(row) + 1) * int(g.width); need > len(g.cells) {
		g.cells = append(g.cells, make([]int32, need-len(g.cells))...)
	}
	g.cells[int(row)*int(g.width)+int(column)] = v
}

// widen makes room for a column.
func (g *grid) widen(column uint32) {
	old := *g
	g.width = max(4, 2*old.width, column+1)
	g.cells = nil
	if old.width == 0 {
		return
	}
	g.cells = make([]int32, len(old.cells)/int(old.width)*int(g.width))
	for i, v := range old.cells {
		g.cells[i/int(old.width)*int(g.width)+i%int(old.width)] = v
	}
}

func (g *grid) bytes() int64 { return int64(cap(g.cells)) * 4 }
