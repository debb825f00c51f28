/* Textbook Bully, mended, where one process may crash. */
#define IDLE 0
#define ELECTING 1 /* T_ok is armed */
#define WAITING 2 /* T_coord is armed */
#define DOWN 3
byte mode[3];
byte leader[3];
byte inbox[3]; /* a bit for each sender: ELECTION from those below, OK from those above */
byte coordinator[3]; /* a bit for each sender of a COORDINATOR */

/* What is sent to a crashed process vanishes. */
#define send(box, to, from) box[to] = box[to] | (mode[to] != DOWN -> from : 0)

active proctype world() {
end:	do
	:: d_step { mode[0] == IDLE && (leader[0] == 0 || mode[leader[0] - 1] == DOWN) -> mode[0] = ELECTING; leader[0] = 0; send(inbox, 1, 1); send(inbox, 2, 1) }
	:: d_step { mode[0] == ELECTING && !(inbox[0] & 6) && !(inbox[1] & 1) && !(inbox[2] & 1) -> mode[0] = IDLE; leader[0] = 1; send(coordinator, 1, 1); send(coordinator, 2, 1); assert(mode[1] == DOWN && mode[2] == DOWN) }
	:: d_step { mode[0] == WAITING && coordinator[0] == 0 && mode[1] == DOWN && mode[2] == DOWN -> mode[0] = ELECTING; leader[0] = 0; send(inbox, 1, 1); send(inbox, 2, 1) }
	:: d_step { inbox[0] & 2 -> inbox[0] = inbox[0] & ~2; if :: mode[0] == ELECTING -> mode[0] = WAITING :: else fi }
	:: d_step { coordinator[0] & 2 -> coordinator[0] = coordinator[0] & ~2; if :: leader[0] <= 2 -> mode[0] = IDLE; leader[0] = 2 :: else fi }
	:: d_step { inbox[0] & 4 -> inbox[0] = inbox[0] & ~4; if :: mode[0] == ELECTING -> mode[0] = WAITING :: else fi }
	:: d_step { coordinator[0] & 4 -> coordinator[0] = coordinator[0] & ~4; if :: leader[0] <= 3 -> mode[0] = IDLE; leader[0] = 3 :: else fi }
	:: d_step { mode[0] != DOWN && mode[1] != DOWN && mode[2] != DOWN -> mode[0] = DOWN; leader[0] = 0; inbox[0] = 0; coordinator[0] = 0 }
	:: d_step { mode[1] == IDLE && (leader[1] == 0 || mode[leader[1] - 1] == DOWN) -> mode[1] = ELECTING; leader[1] = 0; send(inbox, 2, 2) }
	:: d_step { mode[1] == ELECTING && !(inbox[1] & 4) && !(inbox[2] & 2) -> mode[1] = IDLE; leader[1] = 2; send(coordinator, 0, 2); send(coordinator, 2, 2); assert(mode[2] == DOWN) }
	:: d_step { mode[1] == WAITING && coordinator[1] == 0 && mode[2] == DOWN -> mode[1] = ELECTING; leader[1] = 0; send(inbox, 2, 2) }
	:: d_step { inbox[1] & 1 -> inbox[1] = inbox[1] & ~1; send(inbox, 0, 2); if :: mode[1] == IDLE -> mode[1] = ELECTING; leader[1] = 0; send(inbox, 2, 2) :: else fi }
	:: d_step { coordinator[1] & 1 -> coordinator[1] = coordinator[1] & ~1; if :: mode[1] == IDLE -> mode[1] = ELECTING; leader[1] = 0; send(inbox, 2, 2) :: else fi }
	:: d_step { inbox[1] & 4 -> inbox[1] = inbox[1] & ~4; if :: mode[1] == ELECTING -> mode[1] = WAITING :: else fi }
	:: d_step { coordinator[1] & 4 -> coordinator[1] = coordinator[1] & ~4; if :: leader[1] <= 3 -> mode[1] = IDLE; leader[1] = 3 :: else fi }
	:: d_step { mode[0] != DOWN && mode[1] != DOWN && mode[2] != DOWN -> mode[1] = DOWN; leader[1] = 0; inbox[1] = 0; coordinator[1] = 0 }
	:: d_step { mode[2] == IDLE && (leader[2] == 0 || mode[leader[2] - 1] == DOWN) -> mode[2] = IDLE; leader[2] = 3; send(coordinator, 0, 4); send(coordinator, 1, 4) }
	:: d_step { inbox[2] & 1 -> inbox[2] = inbox[2] & ~1; send(inbox, 0, 4); if :: mode[2] == IDLE -> mode[2] = IDLE; leader[2] = 3; send(coordinator, 0, 4); send(coordinator, 1, 4) :: else fi }
	:: d_step { coordinator[2] & 1 -> coordinator[2] = coordinator[2] & ~1; if :: mode[2] == IDLE -> mode[2] = IDLE; leader[2] = 3; send(coordinator, 0, 4); send(coordinator, 1, 4) :: else fi }
	:: d_step { inbox[2] & 2 -> inbox[2] = inbox[2] & ~2; send(inbox, 1, 4); if :: mode[2] == IDLE -> mode[2] = IDLE; leader[2] = 3; send(coordinator, 0, 4); send(coordinator, 1, 4) :: else fi }
	:: d_step { coordinator[2] & 2 -> coordinator[2] = coordinator[2] & ~2; if :: mode[2] == IDLE -> mode[2] = IDLE; leader[2] = 3; send(coordinator, 0, 4); send(coordinator, 1, 4) :: else fi }
	:: d_step { mode[0] != DOWN && mode[1] != DOWN && mode[2] != DOWN -> mode[2] = DOWN; leader[2] = 0; inbox[2] = 0; coordinator[2] = 0 }
	od
}
