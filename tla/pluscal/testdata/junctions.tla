---- MODULE junctions ----
EXTENDS Naturals
(* Junction lists keep their meaning when names in them grow. *)
(* --algorithm junctions
variables x = 0;
process P \in 1 .. 2
variables flag = FALSE, n = 0;
begin
a: await \/ /\ flag /\ n = 0
            /\ x = 1
         \/ /\ ~flag
            /\ \/ n = 0
               \/ x = 2;
   n := 1;
b: x := IF n = 1 /\ (\/ flag
                     \/ n = 2)
           THEN n
   ELSE n + 1;
   await /\ n > 0 => /\ x = 1
                     /\ n = 1
         /\ TRUE;
end process;
end algorithm; *)
\* BEGIN TRANSLATION
VARIABLES pc, x, flag, n

vars == << pc, x, flag, n >>

ProcSet == (1 .. 2)

Init == (* Global variables *)
        /\ x = 0
        (* Process P *)
        /\ flag = [self \in 1 .. 2 |-> FALSE]
        /\ n = [self \in 1 .. 2 |-> 0]
        /\ pc = [self \in ProcSet |-> "a"]

a(self) == /\ pc[self] = "a"
           /\ \/ /\ flag[self] /\ n[self] = 0
                 /\ x = 1
              \/ /\ ~flag[self]
                 /\ \/ n[self] = 0
                    \/ x = 2
           /\ n' = [n EXCEPT ![self] = 1]
           /\ pc' = [pc EXCEPT ![self] = "b"]
           /\ UNCHANGED << x, flag >>

b(self) == /\ pc[self] = "b"
           /\ x' =      IF n[self] = 1 /\ (\/ flag[self]
                                           \/ n[self] = 2)
                           THEN n[self]
                   ELSE n[self] + 1
           /\ /\ n[self] > 0 => /\ x' = 1
                                /\ n[self] = 1
              /\ TRUE
           /\ pc' = [pc EXCEPT ![self] = "Done"]
           /\ UNCHANGED << flag, n >>

P(self) == a(self) \/ b(self)

(* Allow infinite stuttering to prevent deadlock on termination. *)
Terminating == /\ \A self \in ProcSet: pc[self] = "Done"
               /\ UNCHANGED vars

Next == (\E self \in 1 .. 2: P(self)) \/ Terminating

Spec == Init /\ [][Next]_vars

Termination == <>(\A self \in ProcSet: pc[self] = "Done")

\* END TRANSLATION
====
