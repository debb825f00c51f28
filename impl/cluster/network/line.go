package network

import (
	"container/heap"
	"sync"
	"time"
)

// line keeps the datagrams of one link until each is due. They leave in the
// order in which they are due; those due at the same time in the order in which
// they came.
type line struct {
	deliver func(frame []byte)
	hold    time.Duration // how long a held datagram waits to be overtaken

	mu     sync.Mutex
	queue  dues
	next   float64 // the place of the next datagram to come
	held   []*due
	wake   chan struct{}
	closed chan struct{}
	done   chan struct{}
}

type due struct {
	at    time.Time
	place float64 // among those due at the same time
	frame []byte
	index int // in the queue, -1 if it has left
}

func newLine(hold time.Duration, deliver func(frame []byte)) *line {
	l := &line{deliver: deliver, hold: hold, wake: make(chan struct{}, 1), closed: make(chan struct{}), done: make(chan struct{})}
	go l.run()
	return l
}

// put adds a datagram with its fate, which is not to be lost.
func (l *line) put(frame []byte, fate Fate, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	first := l.add(frame, now.Add(fate.Delay[0]))
	if fate.Copied {
		l.add(frame, now.Add(fate.Delay[1]))
	}
	if fate.Held {
		first.at = first.at.Add(l.hold)
		heap.Fix(&l.queue, first.index)
		l.held = append(l.held, first)
	} else {
		l.release(first)
	}
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// hurry makes all datagrams in flight due.
func (l *line) hurry(now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, d := range l.queue {
		if d.at.After(now) {
			d.at = now
		}
	}
	heap.Init(&l.queue)
	l.held = nil
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// release lets those that are held leave right behind one that is not.
func (l *line) release(behind *due) {
	for i, h := range l.held {
		if h.index >= 0 {
			h.at, h.place = behind.at, behind.place+float64(i+1)/float64(len(l.held)+1)
			heap.Fix(&l.queue, h.index)
		}
	}
	l.held = nil
}

func (l *line) add(frame []byte, at time.Time) *due {
	l.next++
	d := &due{at: at, place: l.next, frame: frame}
	heap.Push(&l.queue, d)
	return d
}

// run delivers what is due until the line is closed.
func (l *line) run() {
	defer close(l.done)
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		frame, wait := l.pop(time.Now())
		if frame != nil {
			l.deliver(frame)
			continue
		}
		timer.Reset(wait)
		select {
		case <-l.closed:
			return
		case <-l.wake:
		case <-timer.C:
		}
	}
}

// pop removes the next datagram if it is due, or returns how long to wait.
func (l *line) pop(now time.Time) (frame []byte, wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.queue) == 0 {
		return nil, time.Hour
	}
	if wait := l.queue[0].at.Sub(now); wait > 0 {
		return nil, wait
	}
	return heap.Pop(&l.queue).(*due).frame, 0
}

// close drops what has not left.
func (l *line) close() {
	close(l.closed)
	<-l.done
}

// dues is a heap.
type dues []*due

func (d dues) Len() int { return len(d) }
func (d dues) Less(i, j int) bool {
	if d[i].at.Equal(d[j].at) {
		return d[i].place < d[j].place
	}
	return d[i].at.Before(d[j].at)
}
func (d dues) Swap(i, j int) {
	d[i], d[j] = d[j], d[i]
	d[i].index, d[j].index = i, j
}
func (d *dues) Push(x any) {
	x.(*due).index = len(*d)
	*d = append(*d, x.(*due))
}
func (d *dues) Pop() any {
	last := (*d)[len(*d)-1]
	last.index = -1
	(*d)[len(*d)-1] = nil
	*d = (*d)[:len(*d)-1]
	return last
}
