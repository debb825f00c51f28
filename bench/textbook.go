package main

import (
	"fmt"
	"strings"
)

// textbook is the Chang-Roberts of textbooks on a ring of queues in Promela: one process that
// chooses among all steps, each of them one d_step. An ELECTION is the number of its process, an
// ELECTED that plus 32.
//
// A queue is an array, which takes fewer bytes than a channel. Process p puts only numbers that
// are not below p into it, and each of them once at a time, which bounds its length.
func textbook(n, step int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `/* Chang-Roberts in prose: the largest ID wins, a second lap announces it. */
#define ELECTED 32
byte leader[%[1]d];
byte participating[%[1]d];
byte size[%[1]d];
hidden byte m;
`, n)
	for p := range n {
		fmt.Fprintf(&b, "byte queue%d[%d];\n", (p+step)%n, n-p)
	}
	b.WriteString("\nactive proctype world() {\nend:	do\n")
	for p := range n {
		next, id := (p+step)%n, p+1
		send := func(m string) string {
			return fmt.Sprintf("assert(size[%[1]d] < %[2]d); queue%[1]d[size[%[1]d]] = %[3]s; size[%[1]d] = size[%[1]d] + 1", next, n-p, m)
		}
		fmt.Fprintf(&b, "	:: d_step { !participating[%[1]d] && leader[%[1]d] == 0 -> participating[%[1]d] = 1; %[2]s }\n", p, send(fmt.Sprint(id)))
		fmt.Fprintf(&b, "	:: d_step { size[%d] > 0 -> %s;\n		if\n", p, dequeue(p, n-(p-step+n)%n))
		fmt.Fprintf(&b, "		:: m < %d -> if :: participating[%d] :: else -> participating[%d] = 1; %s fi\n", id, p, p, send(fmt.Sprint(id)))
		fmt.Fprintf(&b, "		:: m == %d -> participating[%d] = 0; leader[%d] = %d; assert(%d == %d); %s\n", id, p, p, id, id, n, send(fmt.Sprint("ELECTED + ", id)))
		fmt.Fprintf(&b, "		:: m > %d && m < ELECTED -> participating[%d] = 1; %s\n", id, p, send("m"))
		fmt.Fprintf(&b, "		:: m == ELECTED + %d -> participating[%d] = 0\n", id, p)
		fmt.Fprintf(&b, "		:: m > ELECTED && m != ELECTED + %d -> participating[%d] = 0; leader[%d] = m - ELECTED; %s\n", id, p, p, send("m"))
		b.WriteString("		fi }\n")
	}
	b.WriteString("	od\n}\n")
	return b.String()
}

// dequeue takes the head of the queue to p, in an array of some length. What is
// no longer used is 0.
func dequeue(p, length int) string {
	s := fmt.Sprintf("m = queue%d[0]", p)
	for i := 1; i < length; i++ {
		s += fmt.Sprintf("; queue%d[%d] = queue%d[%d]", p, i-1, p, i)
	}
	return s + fmt.Sprintf("; queue%d[%d] = 0; size[%d] = size[%d] - 1", p, length-1, p, p)
}

// channels tells SPIN of the same in its own idiom.
func channels(n, step int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `/* Chang-Roberts in prose: the largest ID wins, a second lap announces it. */
#define N %d
mtype = { election, elected };
chan link[N] = [N] of { mtype, byte };

proctype process(byte me; chan in, out) {
	xr in;
	xs out;
	byte leader, id;
	bool participating;
end:	do
	:: atomic { !participating && leader == 0 -> participating = true; out!election(me) }
	:: atomic { in?election(id) ->
		if
		:: id == me -> participating = false; leader = me; assert(me == N); out!elected(me)
		:: id > me -> participating = true; out!election(id)
		:: id < me && !participating -> participating = true; out!election(me)
		:: else
		fi;
		id = 0 }
	:: atomic { in?elected(id) ->
		participating = false;
		if
		:: id != me -> leader = id; out!elected(id)
		:: else
		fi;
		id = 0 }
	od
}

init {
	atomic {
`, n)
	for p := range n {
		fmt.Fprintf(&b, "		run process(%d, link[%d], link[%d]);\n", p+1, p, (p+step)%n)
	}
	b.WriteString("	}\n}\n")
	return b.String()
}
