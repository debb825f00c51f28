---- MODULE calls ----
EXTENDS Naturals, Sequences
(* --algorithm calls {
variables grid = [p \in 1 .. 2, q \in 1 .. 2 |-> 0], log = << >>;
define { Last == IF log = << >> THEN 0 ELSE log[Len(log)] }
macro note(v) { log := Append(log, v) }
procedure Outer(a, b = a) variables w = a; {
  o1: w := w + b; note(w);
  o2: if (w > 3) { call Inner(w, self); return } else { call Outer(a + 1, b); };
  o3: note(w); return;
}
procedure Inner(n, m) variables k = n; {
  i1: while (k > 2) { k := k - 2; grid[m, 1] := k || grid[m, 2] := grid[m, 1]; };
  i2: either { await k = 2; note(k); } or { when k < 2; skip; };
  i3: return;
}
fair process (First = 1) variables d = 7; {
  f1: with (c \in { 1, 2 }, e = c + 1) { d := e; call Outer(c, e); };
  f2: if (Last > 2) { if (d > 2) goto f4 else { f3: skip } } else { await TRUE };
  f4: call Inner(3, 2); goto f5;
  f5: d := grid[2, 1];
}
} *)
\* BEGIN TRANSLATION
CONSTANT defaultInitValue
VARIABLES pc, grid, log, stack

(* define statement *)
Last == IF log = << >> THEN 0 ELSE log[Len(log)]

VARIABLES a, b, w, n, m, k, d

vars == << pc, grid, log, stack, a, b, w, n, m, k, d >>

ProcSet == {1}

Init == (* Global variables *)
        /\ grid = [p \in 1 .. 2, q \in 1 .. 2 |-> 0]
        /\ log = << >>
        (* Procedure Outer *)
        /\ a = [self \in ProcSet |-> defaultInitValue]
        /\ b = [self \in ProcSet |-> a[self]]
        /\ w = [self \in ProcSet |-> a[self]]
        (* Procedure Inner *)
        /\ n = [self \in ProcSet |-> defaultInitValue]
        /\ m = [self \in ProcSet |-> defaultInitValue]
        /\ k = [self \in ProcSet |-> n[self]]
        (* Process First *)
        /\ d = 7
        /\ stack = [self \in ProcSet |-> << >>]
        /\ pc = [self \in ProcSet |-> "f1"]

o1(self) == /\ pc[self] = "o1"
            /\ w' = [w EXCEPT ![self] = w[self] + b[self]]
            /\ log' = Append(log, w'[self])
            /\ pc' = [pc EXCEPT ![self] = "o2"]
            /\ UNCHANGED << grid, stack, a, b, n, m, k, d >>

o2(self) == /\ pc[self] = "o2"
            /\ IF w[self] > 3
                  THEN /\ /\ m' = [m EXCEPT ![self] = self]
                          /\ n' = [n EXCEPT ![self] = w[self]]
                          /\ stack' = [stack EXCEPT ![self] = << [ procedure |-> "Inner", pc |-> Head(stack[self]).pc, k |-> k[self],
                                                                   n |-> n[self], m |-> m[self] ] >>
                                                                  \o Tail(stack[self])]
                          /\ w' = [w EXCEPT ![self] = Head(stack[self]).w]
                       /\ k' = [k EXCEPT ![self] = n'[self]]
                       /\ pc' = [pc EXCEPT ![self] = "i1"]
                       /\ UNCHANGED << a, b >>
                  ELSE /\ /\ a' = [a EXCEPT ![self] = a[self] + 1]
                          /\ b' = [b EXCEPT ![self] = b[self]]
                          /\ stack' = [stack EXCEPT ![self] = << [ procedure |-> "Outer", pc |-> "o3", w |-> w[self], a |-> a[self],
                                                                   b |-> b[self] ] >>
                                                                  \o stack[self]]
                       /\ w' = [w EXCEPT ![self] = a'[self]]
                       /\ pc' = [pc EXCEPT ![self] = "o1"]
                       /\ UNCHANGED << n, m, k >>
            /\ UNCHANGED << grid, log, d >>

o3(self) == /\ pc[self] = "o3"
            /\ log' = Append(log, w[self])
            /\ pc' = [pc EXCEPT ![self] = Head(stack[self]).pc]
            /\ w' = [w EXCEPT ![self] = Head(stack[self]).w]
            /\ a' = [a EXCEPT ![self] = Head(stack[self]).a]
            /\ b' = [b EXCEPT ![self] = Head(stack[self]).b]
            /\ stack' = [stack EXCEPT ![self] = Tail(stack[self])]
            /\ UNCHANGED << grid, n, m, k, d >>

