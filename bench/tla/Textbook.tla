------------------------------ MODULE Textbook ------------------------------
(* Chang-Roberts as told in prose: the largest ID wins, a second lap         *)
(* announces it. Each link of the ring is a queue.                           *)
EXTENDS Naturals, Sequences

CONSTANTS N,   \* the processes are 1 to N
          Step \* how far on the next process is: 1, or N - 1 to descend

VARIABLES participating, leader, queue

Processes == 1..N
Next(p) == ((p - 1 + Step) % N) + 1
Election(id) == <<"ELECTION", id>>
Elected(id) == <<"ELECTED", id>>

Init == /\ participating = [p \in Processes |-> FALSE]
        /\ leader = [p \in Processes |-> 0]
        /\ queue = [p \in Processes |-> <<>>]

Notice(p) == /\ ~participating[p] /\ leader[p] = 0
             /\ participating' = [participating EXCEPT ![p] = TRUE]
             /\ queue' = [queue EXCEPT ![Next(p)] = Append(@, Election(p))]
             /\ UNCHANGED leader

Pass(p, m) == queue' = [queue EXCEPT ![p] = Tail(@), ![Next(p)] = Append(@, m)]
Swallow(p) == queue' = [queue EXCEPT ![p] = Tail(@)]
Take(p, part, l) == /\ participating' = [participating EXCEPT ![p] = part]
                    /\ leader' = [leader EXCEPT ![p] = l]

OnElection(p, id) == CASE id = p -> Take(p, FALSE, p) /\ Pass(p, Elected(p))
                      [] id > p -> Take(p, TRUE, leader[p]) /\ Pass(p, Election(id))
                      [] id < p /\ ~participating[p] -> Take(p, TRUE, leader[p]) /\ Pass(p, Election(p))
                      [] OTHER -> Swallow(p) /\ UNCHANGED <<participating, leader>>

OnElected(p, id) == IF id = p
                   THEN Take(p, FALSE, leader[p]) /\ Swallow(p)
                   ELSE Take(p, FALSE, id) /\ Pass(p, Elected(id))

Receive(p) == /\ queue[p] # <<>>
              /\ LET m == Head(queue[p])
                 IN IF m[1] = "ELECTION" THEN OnElection(p, m[2]) ELSE OnElected(p, m[2])

Act == \E p \in Processes : Notice(p) \/ Receive(p)

Spec == Init /\ [][Act]_<<participating, leader, queue>>

\* A process that follows itself is the one with the largest ID.
Self == \A p \in Processes : leader[p] = p => p = N
=============================================================================
