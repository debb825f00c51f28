---- MODULE macros ----
EXTENDS Naturals, Sequences, TLC
(* --algorithm macros {
variables q = [p \in 1 .. 2 |-> << >>], x = 0;
macro send(to, m) { q[to] := Append(q[to], m) }
macro take(queue, into) { await queue # << >>; into := Head(queue); queue := Tail(queue) }
macro both(a) { send(1, a * 2); if (a > 0) { skip } else x := a; }
macro inc(m) { m := m + 1 }
macro swap(m, n) { m := n || n := m }
macro hold(condition) { await condition /\ x = 0 }
macro small(m) { assert m < 9 }
macro smaller(m, n) { small(m); if (n > 0) {
    assert m < n; small(n) }
}
process (R \in 1 .. 2)
  variables got = [value |-> 0], seen = 0;
{
  r1: send(3 - self, [value |-> self + 1, got |-> {seen}]);
  r2: take(q[self], got);
  r3: take(q[self], got.value);
  r4: both(seen + 1);
  r5: hold(\/ seen = 0
           \/ seen = 1 /\ x = 2);
  r6: inc(x);
  r7: inc(seen); inc(got.value);
  r8: swap(x, seen);
  r9: swap(q[self], q[1]);
  r10: small(x); smaller(seen, 3);
}
} *)
\* BEGIN TRANSLATION
VARIABLES pc, q, x, got, seen

vars == << pc, q, x, got, seen >>

ProcSet == (1 .. 2)

Init == (* Global variables *)
        /\ q = [p \in 1 .. 2 |-> << >>]
        /\ x = 0
        (* Process R *)
        /\ got = [self \in 1 .. 2 |-> [value |-> 0]]
        /\ seen = [self \in 1 .. 2 |-> 0]
        /\ pc = [self \in ProcSet |-> "r1"]

r1(self) == /\ pc[self] = "r1"
            /\ q' = [q EXCEPT ![(3 - self)] = Append(q[(3 - self)], ([value |-> self + 1, got |-> {seen[self]}]))]
            /\ pc' = [pc EXCEPT ![self] = "r2"]
            /\ UNCHANGED << x, got, seen >>

r2(self) == /\ pc[self] = "r2"
            /\ (q[self]) # << >>
            /\ got' = [got EXCEPT ![self] = Head((q[self]))]
            /\ q' = [q EXCEPT ![self] = Tail((q[self]))]
            /\ pc' = [pc EXCEPT ![self] = "r3"]
            /\ UNCHANGED << x, seen >>

r3(self) == /\ pc[self] = "r3"
            /\ (q[self]) # << >>
            /\ got' = [got EXCEPT ![self].value = Head((q[self]))]
            /\ q' = [q EXCEPT ![self] = Tail((q[self]))]
            /\ pc' = [pc EXCEPT ![self] = "r4"]
            /\ UNCHANGED << x, seen >>

r4(self) == /\ pc[self] = "r4"
            /\ q' = [q EXCEPT ![1] = Append(q[1], ((seen[self] + 1) * 2))]
            /\ IF (seen[self] + 1) > 0
                  THEN /\ TRUE
                       /\ x' = x
                  ELSE /\ x' = (seen[self] + 1)
            /\ pc' = [pc EXCEPT ![self] = "r5"]
            /\ UNCHANGED << got, seen >>

r5(self) == /\ pc[self] = "r5"
            /\ (\/ seen[self] = 0
                \/ seen[self] = 1 /\ x = 2) /\ x = 0
            /\ pc' = [pc EXCEPT ![self] = "r6"]
            /\ UNCHANGED << q, x, got, seen >>

r6(self) == /\ pc[self] = "r6"
            /\ x' = x + 1
            /\ pc' = [pc EXCEPT ![self] = "r7"]
            /\ UNCHANGED << q, got, seen >>

r7(self) == /\ pc[self] = "r7"
            /\ seen' = [seen EXCEPT ![self] = seen[self] + 1]
            /\ got' = [got EXCEPT ![self].value = (got[self].value) + 1]
            /\ pc' = [pc EXCEPT ![self] = "r8"]
            /\ UNCHANGED << q, x >>

r8(self) == /\ pc[self] = "r8"
            /\ /\ seen' = [seen EXCEPT ![self] = x]
               /\ x' = seen[self]
            /\ pc' = [pc EXCEPT ![self] = "r9"]
            /\ UNCHANGED << q, got >>

r9(self) == /\ pc[self] = "r9"
            /\ q' = [q EXCEPT ![self] = (q[1]),
                              ![1] = (q[self])]
            /\ pc' = [pc EXCEPT ![self] = "r10"]
            /\ UNCHANGED << x, got, seen >>

r10(self) == /\ pc[self] = "r10"
             /\ Assert(x < 9, "Failure of assertion at line 11, column 18 of macro called at line 28, column 8.")
             /\ Assert((seen[self]) < 9, "Failure of assertion at line 11, column 18 of macro called at line 28, column 18.")
             /\ IF 3 > 0
                   THEN /\ Assert(seen[self] < 3, "Failure of assertion at line 13, column 5 of macro called at line 28, column 18.")
                        /\ Assert((3) < 9, "Failure of assertion at line 11, column 18 of macro called at line 28, column 18.")
                   ELSE /\ TRUE
             /\ pc' = [pc EXCEPT ![self] = "Done"]
             /\ UNCHANGED << q, x, got, seen >>

R(self) == r1(self) \/ r2(self) \/ r3(self) \/ r4(self) \/ r5(self)
           \/ r6(self) \/ r7(self) \/ r8(self) \/ r9(self) \/ r10(self)

(* Allow infinite stuttering to prevent deadlock on termination. *)
Terminating == /\ \A self \in ProcSet: pc[self] = "Done"
               /\ UNCHANGED vars

Next == (\E self \in 1 .. 2: R(self)) \/ Terminating

Spec == Init /\ [][Next]_vars

Termination == <>(\A self \in ProcSet: pc[self] = "Done")

\* END TRANSLATION
====
