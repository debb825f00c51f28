package forge

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"interleave/impl/runlog"
)

// Run is the logs of the processes of a run, taken apart.
type Run struct {
	lines   [][][]byte // by process
	records [][]*runlog.Record
}

// Parse takes logs apart.
func Parse(logs [][]byte) (*Run, error) {
	r := &Run{}
	for i, log := range logs {
		records, err := Records(log)
		if err != nil {
			return nil, fmt.Errorf("log %d: %w", i+1, err)
		}
		r.lines = append(r.lines, slices.Collect(bytes.Lines(log)))
		r.records = append(r.records, records)
	}
	return r, nil
}

// Records reads the lines of a log. A last one that is cut is left out.
func Records(log []byte) (records []*runlog.Record, err error) {
	for line := range bytes.Lines(log) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		r := &runlog.Record{}
		if err := json.Unmarshal(line, r); err != nil {
			return nil, err
		}
		records = append(records, r)
	}
	return records, nil
}

// Logs returns how many logs there are.
func (r *Run) Logs() int { return len(r.records) }

// Lines returns how many lines a log has.
func (r *Run) Lines(log int) int { return len(r.records[log]) }

// own returns the lines of a log for somebody to alter: one of them, and what the others
// say directly.
func (r *Run) own(log, line int) ([]*runlog.Record, error) {
	all := make([]*runlog.Record, len(r.records[log]))
	for i, record := range r.records[log] {
		c := *record
		all[i] = &c
	}
	all[line] = &runlog.Record{}
	return all, json.Unmarshal(r.lines[log][line], all[line])
}

// Seal writes lines as somebody would who knows how the chain is computed. If
// renumber is set he corrects the numbers of lines and steps, too.
func Seal(records []*runlog.Record, renumber bool) (log []byte, err error) {
	var chain string
	var number, step uint64
	for _, r := range records {
		if r.Line == runlog.LineBegin {
			chain, number, step = "", 0, 0
		}
		number++
		if r.Line == runlog.LineStep {
			step++
		}
		forged := *r
		if renumber {
			forged.Number = number
			if r.Line == runlog.LineStep {
				forged.Step = step
			}
		}
		forged.Chain = ""
		text, err := runlog.PlainJSON(forged)
		if err != nil {
			return nil, err
		}
		line := bytes.TrimSuffix(text, []byte("}"))
		sum := sha256.Sum256(append([]byte(chain), line...))
		chain = hex.EncodeToString(sum[:16])
		log = append(log, fmt.Sprintf("%s,\"chain\":%q}\n", line, chain)...)
	}
	return log, nil
}

// write writes lines as they are.
func write(records []*runlog.Record) (log []byte, err error) {
	for _, r := range records {
		text, err := runlog.PlainJSON(r)
		if err != nil {
			return nil, err
		}
		log = append(append(log, text...), '\n')
	}
	return log, nil
}
