---------------------------- MODULE ChangRoberts ----------------------------
(***************************************************************************)
(* Leader election on a ring, after E. Chang and R. Roberts, CACM 22(5),   *)
(* 1979.  The Go algorithm chang-roberts/classic says the same; `mc tla    *)
(* compare' finds the two state graphs equal, state by state.              *)
(*                                                                         *)
(* Processes sit on a ring, and each can send to the next one only.  Some  *)
(* of them, the initiators, want an election and send their own ID round.  *)
(* Each process passes on the IDs that are smaller than its own and        *)
(* swallows the larger ones.  So only the smallest ID of all initiators    *)
(* comes all the way round, and its owner knows that it has won.  Nobody   *)
(* else learns who did.                                                    *)
(*                                                                         *)
(* A process that is no initiator, or that has seen a smaller ID, has lost *)
(* and passes on whatever comes.                                           *)
(***************************************************************************)
EXTENDS Naturals, Sequences

CONSTANTS N,    \* how many processes there are
          Ring  \* their IDs, 1 to N, in the order in which they sit

Processes == 1 .. N

ASSUME /\ N \in Nat \ {0}
       /\ Ring \in [Processes -> Processes]
       /\ \A p \in Processes : \E i \in Processes : Ring[i] = p

\* Two rings for a configuration to choose from, as in Ring <- Ascending.
Ascending  == [i \in 1 .. N |-> i]
Descending == [i \in 1 .. N |-> N + 1 - i]

\* The one that sits behind p.
Successor(p) == LET place == CHOOSE i \in Processes : Ring[i] = p
            IN  Ring[(place % N) + 1]

(***************************************************************************
--algorithm ChangRoberts {
  variables
    \* The IDs on their way to each process.  A set will do: no ID is ever
    \* twice on the same link, and the links may reorder.
    inbox = [p \in Processes |-> {}];

  \* `fair' means that a process which can do a step does one in the end.
  fair process (member \in Processes)
    variables
      initiator \in BOOLEAN, \* any subset may begin: one initial state for each
      state = IF initiator THEN "candidate" ELSE "lost";
  {
    start: \* until here a process handles nothing
      if (initiator) {
        inbox[Successor(self)] := inbox[Successor(self)] \cup {self};
      };
    handle:
      while (TRUE) {
        with (id \in inbox[self]) { \* waits until there is one
          if (state = "lost" \/ id < self) {
            \* One assignment with two parts: on a ring of one, it is the
            \* same inbox, and the ID stays where it is.
            inbox[self] := inbox[self] \ {id} ||
            inbox[Successor(self)] := inbox[Successor(self)] \cup {id};
            state := "lost";
          } else {
            inbox[self] := inbox[self] \ {id};
            if (id = self) {
              state := "won"; \* my ID came all the way round
            };
          };
        };
      };
  }
}
 ***************************************************************************)
\* BEGIN TRANSLATION
VARIABLES pc, inbox, initiator, state

vars == << pc, inbox, initiator, state >>

ProcSet == (Processes)

Init == (* Global variables *)
        /\ inbox = [p \in Processes |-> {}]
        (* Process member *)
        /\ initiator \in [Processes -> BOOLEAN]
        /\ state = [self \in Processes |-> IF initiator[self] THEN "candidate" ELSE "lost"]
        /\ pc = [self \in ProcSet |-> "start"]

start(self) == /\ pc[self] = "start"
               /\ IF initiator[self]
                     THEN /\ inbox' = [inbox EXCEPT ![Successor(self)] = inbox[Successor(self)] \cup {self}]
                     ELSE /\ TRUE
                          /\ inbox' = inbox
               /\ pc' = [pc EXCEPT ![self] = "handle"]
               /\ UNCHANGED << initiator, state >>

handle(self) == /\ pc[self] = "handle"
                /\ \E id \in inbox[self]:
                     IF state[self] = "lost" \/ id < self
                        THEN /\ inbox' = [inbox EXCEPT ![self] = inbox[self] \ {id},
                                                       ![Successor(self)] = inbox[Successor(self)] \cup {id}]
                             /\ state' = [state EXCEPT ![self] = "lost"]
                        ELSE /\ inbox' = [inbox EXCEPT ![self] = inbox[self] \ {id}]
                             /\ IF id = self
                                   THEN /\ state' = [state EXCEPT ![self] = "won"]
                                   ELSE /\ TRUE
                                        /\ state' = state
                /\ pc' = [pc EXCEPT ![self] = "handle"]
                /\ initiator' = initiator

member(self) == start(self) \/ handle(self)

(* Allow infinite stuttering to prevent deadlock on termination. *)
Terminating == /\ \A self \in ProcSet: pc[self] = "Done"
               /\ UNCHANGED vars

Next == (\E self \in Processes: member(self)) \/ Terminating

Spec == /\ Init /\ [][Next]_vars
        /\ \A self \in Processes : WF_vars(member(self))

Termination == <>(\A self \in ProcSet: pc[self] = "Done")

\* END TRANSLATION
-----------------------------------------------------------------------------

\* What every variable may hold.
TypeOK == /\ inbox \in [Processes -> SUBSET Processes]
          /\ initiator \in [Processes -> BOOLEAN]
          /\ state \in [Processes -> {"candidate", "lost", "won"}]
          /\ pc \in [Processes -> {"start", "handle"}]

\* Whoever won is the initiator with the smallest ID, and all others know that
\* it is not they. 
Safety == \A p \in Processes : state[p] = "won" =>
            /\ initiator[p]
            /\ \A q \in Processes \ {p} : /\ state[q] = "lost"
                                          /\ initiator[q] => q > p

\* Only an ID that is on its way can win, and only those of initiators are.
Origin == \A p \in Processes : \A id \in inbox[p] : initiator[id]

\* If anybody stands for election, somebody wins.  Without initiators there is
\* no election, and nothing to promise.
Liveness == (\E p \in Processes : state[p] = "candidate")
              ~> (\E p \in Processes : state[p] = "won")
=============================================================================
