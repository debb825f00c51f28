package diagram

import (
	"errors"

	"interleave/model"
)

// An over-approximating System is of another world than its compiled.System: one that can do all
// that the world can do, and more. What never happens in the over-approximation never happens in the world.
//
// In the over-approximation, any message in flight may arrive next, whatever was sent before it,
// and when it arrives it may stay in flight and arrive again. So a state is given by its
// local states, its budgets, and which messages are in flight, but not by how many of each
// there are or in which order. Call that the image of a state of the world. Each step of the
// world, from s to s', is a step of the over-approximation from the image of s to that of s':
//
//   - What may happen depends on local states, on budgets, and on the absence of some
//     messages. These are the same in s and in its image.
//   - A message that arrives, or is lost, was in flight. Afterwards an equal one is either
//     in flight or not; the over-approximation can do both. A message that is sent is in flight
//     afterwards, whether or not an equal one was before.
//
// A state of the world is quiescent if and only if its image is. The same may happen in both,
// except for the arrival of messages. If a message may arrive in the image, it is in flight to
// a process that handles it, and in the world the first message of its queue may arrive.
// Hence an over-approximation is only for algorithms that refuse no message.
//
// An infinite run of the world has an infinite image. What happens in it again and again is
// restored as in a cycle (see restoring): local states are few, and what is taken again and
// again is sent again and again. The converse is not true: messages may pile up in a queue.
// So a run of the over-approximation counts only if it sends forever whatever messages it takes
// forever (see dd.Stock); otherwise a message that stays could arrive forever. Every event
// that can happen forever has its traffic; the others, such as copies, false suspicions and
// crashes that cut a step short, spend a budget each time.
//
// If the run is fair, so is its image. Fairness is owed to the same classes of steps, as in
// the world to the next message from one process to another. If a class is possible in the
// image of a state, then it is possible in the state: a message is in flight in both, and
// where another one comes first in the world, that one is of the same class. Hence a liveness
// property holds if no fair run of the over-approximation that counts violates it. Runs are followed
// past states where a handler may panic, since in the world another message may come first.
//
// The over-approximation often has a small diagram where queues make that of the world large. It
// is finite even if the queues grow without bound.

// ErrOverapprox says that a condition depends on what an over-approximation does not know: how many messages
// are in flight, or in which order.
var ErrOverapprox = errors.New("it looks at messages under way, and an over-approximation does not tell how many there are, nor in which order")

// network is the network whose messages the places of a vector hold.
func (f Form) network(c model.Config) model.Network {
	if f.Overapprox {
		return model.Set
	}
	return c.Network
}
