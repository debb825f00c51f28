/* Chang-Roberts in prose: the largest ID wins, a second lap announces it. */
#define ELECTED 32
byte leader[3];
byte participating[3];
byte size[3];
hidden byte m;
byte queue2[3];
byte queue0[2];
byte queue1[1];

active proctype world() {
end:	do
	:: d_step { !participating[0] && leader[0] == 0 -> participating[0] = 1; assert(size[2] < 3); queue2[size[2]] = 1; size[2] = size[2] + 1 }
	:: d_step { size[0] > 0 -> m = queue0[0]; queue0[0] = queue0[1]; queue0[1] = 0; size[0] = size[0] - 1;
		if
		:: m < 1 -> if :: participating[0] :: else -> participating[0] = 1; assert(size[2] < 3); queue2[size[2]] = 1; size[2] = size[2] + 1 fi
		:: m == 1 -> participating[0] = 0; leader[0] = 1; assert(1 == 3); assert(size[2] < 3); queue2[size[2]] = ELECTED + 1; size[2] = size[2] + 1
		:: m > 1 && m < ELECTED -> participating[0] = 1; assert(size[2] < 3); queue2[size[2]] = m; size[2] = size[2] + 1
		:: m == ELECTED + 1 -> participating[0] = 0
		:: m > ELECTED && m != ELECTED + 1 -> participating[0] = 0; leader[0] = m - ELECTED; assert(size[2] < 3); queue2[size[2]] = m; size[2] = size[2] + 1
		fi }
	:: d_step { !participating[1] && leader[1] == 0 -> participating[1] = 1; assert(size[0] < 2); queue0[size[0]] = 2; size[0] = size[0] + 1 }
	:: d_step { size[1] > 0 -> m = queue1[0]; queue1[0] = 0; size[1] = size[1] - 1;
		if
		:: m < 2 -> if :: participating[1] :: else -> participating[1] = 1; assert(size[0] < 2); queue0[size[0]] = 2; size[0] = size[0] + 1 fi
		:: m == 2 -> participating[1] = 0; leader[1] = 2; assert(2 == 3); assert(size[0] < 2); queue0[size[0]] = ELECTED + 2; size[0] = size[0] + 1
		:: m > 2 && m < ELECTED -> participating[1] = 1; assert(size[0] < 2); queue0[size[0]] = m; size[0] = size[0] + 1
		:: m == ELECTED + 2 -> participating[1] = 0
		:: m > ELECTED && m != ELECTED + 2 -> participating[1] = 0; leader[1] = m - ELECTED; assert(size[0] < 2); queue0[size[0]] = m; size[0] = size[0] + 1
		fi }
	:: d_step { !participating[2] && leader[2] == 0 -> participating[2] = 1; assert(size[1] < 1); queue1[size[1]] = 3; size[1] = size[1] + 1 }
	:: d_step { size[2] > 0 -> m = queue2[0]; queue2[0] = queue2[1]; queue2[1] = queue2[2]; queue2[2] = 0; size[2] = size[2] - 1;
		if
		:: m < 3 -> if :: participating[2] :: else -> participating[2] = 1; assert(size[1] < 1); queue1[size[1]] = 3; size[1] = size[1] + 1 fi
		:: m == 3 -> participating[2] = 0; leader[2] = 3; assert(3 == 3); assert(size[1] < 1); queue1[size[1]] = ELECTED + 3; size[1] = size[1] + 1
		:: m > 3 && m < ELECTED -> participating[2] = 1; assert(size[1] < 1); queue1[size[1]] = m; size[1] = size[1] + 1
		:: m == ELECTED + 3 -> participating[2] = 0
		:: m > ELECTED && m != ELECTED + 3 -> participating[2] = 0; leader[2] = m - ELECTED; assert(size[1] < 1); queue1[size[1]] = m; size[1] = size[1] + 1
		fi }
	od
}
