module interleave/examples/etcdraft/old/next

go 1.26.0

require (
	go.etcd.io/etcd/raft/v3 v3.5.35
	go.etcd.io/raft/v3 v3.7.0
	google.golang.org/protobuf v1.36.12
)

require (
	github.com/gogo/protobuf v1.3.2 // indirect
	github.com/golang/protobuf v1.5.4 // indirect
)