Outer(self) == o1(self) \/ o2(self) \/ o3(self)

i1(self) == /\ pc[self] = "i1"
            /\ IF k[self] > 2
                  THEN /\ k' = [k EXCEPT ![self] = k[self] - 2]
                       /\ grid' = [grid EXCEPT ![m[self], 1] = k'[self],
                                               ![m[self], 2] = grid[m[self], 1]]
                       /\ pc' = [pc EXCEPT ![self] = "i1"]
                  ELSE /\ pc' = [pc EXCEPT ![self] = "i2"]
                       /\ UNCHANGED << grid, k >>
            /\ UNCHANGED << log, stack, a, b, w, n, m, d >>

i2(self) == /\ pc[self] = "i2"
            /\ \/ /\ k[self] = 2
                  /\ log' = Append(log, k[self])
               \/ /\ k[self] < 2
                  /\ TRUE
                  /\ log' = log
            /\ pc' = [pc EXCEPT ![self] = "i3"]
            /\ UNCHANGED << grid, stack, a, b, w, n, m, k, d >>

i3(self) == /\ pc[self] = "i3"
            /\ pc' = [pc EXCEPT ![self] = Head(stack[self]).pc]
            /\ k' = [k EXCEPT ![self] = Head(stack[self]).k]
            /\ n' = [n EXCEPT ![self] = Head(stack[self]).n]
            /\ m' = [m EXCEPT ![self] = Head(stack[self]).m]
            /\ stack' = [stack EXCEPT ![self] = Tail(stack[self])]
            /\ UNCHANGED << grid, log, a, b, w, d >>

Inner(self) == i1(self) \/ i2(self) \/ i3(self)

f1 == /\ pc[1] = "f1"
      /\ \E c \in { 1, 2 }:
           LET e == c + 1 IN
             /\ d' = e
             /\ /\ a' = [a EXCEPT ![1] = c]
                /\ b' = [b EXCEPT ![1] = e]
                /\ stack' = [stack EXCEPT ![1] = << [ procedure |-> "Outer", pc |-> "f2", w |-> w[1], a |-> a[1], b |-> b[1] ] >>
                                                     \o stack[1]]
             /\ w' = [w EXCEPT ![1] = a'[1]]
             /\ pc' = [pc EXCEPT ![1] = "o1"]
      /\ UNCHANGED << grid, log, n, m, k >>

f2 == /\ pc[1] = "f2"
      /\ IF Last > 2
            THEN /\ IF d > 2
                       THEN /\ pc' = [pc EXCEPT ![1] = "f4"]
                       ELSE /\ pc' = [pc EXCEPT ![1] = "f3"]
            ELSE /\ TRUE
                 /\ pc' = [pc EXCEPT ![1] = "f4"]
      /\ UNCHANGED << grid, log, stack, a, b, w, n, m, k, d >>

f3 == /\ pc[1] = "f3"
      /\ TRUE
      /\ pc' = [pc EXCEPT ![1] = "f4"]
      /\ UNCHANGED << grid, log, stack, a, b, w, n, m, k, d >>

f4 == /\ pc[1] = "f4"
      /\ /\ m' = [m EXCEPT ![1] = 2]
         /\ n' = [n EXCEPT ![1] = 3]
         /\ stack' = [stack EXCEPT ![1] = << [ procedure |-> "Inner", pc |-> "f5", k |-> k[1], n |-> n[1], m |-> m[1] ] >>
                                              \o stack[1]]
      /\ k' = [k EXCEPT ![1] = n'[1]]
      /\ pc' = [pc EXCEPT ![1] = "i1"]
      /\ UNCHANGED << grid, log, a, b, w, d >>

f5 == /\ pc[1] = "f5"
      /\ d' = grid[2, 1]
      /\ pc' = [pc EXCEPT ![1] = "Done"]
      /\ UNCHANGED << grid, log, stack, a, b, w, n, m, k >>

First == f1 \/ f2 \/ f3 \/ f4 \/ f5

(* Allow infinite stuttering to prevent deadlock on termination. *)
Terminating == /\ \A self \in ProcSet: pc[self] = "Done"
               /\ UNCHANGED vars

Next == First \/ (\E self \in ProcSet: Outer(self) \/ Inner(self))
        \/ Terminating

Spec == /\ Init /\ [][Next]_vars
        /\ WF_vars(First)
        /\ WF_vars(Outer(1))
        /\ WF_vars(Inner(1))

Termination == <>(\A self \in ProcSet: pc[self] = "Done")

\* END TRANSLATION
====
