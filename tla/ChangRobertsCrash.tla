------------------------- MODULE ChangRobertsCrash --------------------------
(***************************************************************************)
(* Chang-Roberts made to survive crashes, by a failure detector that is    *)
(* never wrong and reports every crash in the end. The Go algorithm chang- *)
(* roberts/detecting says the same. Here the largest ID wins, and it is    *)
(* announced.                                                              *)
(*                                                                         *)
(* A message dies with the process that holds it. Whoever passed it on may *)
(* have handed it to a process of whose crash it had not heard. So each    *)
(* report of a crash makes a process repeat both what it knows: the        *)
(* leader, and the best candidate.                                         *)
(*                                                                         *)
(* It is not enough to repeat the candidate only, nor to forget the        *)
(* candidates when a leader is announced, nor to repeat the announcement   *)
(* only while a live leader is known.                                      *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS N,    \* how many processes there are
          Ring, \* their IDs, 1 to N, in the order in which they sit
          F     \* how many of them may crash

Processes == 1 .. N
None      == 0

ASSUME /\ N \in Nat \ {0} /\ F \in Nat
       /\ Ring \in [Processes -> Processes]
       /\ \A p \in Processes : \E i \in Processes : Ring[i] = p

\* Two rings for a configuration to choose from, as in Ring <- Ascending.
Ascending  == [i \in 1 .. N |-> i]
Descending == [i \in 1 .. N |-> N + 1 - i]

\* The first of some processes that one meets going round from p; p comes last.
FirstBehind(p, some) ==
  LET place(q) == CHOOSE i \in Processes : Ring[i] = q
      ahead(q) == (place(q) + N - place(p) - 1) % N
  IN  CHOOSE q \in some : \A r \in some : ahead(q) <= ahead(r)

Max(S) == CHOOSE x \in S : \A y \in S : x >= y

(***************************************************************************
--algorithm ChangRobertsCrash {
  variables
    up      = [p \in Processes |-> TRUE],
    net     = {}, \* the messages on their way; one that is there already adds nothing
    \* What each process remembers. These are arrays, and no variables of the
    \* processes, since a crash wipes them out.
    crashed = [p \in Processes |-> {}],  \* those reported to it
    seen    = [p \in Processes |-> {}],  \* whose candidacies it began or passed on
    leader  = [p \in Processes |-> None];

  define {
    Up == { p \in Processes : up[p] }

    \* What arrives: nothing does at a process that is down.
    Arriving(messages) == { m \in messages : up[m.to] }

    \* A message of p's to the next process of which it knows no crash.
    OnFrom(p, down, kind, id) ==
      { [from |-> p, to |-> FirstBehind(p, Processes \ down), kind |-> kind, id |-> id] }
  }

  \* Takes m off the network and sends some.
  macro Handle(m, some) { net := Arriving((net \ {m}) \cup some) }

  fair process (member \in Processes)
  {
    act:
      while (TRUE) {
        await up[self];
        either { \* wants an election
          await seen[self] = {} /\ leader[self] = None;
          seen[self] := {self};
          net := Arriving(net \cup OnFrom(self, crashed[self], "ELECTION", self));
        } or {
          with (m \in { m \in net : m.to = self }) {
            if (m.id \in crashed[self]) { \* the word of a dead candidate or leader
              Handle(m, {});
            } else if (m.kind = "ELECTION" /\ m.id = self) { \* it came all the way round
              leader[self] := self;
              if (Processes \ crashed[self] = {self}) {
                Handle(m, {});
              } else {
                Handle(m, OnFrom(self, crashed[self], "ELECTED", self));
              };
            } else if (m.kind = "ELECTION") {
              if (m.id > self \/ seen[self] = {} \/ leader[self] # None) {
                with (best = Max({m.id, self})) {
                  seen[self] := seen[self] \cup {best};
                  Handle(m, OnFrom(self, crashed[self], "ELECTION", best));
                };
              } else { \* smaller than mine, which is on its way
                Handle(m, {});
              };
            } else if (m.id = self) { \* all know
              if (leader[self] = None) {
                leader[self] := self;
              };
              Handle(m, {});
            } else if (leader[self] # None /\ m.id > leader[self]) {
              Handle(m, {}); \* later leaders are smaller: it is stale
            } else {
              leader[self] := m.id;
              Handle(m, OnFrom(self, crashed[self], "ELECTED", m.id));
            };
          };
        } or { \* hears of a crash
          with (q \in Processes \ (Up \cup crashed[self]),
                down = crashed[self] \cup {q},
                left = seen[self] \ {q},
                boss = IF leader[self] = q THEN None ELSE leader[self]) {
            crashed[self] := down;
            if (Processes \ down = {self}) { \* I am alone
              leader[self] := self;
              seen[self] := {};
            } else {
              with (candidates = IF boss = None /\ left = {} THEN {self} ELSE left) {
                leader[self] := boss;
                seen[self] := candidates;
                net := Arriving(net
                  \cup (IF boss = None THEN {} ELSE OnFrom(self, down, "ELECTED", boss))
                  \cup (IF candidates = {} THEN {} ELSE OnFrom(self, down, "ELECTION", Max(candidates))));
              };
            };
          };
        };
      };
  }

  \* Whoever crashes forgets all, and what is on its way to it is lost. Nothing
  \* is fair about it: it may happen at any time, or never.
  process (fate = None)
  {
    strike:
      while (TRUE) {
        with (p \in Up) {
          await Cardinality(Processes \ Up) < F;
          up[p] := FALSE;
          net := { m \in net : m.to # p };
          crashed[p] := {};
          seen[p] := {};
          leader[p] := None;
        };
      };
  }
}
 **************************************************************************)
\* BEGIN TRANSLATION
VARIABLES up, net, crashed, seen, leader

(* define statement *)
Up == { p \in Processes : up[p] }

\* What arrives: nothing does at a process that is down.
Arriving(messages) == { m \in messages : up[m.to] }

\* A message of p's to the next process of which it knows no crash.
OnFrom(p, down, kind, id) ==
  { [from |-> p, to |-> FirstBehind(p, Processes \ down), kind |-> kind, id |-> id] }

vars == << up, net, crashed, seen, leader >>

ProcSet == (Processes) \cup {None}

Init == (* Global variables *)
        /\ up = [p \in Processes |-> TRUE]
        /\ net = {}
        /\ crashed = [p \in Processes |-> {}]
        /\ seen = [p \in Processes |-> {}]
        /\ leader = [p \in Processes |-> None]

member(self) == /\ up[self]
                /\ \/ /\ seen[self] = {} /\ leader[self] = None
                      /\ seen' = [seen EXCEPT ![self] = {self}]
                      /\ net' = Arriving(net \cup OnFrom(self, crashed[self], "ELECTION", self))
                      /\ UNCHANGED << crashed, leader >>
                   \/ /\ \E m \in { m \in net : m.to = self }:
                           IF m.id \in crashed[self]
                              THEN /\ net' = Arriving((net \ {m}) \cup ({}))
                                   /\ UNCHANGED << seen, leader >>
                              ELSE /\ IF m.kind = "ELECTION" /\ m.id = self
                                         THEN /\ leader' = [leader EXCEPT ![self] = self]
                                              /\ IF Processes \ crashed[self] = {self}
                                                    THEN /\ net' = Arriving((net \ {m}) \cup ({}))
                                                    ELSE /\ net' = Arriving((net \ {m}) \cup (OnFrom(self, crashed[self], "ELECTED", self)))
                                              /\ seen' = seen
                                         ELSE /\ IF m.kind = "ELECTION"
                                                    THEN /\ IF m.id > self \/ seen[self] = {} \/ leader[self] # None
                                                               THEN /\ LET best == Max({m.id, self}) IN
                                                                         /\ seen' = [seen EXCEPT ![self] = seen[self] \cup {best}]
                                                                         /\ net' = Arriving((net \ {m}) \cup (OnFrom(self, crashed[self], "ELECTION", best)))
                                                               ELSE /\ net' = Arriving((net \ {m}) \cup ({}))
                                                                    /\ seen' = seen
                                                         /\ leader' = leader
                                                    ELSE /\ IF m.id = self
                                                               THEN /\ IF leader[self] = None
                                                                          THEN /\ leader' = [leader EXCEPT ![self] = self]
                                                                          ELSE /\ TRUE
                                                                               /\ leader' = leader
                                                                    /\ net' = Arriving((net \ {m}) \cup ({}))
                                                               ELSE /\ IF leader[self] # None /\ m.id > leader[self]
                                                                          THEN /\ net' = Arriving((net \ {m}) \cup ({}))
                                                                               /\ leader' = leader
                                                                          ELSE /\ leader' = [leader EXCEPT ![self] = m.id]
                                                                               /\ net' = Arriving((net \ {m}) \cup (OnFrom(self, crashed[self], "ELECTED", m.id)))
                                                         /\ seen' = seen
                      /\ crashed' = crashed
                   \/ /\ \E q \in Processes \ (Up \cup crashed[self]):
                           LET down == crashed[self] \cup {q} IN
                             LET left == seen[self] \ {q} IN
                               LET boss == IF leader[self] = q THEN None ELSE leader[self] IN
                                 /\ crashed' = [crashed EXCEPT ![self] = down]
                                 /\ IF Processes \ down = {self}
                                       THEN /\ leader' = [leader EXCEPT ![self] = self]
                                            /\ seen' = [seen EXCEPT ![self] = {}]
                                            /\ net' = net
                                       ELSE /\ LET candidates == IF boss = None /\ left = {} THEN {self} ELSE left IN
                                                 /\ leader' = [leader EXCEPT ![self] = boss]
                                                 /\ seen' = [seen EXCEPT ![self] = candidates]
                                                 /\ net' =      Arriving(net
                                                           \cup (IF boss = None THEN {} ELSE OnFrom(self, down, "ELECTED", boss))
                                                           \cup (IF candidates = {} THEN {} ELSE OnFrom(self, down, "ELECTION", Max(candidates))))
                /\ up' = up

fate == \E p \in Up:
          /\ Cardinality(Processes \ Up) < F
          /\ up' = [up EXCEPT ![p] = FALSE]
          /\ net' = { m \in net : m.to # p }
          /\ crashed' = [crashed EXCEPT ![p] = {}]
          /\ seen' = [seen EXCEPT ![p] = {}]
          /\ leader' = [leader EXCEPT ![p] = None]

Next == fate \/ (\E self \in Processes: member(self))

Spec == /\ Init /\ [][Next]_vars
        /\ \A self \in Processes : WF_vars(member(self))

\* END TRANSLATION
-----------------------------------------------------------------------------

\* What every variable may hold.
TypeOK == /\ up \in [Processes -> BOOLEAN]
          /\ net \subseteq [from : Processes, to : Processes, kind : {"ELECTION", "ELECTED"}, id : Processes]
          /\ crashed \in [Processes -> SUBSET Processes]
          /\ seen \in [Processes -> SUBSET Processes]
          /\ leader \in [Processes -> Processes \cup {None}]

\* The detector is never wrong, and nobody stands for election that is known to
\* be dead.
Detected == \A p \in Up : /\ crashed[p] \cap Up = {}
                          /\ seen[p] \cap crashed[p] = {}

\* Who follows somebody follows the largest process that is up, or one of whose
\* crash it cannot know yet.
Safety == \A p \in Up : \/ leader[p] = None
                        \/ leader[p] \notin Up
                        \/ leader[p] = Max(Up)

\* No two processes take themselves for the leader.
AtMostOne == \A p, q \in Up : leader[p] = p /\ leader[q] = q => p = q

\* In the end all that are up follow the largest of them, forever.
Liveness == <>[](\A p \in Up : leader[p] = Max(Up))
=============================================================================
