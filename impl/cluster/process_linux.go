package cluster

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"
)

// apart makes a child that no Ctrl-C of ours reaches, and that dies with us,
// however we die.
func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// memory returns how many bytes of memory a process takes, 0 if nobody knows.
func memory(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	fields := bytes.Fields(text)
	if err != nil || len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}
