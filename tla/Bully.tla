------------------------------- MODULE Bully --------------------------------
(***************************************************************************)
(* The Bully algorithm, after H. Garcia-Molina, IEEE Trans. Computers      *)
(* C-31(1), 1982, mended where its retellings are broken. The Go algorithm *)
(* bully/mended says the same.                                             *)
(*                                                                         *)
(* Who finds no leader challenges everybody above. Whoever is challenged   *)
(* says OK and holds an election in turn. Who is not answered before its   *)
(* patience ends has won, and tells all others.                            *)
(*                                                                         *)
(* Patience is taken as in a system that is synchronous: a process gives   *)
(* up only when what it waits for cannot come any more, and whatever the   *)
(* crashed ones above it ever sent has arrived. Let it give up sooner and  *)
(* Safety fails.                                                           *)
(*                                                                         *)
(* Three mendings matter: a process does not believe a COORDINATOR below   *)
(* itself while it is up, nor one below the leader it follows; and after   *)
(* an OK it does not wait forever, for the one that said OK may have       *)
(* crashed.                                                                *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS N, \* how many processes there are
          F  \* how many of them may crash

Processes == 1 .. N
None      == 0

ASSUME N \in Nat \ {0} /\ F \in Nat

Max(S)   == CHOOSE x \in S : \A y \in S : x >= y
Above(p) == { q \in Processes : q > p }

(***************************************************************************
--algorithm Bully {
  variables
    up     = [p \in Processes |-> TRUE],
    net    = {}, \* the messages on their way; one that is there already adds nothing
    \* What each process remembers, in arrays, since a crash wipes it out.
    mode   = [p \in Processes |-> "idle"],
    leader = [p \in Processes |-> None];

  define {
    Up == { p \in Processes : up[p] }

    \* What arrives: nothing does at a process that is down.
    Arriving(messages) == { m \in messages : up[m.to] }

    Messages(p, some, kind) == { [from |-> p, to |-> q, kind |-> kind] : q \in some }

    \* All that some processes sent has arrived.
    Flushed(some) == \A m \in net : m.from \notin some
  }

  \* Holds an election, with what is left on the network.
  macro Elect(left) {
    if (Above(self) = {}) { \* nobody can object
      mode[self] := "idle";
      leader[self] := self;
      net := Arriving(left \cup Messages(self, Processes \ {self}, "COORDINATOR"));
    } else {
      mode[self] := "electing";
      leader[self] := None; \* else the leader of old would make the new one look stale
      net := Arriving(left \cup Messages(self, Above(self), "ELECTION"));
    }
  }

  fair process (member \in Processes)
  {
    act:
      while (TRUE) {
        await up[self];
        either { \* finds no leader
          await /\ mode[self] = "idle"
                /\ \/ leader[self] = None
                   \/ leader[self] \notin Up /\ Flushed({leader[self]});
          Elect(net);
        } or { \* nobody above answered
          await /\ mode[self] = "electing"
                /\ \A m \in net : /\ m.kind = "ELECTION" => m.from # self
                                  /\ m.kind = "OK" => m.to # self
                /\ Flushed(Above(self) \ Up);
          mode[self] := "idle";
          leader[self] := self;
          net := Arriving(net \cup Messages(self, Processes \ {self}, "COORDINATOR"));
        } or { \* whoever said OK has crashed
          await /\ mode[self] = "waiting"
                /\ Above(self) \cap Up = {}
                /\ \A m \in net : m.kind = "COORDINATOR" => m.to # self
                /\ Flushed(Above(self));
          Elect(net);
        } or {
          with (m \in { m \in net : m.to = self }) {
            if (m.kind = "ELECTION") {
              if (mode[self] = "idle") {
                Elect((net \ {m}) \cup Messages(self, {m.from}, "OK"));
              } else {
                net := Arriving((net \ {m}) \cup Messages(self, {m.from}, "OK"));
              };
            } else if (m.kind = "OK") {
              net := net \ {m};
              if (mode[self] = "electing") {
                mode[self] := "waiting";
              };
            } else if (m.from < self) { \* not while I am here
              if (mode[self] = "idle") {
                Elect(net \ {m});
              } else {
                net := net \ {m};
              };
            } else if (leader[self] # None /\ m.from < leader[self]) { \* stale
              net := net \ {m};
            } else {
              net := net \ {m};
              mode[self] := "idle";
              leader[self] := m.from;
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
          mode[p] := "idle";
          leader[p] := None;
        };
      };
  }
}
 **************************************************************************)
\* BEGIN TRANSLATION
VARIABLES up, net, mode, leader

(* define statement *)
Up == { p \in Processes : up[p] }

\* What arrives: nothing does at a process that is down.
Arriving(messages) == { m \in messages : up[m.to] }

Messages(p, some, kind) == { [from |-> p, to |-> q, kind |-> kind] : q \in some }

\* All that some processes sent has arrived.
Flushed(some) == \A m \in net : m.from \notin some

vars == << up, net, mode, leader >>

ProcSet == (Processes) \cup {None}

Init == (* Global variables *)
        /\ up = [p \in Processes |-> TRUE]
        /\ net = {}
        /\ mode = [p \in Processes |-> "idle"]
        /\ leader = [p \in Processes |-> None]

member(self) == /\ up[self]
                /\ \/ /\ /\ mode[self] = "idle"
                         /\ \/ leader[self] = None
                            \/ leader[self] \notin Up /\ Flushed({leader[self]})
                      /\ IF Above(self) = {}
                            THEN /\ mode' = [mode EXCEPT ![self] = "idle"]
                                 /\ leader' = [leader EXCEPT ![self] = self]
                                 /\ net' = Arriving(net \cup Messages(self, Processes \ {self}, "COORDINATOR"))
                            ELSE /\ mode' = [mode EXCEPT ![self] = "electing"]
                                 /\ leader' = [leader EXCEPT ![self] = None]
                                 /\ net' = Arriving(net \cup Messages(self, Above(self), "ELECTION"))
                   \/ /\ /\ mode[self] = "electing"
                         /\ \A m \in net : /\ m.kind = "ELECTION" => m.from # self
                                           /\ m.kind = "OK" => m.to # self
                         /\ Flushed(Above(self) \ Up)
                      /\ mode' = [mode EXCEPT ![self] = "idle"]
                      /\ leader' = [leader EXCEPT ![self] = self]
                      /\ net' = Arriving(net \cup Messages(self, Processes \ {self}, "COORDINATOR"))
                   \/ /\ /\ mode[self] = "waiting"
                         /\ Above(self) \cap Up = {}
                         /\ \A m \in net : m.kind = "COORDINATOR" => m.to # self
                         /\ Flushed(Above(self))
                      /\ IF Above(self) = {}
                            THEN /\ mode' = [mode EXCEPT ![self] = "idle"]
                                 /\ leader' = [leader EXCEPT ![self] = self]
                                 /\ net' = Arriving(net \cup Messages(self, Processes \ {self}, "COORDINATOR"))
                            ELSE /\ mode' = [mode EXCEPT ![self] = "electing"]
                                 /\ leader' = [leader EXCEPT ![self] = None]
                                 /\ net' = Arriving(net \cup Messages(self, Above(self), "ELECTION"))
                   \/ /\ \E m \in { m \in net : m.to = self }:
                           IF m.kind = "ELECTION"
                              THEN /\ IF mode[self] = "idle"
                                         THEN /\ IF Above(self) = {}
                                                    THEN /\ mode' = [mode EXCEPT ![self] = "idle"]
                                                         /\ leader' = [leader EXCEPT ![self] = self]
                                                         /\ net' = Arriving(((net \ {m}) \cup Messages(self, {m.from}, "OK")) \cup Messages(self, Processes \ {self}, "COORDINATOR"))
                                                    ELSE /\ mode' = [mode EXCEPT ![self] = "electing"]
                                                         /\ leader' = [leader EXCEPT ![self] = None]
                                                         /\ net' = Arriving(((net \ {m}) \cup Messages(self, {m.from}, "OK")) \cup Messages(self, Above(self), "ELECTION"))
                                         ELSE /\ net' = Arriving((net \ {m}) \cup Messages(self, {m.from}, "OK"))
                                              /\ UNCHANGED << mode, leader >>
                              ELSE /\ IF m.kind = "OK"
                                         THEN /\ net' = net \ {m}
                                              /\ IF mode[self] = "electing"
                                                    THEN /\ mode' = [mode EXCEPT ![self] = "waiting"]
                                                    ELSE /\ TRUE
                                                         /\ mode' = mode
                                              /\ leader' = leader
                                         ELSE /\ IF m.from < self
                                                    THEN /\ IF mode[self] = "idle"
                                                               THEN /\ IF Above(self) = {}
                                                                          THEN /\ mode' = [mode EXCEPT ![self] = "idle"]
                                                                               /\ leader' = [leader EXCEPT ![self] = self]
                                                                               /\ net' = Arriving((net \ {m}) \cup Messages(self, Processes \ {self}, "COORDINATOR"))
                                                                          ELSE /\ mode' = [mode EXCEPT ![self] = "electing"]
                                                                               /\ leader' = [leader EXCEPT ![self] = None]
                                                                               /\ net' = Arriving((net \ {m}) \cup Messages(self, Above(self), "ELECTION"))
                                                               ELSE /\ net' = net \ {m}
                                                                    /\ UNCHANGED << mode, leader >>
                                                    ELSE /\ IF leader[self] # None /\ m.from < leader[self]
                                                               THEN /\ net' = net \ {m}
                                                                    /\ UNCHANGED << mode, leader >>
                                                               ELSE /\ net' = net \ {m}
                                                                    /\ mode' = [mode EXCEPT ![self] = "idle"]
                                                                    /\ leader' = [leader EXCEPT ![self] = m.from]
                /\ up' = up

fate == \E p \in Up:
          /\ Cardinality(Processes \ Up) < F
          /\ up' = [up EXCEPT ![p] = FALSE]
          /\ net' = { m \in net : m.to # p }
          /\ mode' = [mode EXCEPT ![p] = "idle"]
          /\ leader' = [leader EXCEPT ![p] = None]

Next == fate \/ (\E self \in Processes: member(self))

Spec == /\ Init /\ [][Next]_vars
        /\ \A self \in Processes : WF_vars(member(self))

\* END TRANSLATION
-----------------------------------------------------------------------------

\* What every variable may hold.
TypeOK == /\ up \in [Processes -> BOOLEAN]
          /\ net \subseteq [from : Processes, to : Processes, kind : {"ELECTION", "OK", "COORDINATOR"}]
          /\ mode \in [Processes -> {"idle", "electing", "waiting"}]
          /\ leader \in [Processes -> Processes \cup {None}]

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
