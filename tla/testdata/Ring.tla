---- MODULE Ring ----
EXTENDS Integers, FiniteSets
CONSTANTS N
ASSUME N \in Nat \ {0}
Node == 1..N
succ(n) == IF n = N THEN 1 ELSE n + 1
VARIABLES msgs, pc, initiator, state
vars == << msgs, pc, initiator, state >>
ProcSet == Node
Init == /\ msgs = [n \in Node |-> {}]
        /\ initiator \in [Node -> BOOLEAN]
        /\ state = [self \in Node |-> IF initiator[self] THEN "cand" ELSE "lost"]
        /\ pc = [self \in ProcSet |-> "n0"]
n0(self) == /\ pc[self] = "n0"
            /\ IF initiator[self]
                  THEN /\ msgs' = [msgs EXCEPT ![succ(self)] = @ \cup {self}]
                  ELSE /\ TRUE
                       /\ msgs' = msgs
            /\ pc' = [pc EXCEPT ![self] = "n1"]
            /\ UNCHANGED << initiator, state >>
n1(self) == /\ pc[self] = "n1"
            /\ \E id \in msgs[self]:
                 LET _msgs == [msgs EXCEPT ![self] = @ \ {id}] IN
                   IF state[self] = "lost"
                      THEN /\ msgs' = [_msgs EXCEPT ![succ(self)] = @ \cup {id}]
                           /\ UNCHANGED state
                      ELSE IF id < self
                              THEN /\ state' = [state EXCEPT ![self] = "lost"]
                                   /\ msgs' = [_msgs EXCEPT ![succ(self)] = @ \cup {id}]
                              ELSE /\ msgs' = _msgs
                                   /\ IF id = self
                                         THEN /\ state' = [state EXCEPT ![self] = "won"]
                                         ELSE /\ TRUE
                                              /\ state' = state
            /\ pc' = [pc EXCEPT ![self] = "n1"]
            /\ UNCHANGED initiator
node(self) == n0(self) \/ n1(self)
Next == (\E self \in Node: node(self))
Spec == /\ Init /\ [][Next]_vars
        /\ \A self \in Node : WF_vars(node(self))
TypeOK == /\ pc \in [Node -> {"n0", "n1", "Done"}]
          /\ msgs \in [Node -> SUBSET Node]
          /\ initiator \in [Node -> BOOLEAN]
          /\ state \in [Node -> {"cand", "lost", "won"}]
Correctness == \A n \in Node : state[n] = "won" =>
    /\ initiator[n]
    /\ \A m \in Node \ {n} : /\ state[m] = "lost"
                             /\ initiator[m] => m > n
Bad == \A n \in Node : state[n] # "won"
Liveness == (\E n \in Node : state[n] = "cand") => <>(\E n \in Node : state[n] = "won")
====
