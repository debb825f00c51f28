---- MODULE once ----
EXTENDS Naturals
(* --algorithm once { variables x = 0; { while (TRUE) { x := 1 - x } } } *)
\* BEGIN TRANSLATION
VARIABLE x

vars == << x >>

Init == (* Global variables *)
        /\ x = 0

Next == x' = 1 - x


Spec == Init /\ [][Next]_vars

\* END TRANSLATION
====
