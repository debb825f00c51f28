---- MODULE nopc ----
EXTENDS Naturals
(* --algorithm nopc { variables x = 0; 
process (P \in {1,2}) variable v = 0; { l: while (TRUE) { await x < 3; x := x + 1; v := x; } }
process (Q = 3) { l: while (TRUE) { either x := 0 or skip } }
 } *)
\* BEGIN TRANSLATION
VARIABLES x, v

vars == << x, v >>

ProcSet == ({1,2}) \cup {3}

Init == (* Global variables *)
        /\ x = 0
        (* Process P *)
        /\ v = [self \in {1,2} |-> 0]

P(self) == /\ x < 3
           /\ x' = x + 1
           /\ v' = [v EXCEPT ![self] = x']

Q == /\ \/ /\ x' = 0
        \/ /\ TRUE
           /\ x' = x
     /\ v' = v

Next == Q \/ (\E self \in {1,2}: P(self))

Spec == Init /\ [][Next]_vars

\* END TRANSLATION
====
