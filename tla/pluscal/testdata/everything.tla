---- MODULE everything ----
EXTENDS Naturals, Sequences, TLC
(*
--algorithm everything
variables x = 0, y \in {1,2}, z;
define
  Pos == x > 0
end define;
macro inc(v, k) begin v := v + k; end macro;
procedure P(a, b = 3) variables l = 1, m; begin
 p1: l := a + b; 
 pp: if l > 2 then p2: call Q(l); elsif x = 1 then x := 2; return; else skip; end if;
 p3: call Q(1); return;
end procedure;
procedure Q(a) begin
 q1: x := a; 
 q2: call P(1,2); goto q1;
 q3: return;
end procedure;
fair process W \in {1,2} variables i = 0, j = i+1, k \in {1,2}; begin
 a: while i < 3 do i := i + 1; b: either x := x+1; or await i > 1; y := 2; goto c; end either; c: inc(j, i*2); end while;
 d: call P(i, j);
 e:- with q \in {1,2}, r = q+1 do x := q + r || y := x; print x; assert x > 0; end with;
end process;
fair+ process V = 0 variables i = 1; begin
 a: with t \in {4} do i := t; z := i; if t > 3 then goto f else y := z; end if; end with;
 f:+ call Q(i);
end process;
end algorithm *)
\* BEGIN TRANSLATION
CONSTANT defaultInitValue
VARIABLES pc, x, y, z, stack

(* define statement *)
Pos == x > 0

VARIABLES a_P, b, l, m, a, i_, j, k, i

vars == << pc, x, y, z, stack, a_P, b, l, m, a, i_, j, k, i >>

ProcSet == ({1,2}) \cup {0}

Init == (* Global variables *)
        /\ x = 0
        /\ y \in {1,2}
        /\ z = defaultInitValue
        (* Procedure P *)
        /\ a_P = [self \in ProcSet |-> defaultInitValue]
        /\ b = [self \in ProcSet |-> 3]
        /\ l = [self \in ProcSet |-> 1]
        /\ m = [self \in ProcSet |-> defaultInitValue]
        (* Procedure Q *)
        /\ a = [self \in ProcSet |-> defaultInitValue]
        (* Process W *)
        /\ i_ = [self \in {1,2} |-> 0]
        /\ j = [self \in {1,2} |-> i_[self]+1]
        /\ k \in [{1,2} -> {1,2}]
        (* Process V *)
        /\ i = 1
        /\ stack = [self \in ProcSet |-> << >>]
        /\ pc = [self \in ProcSet |-> CASE self \in {1,2} -> "a_"
                                        [] self = 0 -> "a_V"]

p1(self) == /\ pc[self] = "p1"
            /\ l' = [l EXCEPT ![self] = a_P[self] + b[self]]
            /\ pc' = [pc EXCEPT ![self] = "pp"]
            /\ UNCHANGED << x, y, z, stack, a_P, b, m, a, i_, j, k, i >>

pp(self) == /\ pc[self] = "pp"
            /\ IF l[self] > 2
                  THEN /\ pc' = [pc EXCEPT ![self] = "p2"]
                       /\ UNCHANGED << x, stack, a_P, b, l, m >>
                  ELSE /\ IF x = 1
                             THEN /\ x' = 2
                                  /\ pc' = [pc EXCEPT ![self] = Head(stack[self]).pc]
                                  /\ l' = [l EXCEPT ![self] = Head(stack[self]).l]
                                  /\ m' = [m EXCEPT ![self] = Head(stack[self]).m]
                                  /\ a_P' = [a_P EXCEPT ![self] = Head(stack[self]).a_P]
                                  /\ b' = [b EXCEPT ![self] = Head(stack[self]).b]
                                  /\ stack' = [stack EXCEPT ![self] = Tail(stack[self])]
                             ELSE /\ TRUE
                                  /\ pc' = [pc EXCEPT ![self] = "p3"]
                                  /\ UNCHANGED << x, stack, a_P, b, l, m >>
            /\ UNCHANGED << y, z, a, i_, j, k, i >>

p2(self) == /\ pc[self] = "p2"
            /\ /\ a' = [a EXCEPT ![self] = l[self]]
               /\ stack' = [stack EXCEPT ![self] = << [ procedure |-> "Q", pc |-> "p3", a |-> a[self] ] >>
                                                       \o stack[self]]
            /\ pc' = [pc EXCEPT ![self] = "q1"]
            /\ UNCHANGED << x, y, z, a_P, b, l, m, i_, j, k, i >>

p3(self) == /\ pc[self] = "p3"
            /\ /\ a' = [a EXCEPT ![self] = 1]
               /\ l' = [l EXCEPT ![self] = Head(stack[self]).l]
               /\ m' = [m EXCEPT ![self] = Head(stack[self]).m]
               /\ stack' = [stack EXCEPT ![self] = << [ procedure |-> "Q", pc |-> Head(stack[self]).pc, a |-> a[self] ] >>
                                                       \o Tail(stack[self])]
            /\ pc' = [pc EXCEPT ![self] = "q1"]
            /\ UNCHANGED << x, y, z, a_P, b, i_, j, k, i >>

P(self) == p1(self) \/ pp(self) \/ p2(self) \/ p3(self)

q1(self) == /\ pc[self] = "q1"
            /\ x' = a[self]
            /\ pc' = [pc EXCEPT ![self] = "q2"]
            /\ UNCHANGED << y, z, stack, a_P, b, l, m, a, i_, j, k, i >>

