package gpbft

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/filecoin-project/go-f3/gpbft"

	"interleave/spec"
)

// keys are those of all processes, who have the same power. A signature is a hash: nobody here forges one.
type keys struct {
	id        gpbft.ActorID
	committee *gpbft.Committee
}

// powers stands for the table of powers.
var powers = gpbft.MakeCid([]byte("powers"))

func newKeys(all spec.Set) *keys {
	table, public := gpbft.NewPowerTable(), signers{}
	for p := range all.All() {
		key := gpbft.PubKey(fmt.Sprintf("key %d", p))
		check(table.Add(gpbft.PowerEntry{ID: gpbft.ActorID(p), Power: gpbft.NewStoragePower(1), PubKey: key}))
		public = append(public, key)
	}
	return &keys{committee: &gpbft.Committee{PowerTable: table, Beacon: []byte("beacon"), AggregateVerifier: public}}
}

// chain makes a chain of tip sets with one letter each.
func chain(letters string) *gpbft.ECChain {
	var sets []*gpbft.TipSet
	for i := range letters {
		sets = append(sets, &gpbft.TipSet{Epoch: int64(i), Key: []byte{letters[i]}, PowerTable: powers})
	}
	c, err := gpbft.NewChain(sets[0], sets[1:]...)
	check(err)
	return c
}

func (*keys) NetworkName() gpbft.NetworkName { return "test" }

func (k *keys) GetCommittee(context.Context, uint64) (*gpbft.Committee, error) {
	return k.committee, nil
}

func (*keys) Sign(_ context.Context, key gpbft.PubKey, text []byte) ([]byte, error) {
	hash := sha256.Sum256(append(bytes.Clone(key), text...))
	return hash[:8], nil
}

var errSignature = errors.New("a wrong signature")

func (k *keys) Verify(key gpbft.PubKey, text, signature []byte) error {
	if want, _ := k.Sign(context.Background(), key, text); !bytes.Equal(want, signature) {
		return errSignature
	}
	return nil
}

func (*keys) Aggregate(public []gpbft.PubKey) (gpbft.Aggregate, error) { return signers(public), nil }

// signers have the keys at the indices by which they are named.
type signers []gpbft.PubKey

func (signers) Aggregate(_ []int, signatures [][]byte) ([]byte, error) {
	return bytes.Join(signatures, nil), nil
}

func (s signers) VerifyAggregate(who []int, text, signature []byte) error {
	var want []byte
	for _, i := range who {
		one, _ := (*keys)(nil).Sign(context.Background(), s[i], text)
		want = append(want, one...)
	}
	if !bytes.Equal(want, signature) {
		return errSignature
	}
	return nil
}

// isLate reports whether a message is refused only as it comes late.
func isLate(err error) bool {
	return errors.Is(err, gpbft.ErrValidationNotRelevant) || errors.Is(err, gpbft.ErrValidationTooOld)
}
