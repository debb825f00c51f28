---- MODULE branches ----
EXTENDS Naturals
(* Steps inside of branches are defined in the order of pcal.trans. *)
(* --algorithm branches {
variables x \in 0 .. 3, y \in 0 .. 1;
{
  a: if (x = 0) {
       if (y = 0) { a1: skip };
       a2: skip
     } else if (x = 1) {
       if (y = 0) { a3: skip };
       a4: skip
     } else {
       either { a5: skip } or { skip; a6: skip };
       a7: skip
     };
  b: either {
       skip; b1: skip; b2: if (x = 0) { b3: skip }
     } or {
       if (x = 0) { b4: skip } else { if (x = 1) { b5: skip }; b6: skip };
       b7: skip
     };
  c: if (x = 0) {
       either { skip; c1: skip } or { either { c2: skip } or { skip; c3: skip }; c4: skip };
       c5: skip
     } else {
       c6: skip;
       if (y = 0) { c7: skip };
       c8: skip
     };
  d: while (x < 3) {
       x := x + 1;
       if (y = 0) { d1: skip };
       d2: skip
     };
     if (x = 3) {
       if (y = 0) { d3: skip };
       d4: skip
     } else { d5: skip };
}
} *)
\* BEGIN TRANSLATION
VARIABLES pc, x, y

vars == << pc, x, y >>

Init == (* Global variables *)
        /\ x \in 0 .. 3
        /\ y \in 0 .. 1
        /\ pc = "a"

a == /\ pc = "a"
     /\ IF x = 0
           THEN /\ IF y = 0
                      THEN /\ pc' = "a1"
                      ELSE /\ pc' = "a2"
           ELSE /\ IF x = 1
                      THEN /\ IF y = 0
                                 THEN /\ pc' = "a3"
                                 ELSE /\ pc' = "a4"
                      ELSE /\ \/ /\ pc' = "a5"
                              \/ /\ TRUE
                                 /\ pc' = "a6"
     /\ UNCHANGED << x, y >>

a2 == /\ pc = "a2"
      /\ TRUE
      /\ pc' = "b"
      /\ UNCHANGED << x, y >>

a1 == /\ pc = "a1"
      /\ TRUE
      /\ pc' = "a2"
      /\ UNCHANGED << x, y >>

a4 == /\ pc = "a4"
      /\ TRUE
      /\ pc' = "b"
      /\ UNCHANGED << x, y >>

a7 == /\ pc = "a7"
      /\ TRUE
      /\ pc' = "b"
      /\ UNCHANGED << x, y >>

a3 == /\ pc = "a3"
      /\ TRUE
      /\ pc' = "a4"
      /\ UNCHANGED << x, y >>

a5 == /\ pc = "a5"
      /\ TRUE
      /\ pc' = "a7"
      /\ UNCHANGED << x, y >>

a6 == /\ pc = "a6"
      /\ TRUE
      /\ pc' = "a7"
      /\ UNCHANGED << x, y >>

b == /\ pc = "b"
     /\ \/ /\ TRUE
           /\ pc' = "b1"
        \/ /\ IF x = 0
                 THEN /\ pc' = "b4"
                 ELSE /\ IF x = 1
                            THEN /\ pc' = "b5"
                            ELSE /\ pc' = "b6"
     /\ UNCHANGED << x, y >>

b1 == /\ pc = "b1"
      /\ TRUE
      /\ pc' = "b2"
      /\ UNCHANGED << x, y >>

b2 == /\ pc = "b2"
      /\ IF x = 0
            THEN /\ pc' = "b3"
            ELSE /\ pc' = "c"
      /\ UNCHANGED << x, y >>

b3 == /\ pc = "b3"
      /\ TRUE
      /\ pc' = "c"
      /\ UNCHANGED << x, y >>

b4 == /\ pc = "b4"
      /\ TRUE
      /\ pc' = "b7"
      /\ UNCHANGED << x, y >>

