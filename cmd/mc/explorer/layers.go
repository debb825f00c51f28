package explorer

import (
	"cmp"
	"slices"
)

// layered is a graph whose nodes lie in layers, to be drawn. It is laid out as Sugiyama,
// Tagawa and Toda do (IEEE SMC 1981): nodes are ordered within their layers by the mean
// place of their neighbours, to and fro, and then moved towards these. Distances are in
// units of the room of one node.
type layered struct {
	layers [][]int // nodes, in the order in which they stand
	up     [][]int // by node: neighbours in the layer before
	down   [][]int // and in the one after
	x      []float64
}

// sweeps is how often the layers are gone through, down and up.
const sweeps = 12

// lay returns where the nodes stand in their layers, from 0 on. An edge that does not
// lead from a layer to the next has no say.
func lay(layerOf []int, edges [][2]int) []float64 {
	n := len(layerOf)
	g := &layered{up: make([][]int, n), down: make([][]int, n), x: make([]float64, n)}
	for node, layer := range layerOf {
		for len(g.layers) <= layer {
			g.layers = append(g.layers, nil)
		}
		g.layers[layer] = append(g.layers[layer], node)
	}
	for _, e := range edges {
		if layerOf[e[1]] == layerOf[e[0]]+1 {
			g.down[e[0]], g.up[e[1]] = append(g.down[e[0]], e[1]), append(g.up[e[1]], e[0])
		}
	}
	for _, layer := range g.layers {
		g.stand(layer)
	}
	g.sweep(g.order)
	g.sweep(g.move)
	least := slices.Min(g.x)
	for i := range g.x {
		g.x[i] -= least
	}
	return g.x
}

// sweep goes through the layers down by those before and up by those after.
func (g *layered) sweep(each func(layer []int, neighbours [][]int)) {
	for range sweeps {
		for _, layer := range g.layers {
			each(layer, g.up)
		}
		for _, layer := range slices.Backward(g.layers) {
			each(layer, g.down)
		}
	}
}

// stand puts the nodes of a layer side by side, around the middle.
func (g *layered) stand(layer []int) {
	for i, node := range layer {
		g.x[node] = float64(i) - float64(len(layer)-1)/2
	}
}

// mean returns where the neighbours of a node stand, or itself if it has none.
func (g *layered) mean(node int, neighbours []int) float64 {
	if len(neighbours) == 0 {
		return g.x[node]
	}
	sum := 0.0
	for _, other := range neighbours {
		sum += g.x[other]
	}
	return sum / float64(len(neighbours))
}

// order sorts a layer by where the neighbours stand.
func (g *layered) order(layer []int, neighbours [][]int) {
	mean := map[int]float64{}
	for _, node := range layer {
		mean[node] = g.mean(node, neighbours[node])
	}
	slices.SortStableFunc(layer, func(a, b int) int { return cmp.Compare(mean[a], mean[b]) })
	g.stand(layer)
}

// move moves the nodes of a layer towards their neighbours, as far as each keeps its
// room: half way between what is possible from the left and from the right.
func (g *layered) move(layer []int, neighbours [][]int) {
	n := len(layer)
	left, right := make([]float64, n), make([]float64, n)
	for i, node := range layer {
		left[i] = g.mean(node, neighbours[node])
		right[i] = left[i]
	}
	for i := 1; i < n; i++ {
		left[i] = max(left[i], left[i-1]+1)
	}
	for i := n - 2; i >= 0; i-- {
		right[i] = min(right[i], right[i+1]-1)
	}
	for i, node := range layer {
		g.x[node] = (left[i] + right[i]) / 2
	}
}
