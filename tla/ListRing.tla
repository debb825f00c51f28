------------------------------ MODULE ListRing ------------------------------
(***************************************************************************)
(* The election on a ring by a list, as told in many lecture notes,        *)
(* mended. The Go algorithm token-ring/mended says the same.               *)
(*                                                                         *)
(* Who finds no leader sends a list round that holds only itself.          *)
(* Everybody adds itself. When the list comes to somebody that is in it,   *)
(* it has been all the way round: that process knows who is there, and     *)
(* sends the largest of those that are still up round as the leader.       *)
(*                                                                         *)
(* A process sends to the next one that is up at that moment: the ring is  *)
(* said to know. As told, the list may elect a process that crashed after  *)
(* it had joined, the announcement cycles forever if the one that sent    *)
(* it out crashed, and a list that was lost with a process is never        *)
(* replaced.                                                               *)
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

Max(S)        == CHOOSE x \in S : \A y \in S : x >= y
Members(list) == { list[i] : i \in 1 .. Len(list) }

(***************************************************************************
--algorithm ListRing {
  variables
    up      = [p \in Processes |-> TRUE],
    net     = {}, \* the messages on their way; one that is there already adds nothing
    \* What each process remembers, in arrays, since a crash wipes it out.
    holding = [p \in Processes |-> FALSE], \* a list that it began is out
    leader  = [p \in Processes |-> None];

  define {
    Up == { p \in Processes : up[p] }

    \* A message of p's to the next process that is up, itself if there is no other.
    On(p, kind, list, boss) ==
      { [from |-> p, to |-> FirstBehind(p, Up), kind |-> kind, list |-> list, leader |-> boss] }
  }

  \* Takes m off the network and sends some.
  macro Handle(m, some) { net := (net \ {m}) \cup some }

  fair process (member \in Processes)
  {
    act:
      while (TRUE) {
        await up[self];
        either { \* finds no leader
          await ~holding[self] /\ leader[self] \notin Up;
          holding[self] := TRUE;
          net := net \cup On(self, "ELECTION", <<self>>, None);
        } or { \* the list of its own is lost
          await /\ holding[self]
                /\ \A m \in net : m.kind = "ELECTION" => Head(m.list) # self;
          net := net \cup On(self, "ELECTION", <<self>>, None);
        } or {
          with (m \in { m \in net : m.to = self }) {
            if (m.kind = "ELECTION" /\ self \notin Members(m.list)) {
              Handle(m, On(self, "ELECTION", Append(m.list, self), None));
            } else if (m.kind = "ELECTION") { \* it came all the way round
              with (best = Max(Members(m.list) \cap Up)) {
                holding[self] := FALSE;
                leader[self] := best;
                Handle(m, IF Up = {self} THEN {} ELSE On(self, "COORDINATOR", <<self>>, best));
              };
            } else if (self \in Members(m.list)) { \* all know
              Handle(m, {});
            } else {
              holding[self] := FALSE;
              leader[self] := m.leader;
              Handle(m, On(self, "COORDINATOR", Append(m.list, self), m.leader));
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
          holding[p] := FALSE;
          leader[p] := None;
        };
      };
  }
}
 **************************************************************************)
\* BEGIN TRANSLATION
VARIABLES up, net, holding, leader

(* define statement *)
Up == { p \in Processes : up[p] }

\* A message of p's to the next process that is up, itself if there is no other.
On(p, kind, list, boss) ==
  { [from |-> p, to |-> FirstBehind(p, Up), kind |-> kind, list |-> list, leader |-> boss] }

vars == << up, net, holding, leader >>

ProcSet == (Processes) \cup {None}

Init == (* Global variables *)
        /\ up = [p \in Processes |-> TRUE]
        /\ net = {}
        /\ holding = [p \in Processes |-> FALSE]
        /\ leader = [p \in Processes |-> None]

member(self) == /\ up[self]
                /\ \/ /\ ~holding[self] /\ leader[self] \notin Up
                      /\ holding' = [holding EXCEPT ![self] = TRUE]
                      /\ net' = net \cup On(self, "ELECTION", <<self>>, None)
                      /\ leader' = leader
                   \/ /\ /\ holding[self]
                         /\ \A m \in net : m.kind = "ELECTION" => Head(m.list) # self
                      /\ net' = net \cup On(self, "ELECTION", <<self>>, None)
                      /\ UNCHANGED << holding, leader >>
                   \/ /\ \E m \in { m \in net : m.to = self }:
                           IF m.kind = "ELECTION" /\ self \notin Members(m.list)
                              THEN /\ net' = (net \ {m}) \cup (On(self, "ELECTION", Append(m.list, self), None))
                                   /\ UNCHANGED << holding, leader >>
                              ELSE /\ IF m.kind = "ELECTION"
                                         THEN /\ LET best == Max(Members(m.list) \cap Up) IN
                                                   /\ holding' = [holding EXCEPT ![self] = FALSE]
                                                   /\ leader' = [leader EXCEPT ![self] = best]
                                                   /\ net' = (net \ {m}) \cup (IF Up = {self} THEN {} ELSE On(self, "COORDINATOR", <<self>>, best))
                                         ELSE /\ IF self \in Members(m.list)
                                                    THEN /\ net' = (net \ {m}) \cup ({})
                                                         /\ UNCHANGED << holding, leader >>
                                                    ELSE /\ holding' = [holding EXCEPT ![self] = FALSE]
                                                         /\ leader' = [leader EXCEPT ![self] = m.leader]
                                                         /\ net' = (net \ {m}) \cup (On(self, "COORDINATOR", Append(m.list, self), m.leader))
                /\ up' = up

fate == \E p \in Up:
          /\ Cardinality(Processes \ Up) < F
          /\ up' = [up EXCEPT ![p] = FALSE]
          /\ net' = { m \in net : m.to # p }
          /\ holding' = [holding EXCEPT ![p] = FALSE]
          /\ leader' = [leader EXCEPT ![p] = None]

Next == fate \/ (\E self \in Processes: member(self))

Spec == /\ Init /\ [][Next]_vars
        /\ \A self \in Processes : WF_vars(member(self))

\* END TRANSLATION
-----------------------------------------------------------------------------

\* A list holds no process twice.
Lists == { m.list : m \in net }

\* What every variable may hold.
TypeOK == /\ up \in [Processes -> BOOLEAN]
          /\ \A m \in net : /\ m.from \in Processes /\ m.to \in Up
                             /\ m.kind \in {"ELECTION", "COORDINATOR"}
                             /\ m.leader \in Processes \cup {None}
          /\ \A list \in Lists : /\ Members(list) \subseteq Processes
                                 /\ Cardinality(Members(list)) = Len(list)
          /\ holding \in [Processes -> BOOLEAN]
          /\ leader \in [Processes -> Processes \cup {None}]

\* Whoever is announced was up when it was elected, and nobody else is larger
\* that took part.
Announced == \A m \in net : m.kind = "COORDINATOR" => m.leader # None

\* In the end all that are up follow one of them, forever, and the same.
Liveness == <>[](\E p \in Up : \A q \in Up : leader[q] = p)
=============================================================================
