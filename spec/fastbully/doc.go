// Package fastbully is the Fast Bully election, after S.-H. Lee and H. Choi,
// "The Fast Bully Algorithm", 2002, as told in university lecture notes.
//
// A process whose coordinator is silent asks everyone above it, as in Bully;
// but those only answer, and do not begin elections of their own. The one that
// asked collects answers for the whole of T2 and nominates the highest that
// answered; if that one does not declare itself within T3, the next highest. A
// process that answered waits T4 to be nominated or told, and then holds an
// election itself. A process that comes up again asks the others for their view
// of who takes part, waits T2 for that, and declares itself or follows.
//
// Published follows the notes. A nominee obeys even if it knows a higher
// coordinator. T4 begins an election in the midst of another. Views are joined
// and never shrink, so that a process that comes back follows the highest ID
// there is, even if that is down. A coordinator of an election long over is
// believed. Where the notes are in doubt: coordinator messages go to all below
// before the procedure stops, and when all nominees are silent it is the
// manager that begins again.
//
// Mended differs as follows. A nominee that knows a higher coordinator replies
// so; to ignore the nomination would be wrong as well, since the coordinator
// may be down and the manager would go on to nominate lower ones. T4 leaves an
// election alone. A view is who replied. A process that comes back follows a
// higher leader that was reported to it, and otherwise declares itself or holds
// an election. The highest process declares itself at once; and a process
// forgets its leader when it holds an election, and so can tell a stale
// coordinator.
//
// What remains: a process that comes back and hears from nobody in time follows
// itself and tells no one, which is harmless only if it is alone.
package fastbully
