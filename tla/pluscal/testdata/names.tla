---- MODULE names ----
EXTENDS Naturals, Sequences
(* --algorithm names {
variables x = 0;
procedure f(x1) variables y = x1; { a: y := x1 + y; b: return; }
procedure g(x1) variables y; { a: call f(x1); b: y := [y |-> x1].y; goto a; c: return; }
process (P \in {1}) variables y = 0, z = y; { a: y := 1; b: call f(y); c: call g([y |-> y].y); }
process (Q \in {2}) variables y = 0, z = y + self; { a: y := z; goto a; f: skip; P: skip }
process (S = 3) variables y = 7; { a: y := y + 1; s: either { call f(y); goto s } or { t: skip; } or skip; u: x := 1 }
} *)
\* BEGIN TRANSLATION
CONSTANT defaultInitValue
VARIABLES pc, x, stack, x1_, y_f, x1, y, y_, z_, y_Q, z, y_S

vars == << pc, x, stack, x1_, y_f, x1, y, y_, z_, y_Q, z, y_S >>

ProcSet == ({1}) \cup ({2}) \cup {3}

Init == (* Global variables *)
        /\ x = 0
        (* Procedure f *)
        /\ x1_ = [self \in ProcSet |-> defaultInitValue]
        /\ y_f = [self \in ProcSet |-> x1_[self]]
        (* Procedure g *)
        /\ x1 = [self \in ProcSet |-> defaultInitValue]
        /\ y = [self \in ProcSet |-> defaultInitValue]
        (* Process P *)
        /\ y_ = [self \in {1} |-> 0]
        /\ z_ = [self \in {1} |-> y_[self]]
        (* Process Q *)
        /\ y_Q = [self \in {2} |-> 0]
        /\ z = [self \in {2} |-> y_Q[self] + self]
        (* Process S *)
        /\ y_S = 7
        /\ stack = [self \in ProcSet |-> << >>]
        /\ pc = [self \in ProcSet |-> CASE self \in {1} -> "a_P"
                                        [] self \in {2} -> "a_Q"
                                        [] self = 3 -> "a"]

a_(self) == /\ pc[self] = "a_"
            /\ y_f' = [y_f EXCEPT ![self] = x1_[self] + y_f[self]]
            /\ pc' = [pc EXCEPT ![self] = "b_"]
            /\ UNCHANGED << x, stack, x1_, x1, y, y_, z_, y_Q, z, y_S >>

b_(self) == /\ pc[self] = "b_"
            /\ pc' = [pc EXCEPT ![self] = Head(stack[self]).pc]
            /\ y_f' = [y_f EXCEPT ![self] = Head(stack[self]).y_f]
            /\ x1_' = [x1_ EXCEPT ![self] = Head(stack[self]).x1_]
            /\ stack' = [stack EXCEPT ![self] = Tail(stack[self])]
            /\ UNCHANGED << x, x1, y, y_, z_, y_Q, z, y_S >>

f(self) == a_(self) \/ b_(self)

a_g(self) == /\ pc[self] = "a_g"
             /\ /\ stack' = [stack EXCEPT ![self] = << [ procedure |-> "f", pc |-> "b_g", y_f |-> y_f[self], x1_ |-> x1_[self] ] >>
                                                        \o stack[self]]
                /\ x1_' = [x1_ EXCEPT ![self] = x1[self]]
             /\ y_f' = [y_f EXCEPT ![self] = x1_'[self]]
             /\ pc' = [pc EXCEPT ![self] = "a_"]
             /\ UNCHANGED << x, x1, y, y_, z_, y_Q, z, y_S >>

b_g(self) == /\ pc[self] = "b_g"
             /\ y' = [y EXCEPT ![self] = [y |-> x1[self]].y]
             /\ pc' = [pc EXCEPT ![self] = "a_g"]
             /\ UNCHANGED << x, stack, x1_, y_f, x1, y_, z_, y_Q, z, y_S >>

c_(self) == /\ pc[self] = "c_"
            /\ pc' = [pc EXCEPT ![self] = Head(stack[self]).pc]
            /\ y' = [y EXCEPT ![self] = Head(stack[self]).y]
            /\ x1' = [x1 EXCEPT ![self] = Head(stack[self]).x1]
            /\ stack' = [stack EXCEPT ![self] = Tail(stack[self])]
            /\ UNCHANGED << x, x1_, y_f, y_, z_, y_Q, z, y_S >>

g(self) == a_g(self) \/ b_g(self) \/ c_(self)

