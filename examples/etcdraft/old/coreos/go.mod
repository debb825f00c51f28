module go.etcd.io/raft/v3

go 1.26.0

require github.com/coreos/etcd v3.1.0+incompatible

require (
	github.com/golang/protobuf v1.5.4 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/xerrors v0.0.0-20200804184101-5ec99f83aff1 // indirect
	google.golang.org/protobuf v1.33.0 // indirect
)
