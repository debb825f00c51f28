package impl_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"interleave/impl"
	"interleave/impl/transport"
	"interleave/spec"
	"interleave/spec/bully"
)

// The handlers that are checked run as real processes: here three of them, connected in
// memory; transport.NewUDP and transport.NewTCP connect them by a network.
func ExampleNew() {
	net := transport.NewSwitch(nil)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var all sync.WaitGroup
	var nodes []*impl.Node
	for id := spec.ID(1); id <= 3; id++ {
		node, err := impl.New(impl.Config{Machine: bully.Mended, ID: id, Ring: []spec.ID{1, 2, 3}, Transport: net.Plug(id), Delta: 50 * time.Millisecond})
		if err != nil {
			fmt.Println(err)
			return
		}
		nodes = append(nodes, node)
		all.Go(func() {
			if err := node.Run(ctx); err != nil {
				fmt.Println(err)
			}
		})
	}
	for slices.ContainsFunc(nodes, func(node *impl.Node) bool { return node.Status().Leader != 3 }) {
		time.Sleep(10 * time.Millisecond)
	}
	fmt.Println("all follow 3")
	cancel()
	all.Wait()
	// Output: all follow 3
}
