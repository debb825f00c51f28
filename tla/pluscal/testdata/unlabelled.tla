---- MODULE unlabelled ----
EXTENDS Naturals, TLC
(* --algorithm unlabelled { variables x = 0, y = 1; 
{ x := 1; if (x = 1) { y := 2; x := 3; } else y := 5; y := 7; while (x < 5) { x := x + 1; y := x; y := 3 }; print x; x := 9; } } *)
\* BEGIN TRANSLATION
VARIABLES pc, x, y

vars == << pc, x, y >>

Init == (* Global variables *)
        /\ x = 0
        /\ y = 1
        /\ pc = "Lbl_1"

Lbl_1 == /\ pc = "Lbl_1"
         /\ x' = 1
         /\ IF x' = 1
               THEN /\ y' = 2
                    /\ pc' = "Lbl_2"
               ELSE /\ y' = 5
                    /\ pc' = "Lbl_3"

Lbl_2 == /\ pc = "Lbl_2"
         /\ x' = 3
         /\ pc' = "Lbl_3"
         /\ y' = y

Lbl_3 == /\ pc = "Lbl_3"
         /\ y' = 7
         /\ pc' = "Lbl_4"
         /\ x' = x

Lbl_4 == /\ pc = "Lbl_4"
         /\ IF x < 5
               THEN /\ x' = x + 1
                    /\ y' = x'
                    /\ pc' = "Lbl_5"
               ELSE /\ PrintT(x)
                    /\ x' = 9
                    /\ pc' = "Done"
                    /\ y' = y

Lbl_5 == /\ pc = "Lbl_5"
         /\ y' = 3
         /\ pc' = "Lbl_4"
         /\ x' = x

(* Allow infinite stuttering to prevent deadlock on termination. *)
Terminating == pc = "Done" /\ UNCHANGED vars

Next == Lbl_1 \/ Lbl_2 \/ Lbl_3 \/ Lbl_4 \/ Lbl_5 \/ Terminating

Spec == Init /\ [][Next]_vars

Termination == <>(pc = "Done")

\* END TRANSLATION
====