b6 == /\ pc = "b6"
      /\ TRUE
      /\ pc' = "b7"
      /\ UNCHANGED << x, y >>

b5 == /\ pc = "b5"
      /\ TRUE
      /\ pc' = "b6"
      /\ UNCHANGED << x, y >>

b7 == /\ pc = "b7"
      /\ TRUE
      /\ pc' = "c"
      /\ UNCHANGED << x, y >>

c == /\ pc = "c"
     /\ IF x = 0
           THEN /\ \/ /\ TRUE
                      /\ pc' = "c1"
                   \/ /\ \/ /\ pc' = "c2"
                         \/ /\ TRUE
                            /\ pc' = "c3"
           ELSE /\ pc' = "c6"
     /\ UNCHANGED << x, y >>

c5 == /\ pc = "c5"
      /\ TRUE
      /\ pc' = "d"
      /\ UNCHANGED << x, y >>

c6 == /\ pc = "c6"
      /\ TRUE
      /\ IF y = 0
            THEN /\ pc' = "c7"
            ELSE /\ pc' = "c8"
      /\ UNCHANGED << x, y >>

c7 == /\ pc = "c7"
      /\ TRUE
      /\ pc' = "c8"
      /\ UNCHANGED << x, y >>

c8 == /\ pc = "c8"
      /\ TRUE
      /\ pc' = "d"
      /\ UNCHANGED << x, y >>

c1 == /\ pc = "c1"
      /\ TRUE
      /\ pc' = "c5"
      /\ UNCHANGED << x, y >>

c2 == /\ pc = "c2"
      /\ TRUE
      /\ pc' = "c4"
      /\ UNCHANGED << x, y >>

c3 == /\ pc = "c3"
      /\ TRUE
      /\ pc' = "c4"
      /\ UNCHANGED << x, y >>

c4 == /\ pc = "c4"
      /\ TRUE
      /\ pc' = "c5"
      /\ UNCHANGED << x, y >>

d == /\ pc = "d"
     /\ IF x < 3
           THEN /\ x' = x + 1
                /\ IF y = 0
                      THEN /\ pc' = "d1"
                      ELSE /\ pc' = "d2"
           ELSE /\ IF x = 3
                      THEN /\ IF y = 0
                                 THEN /\ pc' = "d3"
                                 ELSE /\ pc' = "d4"
                      ELSE /\ pc' = "d5"
                /\ x' = x
     /\ y' = y

d2 == /\ pc = "d2"
      /\ TRUE
      /\ pc' = "d"
      /\ UNCHANGED << x, y >>

d1 == /\ pc = "d1"
      /\ TRUE
      /\ pc' = "d2"
      /\ UNCHANGED << x, y >>

d4 == /\ pc = "d4"
      /\ TRUE
      /\ pc' = "Done"
      /\ UNCHANGED << x, y >>

d5 == /\ pc = "d5"
      /\ TRUE
      /\ pc' = "Done"
      /\ UNCHANGED << x, y >>

d3 == /\ pc = "d3"
      /\ TRUE
      /\ pc' = "d4"
      /\ UNCHANGED << x, y >>

(* Allow infinite stuttering to prevent deadlock on termination. *)
Terminating == pc = "Done" /\ UNCHANGED vars

Next == a \/ a2 \/ a1 \/ a4 \/ a7 \/ a3 \/ a5 \/ a6 \/ b \/ b1 \/ b2 \/ b3
        \/ b4 \/ b6 \/ b5 \/ b7 \/ c \/ c5 \/ c6 \/ c7 \/ c8 \/ c1 \/ c2 \/ c3
        \/ c4 \/ d \/ d2 \/ d1 \/ d4 \/ d5 \/ d3 \/ Terminating

Spec == Init /\ [][Next]_vars

Termination == <>(pc = "Done")

\* END TRANSLATION
====
