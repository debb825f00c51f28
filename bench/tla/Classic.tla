------------------------------ MODULE Classic ------------------------------
(* Chang-Roberts as in the PlusCal specification: the smallest initiator    *)
(* wins, and only the winner knows. A process handles nothing before it     *)
(* started.                                                                 *)
EXTENDS Naturals

CONSTANTS N,   \* the processes are 1 to N
          Step \* how far on the next process is: 1, or N - 1 to descend

VARIABLES initiators, status, inbox

Processes == 1..N
Next(p) == ((p - 1 + Step) % N) + 1

Init == /\ initiators \in SUBSET Processes
        /\ status = [p \in Processes |-> "waits"]
        /\ inbox = [p \in Processes |-> {}]

Start(p) == /\ status[p] = "waits"
            /\ IF p \in initiators
               THEN /\ status' = [status EXCEPT ![p] = "candidate"]
                    /\ inbox' = [inbox EXCEPT ![Next(p)] = @ \union {p}]
               ELSE /\ status' = [status EXCEPT ![p] = "lost"]
                    /\ UNCHANGED inbox

Forward(p, id) == inbox' = [inbox EXCEPT ![p] = @ \ {id}, ![Next(p)] = @ \union {id}]
Swallow(p, id) == inbox' = [inbox EXCEPT ![p] = @ \ {id}]

Receive(p, id) == /\ status[p] # "waits"
                  /\ IF status[p] = "lost" \/ id < p
                     THEN Forward(p, id) /\ status' = [status EXCEPT ![p] = "lost"]
                     ELSE /\ Swallow(p, id)
                          /\ status' = [status EXCEPT ![p] = IF id = p THEN "won" ELSE @]

Act == \E p \in Processes : Start(p) \/ \E id \in inbox[p] : Receive(p, id)

Spec == Init /\ [][Act /\ UNCHANGED initiators]_<<initiators, status, inbox>>

\* A process that won is the smallest initiator.
Self == \A p \in Processes : status[p] = "won" => p \in initiators /\ \A q \in initiators : p <= q
=============================================================================
