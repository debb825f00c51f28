package main

import (
	"fmt"
	"strings"
)

// classic is the PlusCal Chang-Roberts on a set network in Promela: one process that chooses
// among all steps, each of them one d_step with constants.
func classic(n, step int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `/* Chang-Roberts as in the PlusCal specification: the smallest initiator wins. */
#define WAITS 0 /* before its first step */
#define CANDIDATE 1
#define LOST 2
#define WON 3
%[2]s inbox[%[1]d]; /* what is in flight to each process: a bit for each ID */
%[2]s initiators;
byte status[%[1]d];

active proctype world() {
	byte i;
	atomic {
		do
		:: i < %[1]d -> if :: initiators = initiators | (1 << i) :: skip fi; i++
		:: else -> break
		od;
		i = 0
	}
end:	do
`, n, bitSet(n))
	for p := range n {
		next, me := (p+step)%n, 1<<p
		fmt.Fprintf(&b, "	:: d_step { status[%d] == WAITS && (initiators & %d) -> status[%d] = CANDIDATE; %s }\n", p, me, p, add("inbox", next, me))
		fmt.Fprintf(&b, "	:: d_step { status[%d] == WAITS && !(initiators & %d) -> status[%d] = LOST }\n", p, me, p)
		for id := range n {
			fmt.Fprintf(&b, "	:: d_step { status[%d] != WAITS && (inbox[%d] & %d) -> %s; if :: status[%d] == LOST -> %s :: else -> %s fi }\n",
				p, p, 1<<id, remove("inbox", p, 1<<id), p, add("inbox", next, 1<<id), compareID(p, id, next))
		}
	}
	b.WriteString("	od\n}\n")
	return b.String()
}

// compareID is what a candidate does with an ID.
func compareID(p, id, next int) string {
	switch {
	case id < p:
		return fmt.Sprintf("status[%d] = LOST; %s", p, add("inbox", next, 1<<id))
	case id == p:
		return fmt.Sprintf("status[%d] = WON; assert(!(initiators & %d))", p, 1<<p-1)
	}
	return "skip"
}

// bitSet returns a type for a set of n members.
func bitSet(n int) string {
	if n > 8 {
		return "short"
	}
	return "byte"
}

func add(sets string, i, bit int) string {
	return fmt.Sprintf("%[1]s[%[2]d] = %[1]s[%[2]d] | %[3]d", sets, i, bit)
}

func remove(sets string, i, bit int) string {
	return fmt.Sprintf("%[1]s[%[2]d] = %[1]s[%[2]d] & ~%[3]d", sets, i, bit)
}
