package explorer

import (
	"slices"

	"interleave/model"
)

// A Comparison says which steps of two courses are the same: of each pair the number in
// either, 0 where that has none. The first pair is the initial states.
type Comparison struct {
	A     *View    `json:"a"`
	B     *View    `json:"b"`
	Pairs [][2]int `json:"pairs"`
}

// maxAligned bounds the pairs of steps that an alignment looks at.
const maxAligned = 4 << 20

// taken is a step as it is compared.
type label struct {
	process int
	text    string
}

func labelsOf(c *course, steps []model.Step) []label {
	var out []label
	for _, s := range steps {
		out = append(out, label{int(s.Event.Process), c.reference.Describe(s.Event)})
	}
	return out
}

// align pairs as many equal steps as it can, in order; of long runs, those that they
// begin and end with.
func align(a, b *course) [][2]int {
	x, y := labelsOf(a, a.run.Steps), labelsOf(b, b.run.Steps)
	pairs := [][2]int{{0, 0}}
	begin := 0
	for begin < min(len(x), len(y)) && x[begin] == y[begin] {
		begin++
		pairs = append(pairs, [2]int{begin, begin})
	}
	end := 0
	for end < min(len(x), len(y))-begin && x[len(x)-1-end] == y[len(y)-1-end] {
		end++
	}
	middle := common(x[begin:len(x)-end], y[begin:len(y)-end])
	for _, p := range middle {
		for k := range p {
			if p[k] > 0 {
				p[k] += begin
			}
		}
		pairs = append(pairs, p)
	}
	for k := end; k > 0; k-- {
		pairs = append(pairs, [2]int{len(x) - k + 1, len(y) - k + 1})
	}
	return pairs
}

// common pairs the steps of a longest common subsequence, and leaves the others alone.
func common(x, y []label) [][2]int {
	var pairs [][2]int
	i, j := 0, 0
	if len(x)*len(y) <= maxAligned {
		longest := make([][]int32, len(x)+1) // of what is left
		for i := range longest {
			longest[i] = make([]int32, len(y)+1)
		}
		for i, dx := range slices.Backward(x) {
			for j, dy := range slices.Backward(y) {
				if dx == dy {
					longest[i][j] = longest[i+1][j+1] + 1
				} else {
					longest[i][j] = max(longest[i+1][j], longest[i][j+1])
				}
			}
		}
		for i < len(x) && j < len(y) {
			switch {
			case x[i] == y[j]:
				i, j = i+1, j+1
				pairs = append(pairs, [2]int{i, j})
			case longest[i+1][j] >= longest[i][j+1]:
				i++
				pairs = append(pairs, [2]int{i, 0})
			default:
				j++
				pairs = append(pairs, [2]int{0, j})
			}
		}
	}
	for ; i < len(x); i++ {
		pairs = append(pairs, [2]int{i + 1, 0})
	}
	for ; j < len(y); j++ {
		pairs = append(pairs, [2]int{0, j + 1})
	}
	return pairs
}
