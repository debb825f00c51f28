package cli_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"interleave/cmd/mc/cli"
	"interleave/spec/bully"
)

// A command of one's own knows one's own algorithms: func main() { cli.Main(nil,
// mine.Algorithm) }. Run is the same for a program that goes on.
func ExampleRun() {
	var out strings.Builder
	status := cli.Run(context.Background(), strings.Fields("verify bully/mended --n 2 --property agreement-on-top"), &out, os.Stderr, nil, bully.Mended)
	verdict, _, _ := strings.Cut(out.String()[strings.Index(out.String(), "agreement-on-top"):], "\n")
	fmt.Println(verdict)
	fmt.Println("exit status", status)
	// Output:
	// agreement-on-top VERIFIED      all live processes follow top
	// exit status 0
}