a_P(self) == /\ pc[self] = "a_P"
             /\ y_' = [y_ EXCEPT ![self] = 1]
             /\ pc' = [pc EXCEPT ![self] = "b"]
             /\ UNCHANGED << x, stack, x1_, y_f, x1, y, z_, y_Q, z, y_S >>

b(self) == /\ pc[self] = "b"
           /\ /\ stack' = [stack EXCEPT ![self] = << [ procedure |-> "f", pc |-> "c", y_f |-> y_f[self], x1_ |-> x1_[self] ] >>
                                                      \o stack[self]]
              /\ x1_' = [x1_ EXCEPT ![self] = y_[self]]
           /\ y_f' = [y_f EXCEPT ![self] = x1_'[self]]
           /\ pc' = [pc EXCEPT ![self] = "a_"]
           /\ UNCHANGED << x, x1, y, y_, z_, y_Q, z, y_S >>

c(self) == /\ pc[self] = "c"
           /\ /\ stack' = [stack EXCEPT ![self] = << [ procedure |-> "g", pc |-> "Done", y |-> y[self], x1 |-> x1[self] ] >>
                                                      \o stack[self]]
              /\ x1' = [x1 EXCEPT ![self] = [y |-> y_[self]].y]
           /\ y' = [y EXCEPT ![self] = defaultInitValue]
           /\ pc' = [pc EXCEPT ![self] = "a_g"]
           /\ UNCHANGED << x, x1_, y_f, y_, z_, y_Q, z, y_S >>

P(self) == a_P(self) \/ b(self) \/ c(self)

a_Q(self) == /\ pc[self] = "a_Q"
             /\ y_Q' = [y_Q EXCEPT ![self] = z[self]]
             /\ pc' = [pc EXCEPT ![self] = "a_Q"]
             /\ UNCHANGED << x, stack, x1_, y_f, x1, y, y_, z_, z, y_S >>

f_(self) == /\ pc[self] = "f_"
            /\ TRUE
            /\ pc' = [pc EXCEPT ![self] = "P_"]
            /\ UNCHANGED << x, stack, x1_, y_f, x1, y, y_, z_, y_Q, z, y_S >>

P_(self) == /\ pc[self] = "P_"
            /\ TRUE
            /\ pc' = [pc EXCEPT ![self] = "Done"]
            /\ UNCHANGED << x, stack, x1_, y_f, x1, y, y_, z_, y_Q, z, y_S >>

Q(self) == a_Q(self) \/ f_(self) \/ P_(self)

a == /\ pc[3] = "a"
     /\ y_S' = y_S + 1
     /\ pc' = [pc EXCEPT ![3] = "s"]
     /\ UNCHANGED << x, stack, x1_, y_f, x1, y, y_, z_, y_Q, z >>

s == /\ pc[3] = "s"
     /\ \/ /\ /\ stack' = [stack EXCEPT ![3] = << [ procedure |-> "f", pc |-> "s", y_f |-> y_f[3], x1_ |-> x1_[3] ] >>
                                                   \o stack[3]]
              /\ x1_' = [x1_ EXCEPT ![3] = y_S]
           /\ y_f' = [y_f EXCEPT ![3] = x1_'[3]]
           /\ pc' = [pc EXCEPT ![3] = "a_"]
        \/ /\ pc' = [pc EXCEPT ![3] = "t"]
           /\ UNCHANGED << stack, x1_, y_f >>
        \/ /\ TRUE
           /\ pc' = [pc EXCEPT ![3] = "u"]
           /\ UNCHANGED << stack, x1_, y_f >>
     /\ UNCHANGED << x, x1, y, y_, z_, y_Q, z, y_S >>

t == /\ pc[3] = "t"
     /\ TRUE
     /\ pc' = [pc EXCEPT ![3] = "u"]
     /\ UNCHANGED << x, stack, x1_, y_f, x1, y, y_, z_, y_Q, z, y_S >>

u == /\ pc[3] = "u"
     /\ x' = 1
     /\ pc' = [pc EXCEPT ![3] = "Done"]
     /\ UNCHANGED << stack, x1_, y_f, x1, y, y_, z_, y_Q, z, y_S >>

S == a \/ s \/ t \/ u

(* Allow infinite stuttering to prevent deadlock on termination. *)
Terminating == /\ \A self \in ProcSet: pc[self] = "Done"
               /\ UNCHANGED vars

Next == S \/ (\E self \in ProcSet: f(self) \/ g(self))
        \/ (\E self \in {1}: P(self)) \/ (\E self \in {2}: Q(self))
        \/ Terminating

Spec == Init /\ [][Next]_vars

Termination == <>(\A self \in ProcSet: pc[self] = "Done")

\* END TRANSLATION
====
