//go:build !unix

package node

func background() {}
