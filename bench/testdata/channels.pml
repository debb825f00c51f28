/* Chang-Roberts in prose: the largest ID wins, a second lap announces it. */
#define N 3
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
		run process(1, link[0], link[2]);
		run process(2, link[1], link[0]);
		run process(3, link[2], link[1]);
	}
}
