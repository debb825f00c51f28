package logs

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"

	"interleave/impl/runlog"
	"interleave/spec"
)

// same reports whether two lines are equal. Those of steps, which are almost all, are
// compared field by field; see BenchmarkCheckLogs.
func same(a, b *runlog.Record) bool {
	if a.Begin != nil || a.Lost != nil || a.Breach != nil || a.Reason != "" {
		return reflect.DeepEqual(*a, *b)
	}
	return b.Begin == nil && b.Lost == nil && b.Breach == nil && b.Reason == "" &&
		a.Line == b.Line && a.Process == b.Process && a.Incarnation == b.Incarnation && a.Number == b.Number &&
		a.Time == b.Time && a.Chain == b.Chain && a.Step == b.Step && sameOf(a.Leader, b.Leader, func(x, y spec.ID) bool { return x == y }) &&
		a.Before == b.Before && a.After == b.After && bytes.Equal(a.State, b.State) &&
		slices.Equal(a.Armed, b.Armed) && slices.Equal(a.Stopped, b.Stopped) &&
		slices.EqualFunc(a.Outputs, b.Outputs, func(x, y json.RawMessage) bool { return bytes.Equal(x, y) }) &&
		slices.EqualFunc(a.Sends, b.Sends, sameSent) && sameInput(a.Input, b.Input)
}

func sameSent(a, b runlog.Sent) bool {
	return a.To == b.To && a.Next == b.Next && a.Sequence == b.Sequence && a.Kind == b.Kind && bytes.Equal(a.Message, b.Message)
}

func sameInput(a, b *runlog.Input) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Event == b.Event && bytes.Equal(a.Memory, b.Memory) && a.Initiator == b.Initiator && a.Timer == b.Timer && a.Peer == b.Peer &&
		bytes.Equal(a.Value, b.Value) && slices.Equal(a.Choices, b.Choices) &&
		sameOf(a.Live, b.Live, func(x, y spec.Set) bool { return x == y }) && sameOf(a.Received, b.Received, sameLetter) &&
		a.Round == b.Round && slices.EqualFunc(a.Inbox, b.Inbox, sameLetter) && a.Delay == b.Delay
}

func sameLetter(a, b runlog.Letter) bool {
	return a.Name == b.Name && a.Kind == b.Kind && bytes.Equal(a.Message, b.Message)
}

// sameOf compares what pointers point to.
func sameOf[T any](a, b *T, same func(T, T) bool) bool {
	if a == nil || b == nil {
		return a == b
	}
	return same(*a, *b)
}
