package compiled

import (
	"testing"

	"pgregory.net/rapid"
)

func TestGrid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var g grid
		type cell struct{ row, column uint32 }
		want := map[cell]int32{}
		cells := rapid.Custom(func(t *rapid.T) cell {
			return cell{rapid.Uint32Range(0, 40).Draw(t, "row"), rapid.Uint32Range(0, 20).Draw(t, "column")}
		})
		t.Repeat(map[string]func(*rapid.T){
			"set": func(t *rapid.T) {
				c, v := cells.Draw(t, "cell"), rapid.Int32().Draw(t, "value")
				g.set(c.row, c.column, v)
				want[c] = v
			},
			"": func(t *rapid.T) {
				for row := range uint32(45) {
					for column := range uint32(25) {
						if got := g.at(row, column); got != want[cell{row, column}] {
							t.Fatalf("%d, %d: %d, want %d", row, column, got, want[cell{row, column}])
						}
					}
				}
			},
		})
	})
}
