---- MODULE alone ----
EXTENDS Naturals, TLC
(* --fair algorithm alone
variables x \in 0 .. 2, y = [a |-> 0, b |-> x];
macro inc(m) begin m := m + 1; end macro;
begin
  A: while x < 3 do
       with i \in 1 .. 2, j = i + x do
         y.a := j || y.b := i || x := x + i;
       end with;
       if x = 2 then goto B elsif x = 3 then goto Done else print <<x, y>> end if;
     end while;
  B: either x := 0; C: x := 1 or x := 2; goto A or await FALSE end either;
  D: inc(x); inc(y.b);
end algorithm *)
\* BEGIN TRANSLATION
VARIABLES pc, x, y

vars == << pc, x, y >>

Init == (* Global variables *)
        /\ x \in 0 .. 2
        /\ y = [a |-> 0, b |-> x]
        /\ pc = "A"

A == /\ pc = "A"
     /\ IF x < 3
           THEN /\ \E i \in 1 .. 2:
                     LET j == i + x IN
                       /\ x' = x + i
                       /\ y' = [y EXCEPT !.a = j,
                                         !.b = i]
                /\ IF x' = 2
                      THEN /\ pc' = "B"
                      ELSE /\ IF x' = 3
                                 THEN /\ pc' = "Done"
                                 ELSE /\ PrintT(<<x', y'>>)
                                      /\ pc' = "A"
           ELSE /\ pc' = "B"
                /\ UNCHANGED << x, y >>

B == /\ pc = "B"
     /\ \/ /\ x' = 0
           /\ pc' = "C"
        \/ /\ x' = 2
           /\ pc' = "A"
        \/ /\ FALSE
           /\ pc' = "D"
           /\ x' = x
     /\ y' = y

C == /\ pc = "C"
     /\ x' = 1
     /\ pc' = "D"
     /\ y' = y

D == /\ pc = "D"
     /\ x' = x + 1
     /\ y' = [y EXCEPT !.b = (y.b) + 1]
     /\ pc' = "Done"

(* Allow infinite stuttering to prevent deadlock on termination. *)
Terminating == pc = "Done" /\ UNCHANGED vars

Next == A \/ B \/ C \/ D \/ Terminating

Spec == /\ Init /\ [][Next]_vars
        /\ WF_vars(Next)

Termination == <>(pc = "Done")

\* END TRANSLATION
====
