package main

import (
	"fmt"
	"strings"
)

// bully is the mended Bully in Promela: a set network, one crash, timers that expire when what
// they wait for can no longer come. One process chooses among all steps, each of them one d_step
// with constants.
//
// Process p is 0 to n-1 here. leader[p] is one more, as 0 is nobody. There are no timers: T_ok is
// armed while a process is electing, T_coord while it is waiting. Between two processes only the
// lower sends ELECTION and only the higher OK, so one bit for each sender stands for both.
func bully(n, _ int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `/* Textbook Bully, mended, where one process may crash. */
#define IDLE 0
#define ELECTING 1 /* T_ok is armed */
#define WAITING 2 /* T_coord is armed */
#define DOWN 3
byte mode[%[1]d];
byte leader[%[1]d];
%[2]s inbox[%[1]d]; /* a bit for each sender: ELECTION from those below, OK from those above */
%[2]s coordinator[%[1]d]; /* a bit for each sender of a COORDINATOR */

/* What is sent to a crashed process vanishes. */
#define send(box, to, from) box[to] = box[to] | (mode[to] != DOWN -> from : 0)

active proctype world() {
end:	do
`, n, bitSet(n))
	w := bullies{n}
	for p := range n {
		for _, step := range w.steps(p) {
			fmt.Fprintf(&b, "	:: d_step { %s }\n", step)
		}
	}
	b.WriteString("	od\n}\n")
	return b.String()
}

// bullies writes the steps of n processes.
type bullies struct{ n int }

func (w bullies) steps(p int) []string {
	steps := []string{
		fmt.Sprintf("mode[%[1]d] == IDLE && (leader[%[1]d] == 0 || mode[leader[%[1]d] - 1] == DOWN) -> %[2]s", p, w.elect(p)),
	}
	if p < w.n-1 {
		steps = append(steps, w.okTimer(p), w.coordinatorTimer(p))
	}
	for from := range w.n {
		switch {
		case from < p:
			steps = append(steps,
				fmt.Sprintf("inbox[%d] & %d -> %s; send(inbox, %d, %d); %s", p, 1<<from, remove("inbox", p, 1<<from), from, 1<<p, w.electIfIdle(p)),
				fmt.Sprintf("coordinator[%d] & %d -> %s; %s", p, 1<<from, remove("coordinator", p, 1<<from), w.electIfIdle(p)))
		case from > p:
			steps = append(steps,
				fmt.Sprintf("inbox[%[1]d] & %[2]d -> %[3]s; if :: mode[%[1]d] == ELECTING -> mode[%[1]d] = WAITING :: else fi",
					p, 1<<from, remove("inbox", p, 1<<from)),
				fmt.Sprintf("coordinator[%[1]d] & %[2]d -> %[3]s; if :: leader[%[1]d] <= %[4]d -> mode[%[1]d] = IDLE; leader[%[1]d] = %[4]d :: else fi",
					p, 1<<from, remove("coordinator", p, 1<<from), from+1))
		}
	}
	return append(steps, fmt.Sprintf("%s -> mode[%[2]d] = DOWN; leader[%[2]d] = 0; inbox[%[2]d] = 0; coordinator[%[2]d] = 0",
		w.all(0, "mode[%d] != DOWN"), p))
}

// elect holds an election of p.
func (w bullies) elect(p int) string {
	if p == w.n-1 {
		return w.win(p)
	}
	s := fmt.Sprintf("mode[%[1]d] = ELECTING; leader[%[1]d] = 0", p)
	for q := p + 1; q < w.n; q++ {
		s += fmt.Sprintf("; send(inbox, %d, %d)", q, 1<<p)
	}
	return s
}

func (w bullies) electIfIdle(p int) string {
	return fmt.Sprintf("if :: mode[%d] == IDLE -> %s :: else fi", p, w.elect(p))
}

// win makes p the leader. Nobody above it may be live.
func (w bullies) win(p int) string {
	s := fmt.Sprintf("mode[%[1]d] = IDLE; leader[%[1]d] = %[2]d", p, p+1)
	for q := range w.n {
		if q != p {
			s += fmt.Sprintf("; send(coordinator, %d, %d)", q, 1<<p)
		}
	}
	if p < w.n-1 {
		s += fmt.Sprintf("; assert(%s)", w.all(p+1, "mode[%d] == DOWN"))
	}
	return s
}

// okTimer expires when no ELECTION from p is in flight, and no OK to it. What
// was in flight to a crashed process has vanished.
func (w bullies) okTimer(p int) string {
	above := 1<<w.n - 1<<(p+1)
	return fmt.Sprintf("mode[%[1]d] == ELECTING && !(inbox[%[1]d] & %[2]d) && %[3]s -> %[4]s",
		p, above, w.all(p+1, fmt.Sprintf("!(inbox[%%d] & %d)", 1<<p)), w.win(p))
}

// coordinatorTimer expires when all above p are down, and no COORDINATOR is in
// flight to it.
func (w bullies) coordinatorTimer(p int) string {
	return fmt.Sprintf("mode[%[1]d] == WAITING && coordinator[%[1]d] == 0 && %[2]s -> %[3]s", p, w.all(p+1, "mode[%d] == DOWN"), w.elect(p))
}

// all says that a condition holds of each process from some on.
func (w bullies) all(from int, condition string) string {
	var each []string
	for q := from; q < w.n; q++ {
		each = append(each, fmt.Sprintf(condition, q))
	}
	return strings.Join(each, " && ")
}