q2(self) == /\ pc[self] = "q2"
            /\ /\ a_P' = [a_P EXCEPT ![self] = 1]
               /\ b' = [b EXCEPT ![self] = 2]
               /\ stack' = [stack EXCEPT ![self] = << [ procedure |-> "P", pc |-> "q1", l |-> l[self], m |-> m[self],
                                                        a_P |-> a_P[self], b |-> b[self] ] >>
                                                       \o stack[self]]
            /\ l' = [l EXCEPT ![self] = 1]
            /\ m' = [m EXCEPT ![self] = defaultInitValue]
            /\ pc' = [pc EXCEPT ![self] = "p1"]
            /\ UNCHANGED << x, y, z, a, i_, j, k, i >>

q3(self) == /\ pc[self] = "q3"
            /\ pc' = [pc EXCEPT ![self] = Head(stack[self]).pc]
            /\ a' = [a EXCEPT ![self] = Head(stack[self]).a]
            /\ stack' = [stack EXCEPT ![self] = Tail(stack[self])]
            /\ UNCHANGED << x, y, z, a_P, b, l, m, i_, j, k, i >>

Q(self) == q1(self) \/ q2(self) \/ q3(self)

a_(self) == /\ pc[self] = "a_"
            /\ IF i_[self] < 3
                  THEN /\ i_' = [i_ EXCEPT ![self] = i_[self] + 1]
                       /\ pc' = [pc EXCEPT ![self] = "b_"]
                  ELSE /\ pc' = [pc EXCEPT ![self] = "d"]
                       /\ i_' = i_
            /\ UNCHANGED << x, y, z, stack, a_P, b, l, m, a, j, k, i >>

b_(self) == /\ pc[self] = "b_"
            /\ \/ /\ x' = x+1
                  /\ pc' = [pc EXCEPT ![self] = "c"]
                  /\ y' = y
               \/ /\ i_[self] > 1
                  /\ y' = 2
                  /\ pc' = [pc EXCEPT ![self] = "c"]
                  /\ x' = x
            /\ UNCHANGED << z, stack, a_P, b, l, m, a, i_, j, k, i >>

c(self) == /\ pc[self] = "c"
           /\ j' = [j EXCEPT ![self] = j[self] + (i_[self]*2)]
           /\ pc' = [pc EXCEPT ![self] = "a_"]
           /\ UNCHANGED << x, y, z, stack, a_P, b, l, m, a, i_, k, i >>

d(self) == /\ pc[self] = "d"
           /\ /\ a_P' = [a_P EXCEPT ![self] = i_[self]]
              /\ b' = [b EXCEPT ![self] = j[self]]
              /\ stack' = [stack EXCEPT ![self] = << [ procedure |-> "P", pc |-> "e", l |-> l[self], m |-> m[self],
                                                       a_P |-> a_P[self], b |-> b[self] ] >>
                                                      \o stack[self]]
           /\ l' = [l EXCEPT ![self] = 1]
           /\ m' = [m EXCEPT ![self] = defaultInitValue]
           /\ pc' = [pc EXCEPT ![self] = "p1"]
           /\ UNCHANGED << x, y, z, a, i_, j, k, i >>

e(self) == /\ pc[self] = "e"
           /\ \E q \in {1,2}:
                LET r == q+1 IN
                  /\ /\ x' = q + r
                     /\ y' = x
                  /\ PrintT(x')
                  /\ Assert(x' > 0, "Failure of assertion at line 23, column 66.")
           /\ pc' = [pc EXCEPT ![self] = "Done"]
           /\ UNCHANGED << z, stack, a_P, b, l, m, a, i_, j, k, i >>

W(self) == a_(self) \/ b_(self) \/ c(self) \/ d(self) \/ e(self)

a_V == /\ pc[0] = "a_V"
       /\ \E t \in {4}:
            /\ i' = t
            /\ z' = i'
            /\ IF t > 3
                  THEN /\ pc' = [pc EXCEPT ![0] = "f"]
                       /\ y' = y
                  ELSE /\ y' = z'
                       /\ pc' = [pc EXCEPT ![0] = "f"]
       /\ UNCHANGED << x, stack, a_P, b, l, m, a, i_, j, k >>

f == /\ pc[0] = "f"
     /\ /\ a' = [a EXCEPT ![0] = i]
        /\ stack' = [stack EXCEPT ![0] = << [ procedure |-> "Q", pc |-> "Done", a |-> a[0] ] >>
                                             \o stack[0]]
     /\ pc' = [pc EXCEPT ![0] = "q1"]
     /\ UNCHANGED << x, y, z, a_P, b, l, m, i_, j, k, i >>

V == a_V \/ f

(* Allow infinite stuttering to prevent deadlock on termination. *)
Terminating == /\ \A self \in ProcSet: pc[self] = "Done"
               /\ UNCHANGED vars

Next == V \/ (\E self \in ProcSet: P(self) \/ Q(self))
        \/ (\E self \in {1,2}: W(self)) \/ Terminating

Spec == /\ Init /\ [][Next]_vars
        /\ \A self \in {1,2} : /\ WF_vars((pc[self] # "e") /\ W(self))
                               /\ WF_vars(P(self))
                               /\ WF_vars(Q(self))
        /\ SF_vars(V)
        /\ SF_vars(Q(0))
        /\ SF_vars(P(0))

Termination == <>(\A self \in ProcSet: pc[self] = "Done")

\* END TRANSLATION
====
