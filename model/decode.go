package model

import (
	"encoding/json"
	"fmt"
)

// ReadLocal reads the JSON of a Local, whose State has a type of the algorithm.
func (r *Reference) ReadLocal(text []byte) (Local, error) {
	var l Local
	raw := struct {
		*Local
		State json.RawMessage // replaces the State inside, whose type JSON does not know
	}{Local: &l}
	if err := json.Unmarshal(text, &raw); err != nil {
		return l, err
	}
	if raw.State == nil || string(raw.State) == "null" {
		return l, nil
	}
	var err error
	if l.State, err = r.traits.ReadState(raw.State); err != nil {
		err = fmt.Errorf("a state of %s: %w", r.traits.Name, err)
	}
	return l, err
}

// ReadInbox reads the JSON of an Inbox, whose messages have a type of the algorithm.
func (r *Reference) ReadInbox(text []byte) (Inbox, error) {
	var raw []json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		return nil, err
	}
	in := make(Inbox, len(raw))
	for i := range raw {
		if err := r.readEnvelope(raw[i], &in[i]); err != nil {
			return nil, err
		}
	}
	return in, nil
}

func (r *Reference) readEnvelope(text []byte, e *Envelope) (err error) {
	raw := struct {
		*Envelope
		Message json.RawMessage
	}{Envelope: e}
	if err := json.Unmarshal(text, &raw); err != nil {
		return err
	}
	if e.Message, err = r.traits.ReadMessage(raw.Message); err != nil {
		err = fmt.Errorf("a message of %s: %w", r.traits.Name, err)
	}
	return err
}
