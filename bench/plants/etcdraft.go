package main

// etcdraftBugs are bugs in what is checked of the Raft of etcd, and in how its releases are built.
var etcdraftBugs = []plant{
	{
		file: "examples/etcdraft/properties.go",
		bug:  "a term may have two leaders",
		old:  "ok && other != s.Process {",
		new:  "ok && other == spec.None {",
		test: "TestMutants",
	},
	{
		file: "examples/etcdraft/properties.go",
		bug:  "a read may be stale",
		old:  "ok && c.Index < f.Began[c.Read] {",
		new:  "ok && c.Index < 1 {",
		test: "TestMutants",
	},
	{
		file: "examples/etcdraft/properties.go",
		bug:  "the register forgets what is written",
		old:  "value = c.Value.(string)",
		new:  "_ = c.Value.(string)",
		test: "TestRegister",
	},
	{
		file: "examples/etcdraft/etcdraft.go",
		bug:  "entries are not saved",
		old:  "check(n.disk.Append(rd.Entries))",
		new:  "check(n.disk.Append(nil))",
		test: "TestWorlds",
	},
	{
		file: "examples/etcdraft/values.go",
		bug:  "a boot forgets which entries change the members",
		old:  "entry.Type = raftpb.EntryConfChange",
		new:  "entry.Type = raftpb.EntryNormal",
		test: "TestWorlds",
	},
	{
		file: "examples/etcdraft/old/build.go",
		bug:  "a program may be built with another release than is meant",
		old:  "m.Version == version",
		new:  `m.Version != ""`,
		test: "TestBuilt",
	},
}
