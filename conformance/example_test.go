package conformance_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"interleave/conformance/logs"
	"interleave/impl"
	"interleave/impl/transport"
	"interleave/spec"
	"interleave/spec/bully"
)

// What real processes logged is held against the model.
func Example_logs() {
	net := transport.NewSwitch(nil)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var all sync.WaitGroup
	var written [2]bytes.Buffer
	var nodes []*impl.Node
	for i := range written {
		id := spec.ID(i + 1)
		node, err := impl.New(impl.Config{Machine: bully.Mended, ID: id, Ring: []spec.ID{1, 2}, Transport: net.Plug(id), Delta: 50 * time.Millisecond, Log: &written[i]})
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
	for slices.ContainsFunc(nodes, func(node *impl.Node) bool { return node.Status().Leader != 2 }) {
		time.Sleep(10 * time.Millisecond)
	}
	cancel()
	all.Wait()
	read := []logs.Log{{Name: "one.log", Reader: &written[0]}, {Name: "two.log", Reader: &written[1]}}
	report, err := logs.Check(read, logs.Options{Find: func(string) (spec.Machine, error) { return bully.Mended, nil }})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Verdict)
	// Output: CONFORMS
}
