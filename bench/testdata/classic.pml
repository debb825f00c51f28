/* Chang-Roberts as in the PlusCal specification: the smallest initiator wins. */
#define WAITS 0 /* before its first step */
#define CANDIDATE 1
#define LOST 2
#define WON 3
byte inbox[3]; /* what is in flight to each process: a bit for each ID */
byte initiators;
byte status[3];

active proctype world() {
	byte i;
	atomic {
		do
		:: i < 3 -> if :: initiators = initiators | (1 << i) :: skip fi; i++
		:: else -> break
		od;
		i = 0
	}
end:	do
	:: d_step { status[0] == WAITS && (initiators & 1) -> status[0] = CANDIDATE; inbox[1] = inbox[1] | 1 }
	:: d_step { status[0] == WAITS && !(initiators & 1) -> status[0] = LOST }
	:: d_step { status[0] != WAITS && (inbox[0] & 1) -> inbox[0] = inbox[0] & ~1; if :: status[0] == LOST -> inbox[1] = inbox[1] | 1 :: else -> status[0] = WON; assert(!(initiators & 0)) fi }
	:: d_step { status[0] != WAITS && (inbox[0] & 2) -> inbox[0] = inbox[0] & ~2; if :: status[0] == LOST -> inbox[1] = inbox[1] | 2 :: else -> skip fi }
	:: d_step { status[0] != WAITS && (inbox[0] & 4) -> inbox[0] = inbox[0] & ~4; if :: status[0] == LOST -> inbox[1] = inbox[1] | 4 :: else -> skip fi }
	:: d_step { status[1] == WAITS && (initiators & 2) -> status[1] = CANDIDATE; inbox[2] = inbox[2] | 2 }
	:: d_step { status[1] == WAITS && !(initiators & 2) -> status[1] = LOST }
	:: d_step { status[1] != WAITS && (inbox[1] & 1) -> inbox[1] = inbox[1] & ~1; if :: status[1] == LOST -> inbox[2] = inbox[2] | 1 :: else -> status[1] = LOST; inbox[2] = inbox[2] | 1 fi }
	:: d_step { status[1] != WAITS && (inbox[1] & 2) -> inbox[1] = inbox[1] & ~2; if :: status[1] == LOST -> inbox[2] = inbox[2] | 2 :: else -> status[1] = WON; assert(!(initiators & 1)) fi }
	:: d_step { status[1] != WAITS && (inbox[1] & 4) -> inbox[1] = inbox[1] & ~4; if :: status[1] == LOST -> inbox[2] = inbox[2] | 4 :: else -> skip fi }
	:: d_step { status[2] == WAITS && (initiators & 4) -> status[2] = CANDIDATE; inbox[0] = inbox[0] | 4 }
	:: d_step { status[2] == WAITS && !(initiators & 4) -> status[2] = LOST }
	:: d_step { status[2] != WAITS && (inbox[2] & 1) -> inbox[2] = inbox[2] & ~1; if :: status[2] == LOST -> inbox[0] = inbox[0] | 1 :: else -> status[2] = LOST; inbox[0] = inbox[0] | 1 fi }
	:: d_step { status[2] != WAITS && (inbox[2] & 2) -> inbox[2] = inbox[2] & ~2; if :: status[2] == LOST -> inbox[0] = inbox[0] | 2 :: else -> status[2] = LOST; inbox[0] = inbox[0] | 2 fi }
	:: d_step { status[2] != WAITS && (inbox[2] & 4) -> inbox[2] = inbox[2] & ~4; if :: status[2] == LOST -> inbox[0] = inbox[0] | 4 :: else -> status[2] = WON; assert(!(initiators & 3)) fi }
	od
}
