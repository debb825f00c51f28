// Package network is what lies between the processes of a cluster, and its faults: a proxy
// that carries each frame from one process to another as a Network decides. It loses, copies,
// delays and reorders frames, and cuts processes off from each other.
//
// Begin with network.go, the fate of a frame, and proxy.go, which lets it happen.
package network
