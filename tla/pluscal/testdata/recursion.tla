---- MODULE recursion ----
EXTENDS Naturals, Sequences
(* --fair algorithm recursion { variables x = [f |-> 0, g |-> <<1,2>>], y=3; 
procedure R(n) variables w = 1; { r1: if (n > 0) { w := w + n; r2: call R(n - 1); return } else { x.f := w || x.g[1] := n || y := 4; }; r3: return }
{ a: x.f := 1; call R(2); b: y := x.f; c: with (z = y + 1) { y := z; if (z = 2) goto a; }  } } *)
\* BEGIN TRANSLATION
CONSTANT defaultInitValue
VARIABLES pc, x, y, stack, n, w

vars == << pc, x, y, stack, n, w >>

Init == (* Global variables *)
        /\ x = [f |-> 0, g |-> <<1,2>>]
        /\ y = 3
        (* Procedure R *)
        /\ n = defaultInitValue
        /\ w = 1
        /\ stack = << >>
        /\ pc = "a"

r1 == /\ pc = "r1"
      /\ IF n > 0
            THEN /\ w' = w + n
                 /\ pc' = "r2"
                 /\ UNCHANGED << x, y >>
            ELSE /\ /\ x' = [x EXCEPT !.f = w,
                                      !.g[1] = n]
                    /\ y' = 4
                 /\ pc' = "r3"
                 /\ w' = w
      /\ UNCHANGED << stack, n >>

r2 == /\ pc = "r2"
      /\ n' = n - 1
      /\ w' = 1
      /\ pc' = "r1"
      /\ UNCHANGED << x, y, stack >>

r3 == /\ pc = "r3"
      /\ pc' = Head(stack).pc
      /\ w' = Head(stack).w
      /\ n' = Head(stack).n
      /\ stack' = Tail(stack)
      /\ UNCHANGED << x, y >>

R == r1 \/ r2 \/ r3

a == /\ pc = "a"
     /\ x' = [x EXCEPT !.f = 1]
     /\ /\ n' = 2
        /\ stack' = << [ procedure |-> "R", pc |-> "b", w |-> w, n |-> n ] >>
                        \o stack
     /\ w' = 1
     /\ pc' = "r1"
     /\ y' = y

b == /\ pc = "b"
     /\ y' = x.f
     /\ pc' = "c"
     /\ UNCHANGED << x, stack, n, w >>

c == /\ pc = "c"
     /\ LET z == y + 1 IN
          /\ y' = z
          /\ IF z = 2
                THEN /\ pc' = "a"
                ELSE /\ pc' = "Done"
     /\ UNCHANGED << x, stack, n, w >>

(* Allow infinite stuttering to prevent deadlock on termination. *)
Terminating == pc = "Done" /\ UNCHANGED vars

Next == R \/ a \/ b \/ c \/ Terminating

Spec == /\ Init /\ [][Next]_vars
        /\ WF_vars(Next)

Termination == <>(pc = "Done")

\* END TRANSLATION
====
