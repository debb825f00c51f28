---- MODULE endless ----
EXTENDS Naturals, TLC
\* One process never ends, so there is no step for having terminated.
(* --algorithm endless {
variables x = 0;
define { Small == x < 3
         Big   == ~Small }
process (P \in {1}) { a: while (TRUE) { await Small; x := x + 1; if (x = 2) { b: x := 0 } else skip } }
process (Q \in {2}) variable v; { c: while (x < 2) { v := x; }; x := 2; d: assert x < 4 }
} *)
\* BEGIN TRANSLATION
CONSTANT defaultInitValue
VARIABLES pc, x

(* define statement *)
Small == x < 3
Big   == ~Small

VARIABLE v

vars == << pc, x, v >>

ProcSet == ({1}) \cup ({2})

Init == (* Global variables *)
        /\ x = 0
        (* Process Q *)
        /\ v = [self \in {2} |-> defaultInitValue]
        /\ pc = [self \in ProcSet |-> CASE self \in {1} -> "a"
                                        [] self \in {2} -> "c"]

a(self) == /\ pc[self] = "a"
           /\ Small
           /\ x' = x + 1
           /\ IF x' = 2
                 THEN /\ pc' = [pc EXCEPT ![self] = "b"]
                 ELSE /\ TRUE
                      /\ pc' = [pc EXCEPT ![self] = "a"]
           /\ v' = v

b(self) == /\ pc[self] = "b"
           /\ x' = 0
           /\ pc' = [pc EXCEPT ![self] = "a"]
           /\ v' = v

P(self) == a(self) \/ b(self)

c(self) == /\ pc[self] = "c"
           /\ IF x < 2
                 THEN /\ v' = [v EXCEPT ![self] = x]
                      /\ pc' = [pc EXCEPT ![self] = "c"]
                      /\ x' = x
                 ELSE /\ x' = 2
                      /\ pc' = [pc EXCEPT ![self] = "d"]
                      /\ v' = v

d(self) == /\ pc[self] = "d"
           /\ Assert(x < 4, "Failure of assertion at line 9, column 76.")
           /\ pc' = [pc EXCEPT ![self] = "Done"]
           /\ UNCHANGED << x, v >>

Q(self) == c(self) \/ d(self)

Next == (\E self \in {1}: P(self)) \/ (\E self \in {2}: Q(self))

Spec == Init /\ [][Next]_vars

\* END TRANSLATION
====
