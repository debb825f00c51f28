---- MODULE fairness ----
EXTENDS Naturals, Sequences
(* --algorithm fairness {
variables x = 0;
procedure f() { f1:+ x := 1; f2:- return; }
fair process (P \in {1, 2}) { a:+ call f(); b:- x := 2; c:- skip; }
fair+ process (Q = 3) { q:- call f(); r:+ skip; }
fair process (R = 4) { s: skip; t:+ x := 3; }
process (S = 5) { u: skip; }
} *)
\* BEGIN TRANSLATION
VARIABLES pc, x, stack

vars == << pc, x, stack >>

ProcSet == ({1, 2}) \cup {3} \cup {4} \cup {5}

Init == (* Global variables *)
        /\ x = 0
        /\ stack = [self \in ProcSet |-> << >>]
        /\ pc = [self \in ProcSet |-> CASE self \in {1, 2} -> "a"
                                        [] self = 3 -> "q"
                                        [] self = 4 -> "s"
                                        [] self = 5 -> "u"]

f1(self) == /\ pc[self] = "f1"
            /\ x' = 1
            /\ pc' = [pc EXCEPT ![self] = "f2"]
            /\ stack' = stack

f2(self) == /\ pc[self] = "f2"
            /\ pc' = [pc EXCEPT ![self] = Head(stack[self]).pc]
            /\ stack' = [stack EXCEPT ![self] = Tail(stack[self])]
            /\ x' = x

f(self) == f1(self) \/ f2(self)

a(self) == /\ pc[self] = "a"
           /\ stack' = [stack EXCEPT ![self] = << [ procedure |-> "f", pc |-> "b" ] >>
                                                   \o stack[self]]
           /\ pc' = [pc EXCEPT ![self] = "f1"]
           /\ x' = x

b(self) == /\ pc[self] = "b"
           /\ x' = 2
           /\ pc' = [pc EXCEPT ![self] = "c"]
           /\ stack' = stack

c(self) == /\ pc[self] = "c"
           /\ TRUE
           /\ pc' = [pc EXCEPT ![self] = "Done"]
           /\ UNCHANGED << x, stack >>

P(self) == a(self) \/ b(self) \/ c(self)

q == /\ pc[3] = "q"
     /\ stack' = [stack EXCEPT ![3] = << [ procedure |-> "f", pc |-> "r" ] >>
                                          \o stack[3]]
     /\ pc' = [pc EXCEPT ![3] = "f1"]
     /\ x' = x

r == /\ pc[3] = "r"
     /\ TRUE
     /\ pc' = [pc EXCEPT ![3] = "Done"]
     /\ UNCHANGED << x, stack >>

Q == q \/ r

s == /\ pc[4] = "s"
     /\ TRUE
     /\ pc' = [pc EXCEPT ![4] = "t"]
     /\ UNCHANGED << x, stack >>

t == /\ pc[4] = "t"
     /\ x' = 3
     /\ pc' = [pc EXCEPT ![4] = "Done"]
     /\ stack' = stack

R == s \/ t

u == /\ pc[5] = "u"
     /\ TRUE
     /\ pc' = [pc EXCEPT ![5] = "Done"]
     /\ UNCHANGED << x, stack >>

S == u

(* Allow infinite stuttering to prevent deadlock on termination. *)
Terminating == /\ \A self \in ProcSet: pc[self] = "Done"
               /\ UNCHANGED vars

Next == Q \/ R \/ S \/ (\E self \in ProcSet: f(self))
        \/ (\E self \in {1, 2}: P(self)) \/ Terminating

Spec == /\ Init /\ [][Next]_vars
        /\ \A self \in {1, 2} : /\ WF_vars((pc[self] \notin {"b", "c"}) /\ P(self))
                                /\ SF_vars(a(self))
                                /\ WF_vars((pc[self] # "f2") /\ f(self))
                                /\ SF_vars(f1(self))
        /\ SF_vars((pc[3] # "q") /\ Q)
        /\ SF_vars((pc[3] # "f2") /\ f(3))
        /\ WF_vars(R)
        /\ SF_vars(t)

Termination == <>(\A self \in ProcSet: pc[self] = "Done")

\* END TRANSLATION
====
