--------------------------- MODULE TwoPhaseCommit ---------------------------
(***************************************************************************)
(* Two-phase commit with cooperative termination, after P. Bernstein,      *)
(* V. Hadzilacos, N. Goodman, "Concurrency control and recovery in         *)
(* database systems", 1987, chapter 7. The Go algorithm                    *)
(* two-phase-commit/mended says the same.                                  *)
(*                                                                         *)
(* Process 1 coordinates. It asks all others to PREPARE, and each votes as *)
(* it likes. If all vote YES the coordinator commits, else it aborts, and  *)
(* so it does if it likes to wait no longer. A participant that has voted  *)
(* YES and likes to wait no longer asks all others, once; whoever knows    *)
(* the outcome answers, and whoever has not voted aborts.                  *)
(*                                                                         *)
(* Nothing is assumed of time. Whoever crashes stays down: so there is no  *)
(* use for a log here.                                                     *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS N, \* how many processes there are
          F  \* how many of them may crash

Processes    == 1 .. N
Coordinator  == 1
Participants == Processes \ {Coordinator}

ASSUME N \in Nat \ {0, 1} /\ F \in Nat

(***************************************************************************
--algorithm TwoPhaseCommit {
  variables
    up    = [p \in Processes |-> TRUE],
    net   = {}, \* the messages on their way; one that is there already adds nothing
    \* What each process remembers, in arrays, since a crash wipes it out.
    phase = [p \in Processes |-> "working"],
    yes   = [p \in Processes |-> {}],    \* coordinator: who has voted so
    eager = [p \in Processes |-> FALSE]; \* participant: it will ask for the outcome

  define {
    Up == { p \in Processes : up[p] }

    Decided(p) == phase[p] \in {"committed", "aborted"}

    \* What arrives: nothing does at a process that is down.
    Arriving(messages) == { m \in messages : up[m.to] }

    Messages(p, some, kind) == { [from |-> p, to |-> q, kind |-> kind] : q \in some }

    Others(p) == Processes \ {p}
  }

  \* Decides, and tells some, with what is left on the network.
  macro Decide(outcome, kind, some, left) {
    phase[self] := outcome;
    yes[self] := {};
    eager[self] := FALSE;
    net := Arriving(left \cup Messages(self, some, kind));
  }

  fair process (member \in Processes)
  {
    act:
      while (TRUE) {
        await up[self];
        either { \* waits no longer for votes
          await phase[self] = "waiting";
          Decide("aborted", "ABORT", Others(self), net);
        } or { \* waits no longer for the outcome
          await eager[self];
          eager[self] := FALSE;
          net := Arriving(net \cup Messages(self, Others(self), "ASK"));
        } or {
          with (m \in { m \in net : m.to = self }, left = net \ {m}) {
            if (m.kind = "PREPARE") {
              if (phase[self] = "working") {
                either {
                  phase[self] := "prepared";
                  eager[self] := TRUE;
                  net := Arriving(left \cup Messages(self, {Coordinator}, "YES"));
                } or {
                  Decide("aborted", "NO", {Coordinator}, left);
                };
              } else if (phase[self] = "aborted") {
                net := Arriving(left \cup Messages(self, {Coordinator}, "NO"));
              } else {
                net := left;
              };
            } else if (m.kind = "YES") {
              if (phase[self] # "waiting") { \* too late
                net := left;
              } else if (yes[self] \cup {m.from} = Participants) {
                Decide("committed", "COMMIT", Others(self), left);
              } else {
                yes[self] := yes[self] \cup {m.from};
                net := left;
              };
            } else if (m.kind = "NO") {
              if (phase[self] = "waiting") {
                Decide("aborted", "ABORT", Others(self), left);
              } else {
                net := left;
              };
            } else if (m.kind = "ASK") {
              if (phase[self] \in {"working", "aborted"}) {
                Decide("aborted", "ABORT", {m.from}, left);
              } else if (phase[self] = "committed") {
                net := Arriving(left \cup Messages(self, {m.from}, "COMMIT"));
              } else { \* it does not know, either
                net := left;
              };
            } else if (Decided(self)) {
              net := left;
            } else if (m.kind = "COMMIT") {
              Decide("committed", "COMMIT", IF phase[self] = "waiting" THEN Others(self) ELSE {}, left);
            } else {
              Decide("aborted", "ABORT", IF phase[self] = "waiting" THEN Others(self) ELSE {}, left);
            };
          };
        };
      };
  }


  \* A client asks for the commit, and processes crash: whoever does forgets all, and what is on its
  \* way to it is lost. Nothing is fair about this: it may happen at any time, or never.
  process (fate = 0)
  {
    strike:
      while (TRUE) {
        either {
          await up[Coordinator] /\ phase[Coordinator] = "working";
          phase[Coordinator] := "waiting";
          net := Arriving(net \cup Messages(Coordinator, Participants, "PREPARE"));
        } or with (p \in Up) {
          await Cardinality(Processes \ Up) < F;
          up[p] := FALSE;
          net := { m \in net : m.to # p };
          phase[p] := "working";
          yes[p] := {};
          eager[p] := FALSE;
        };
      };
  }
}
 **************************************************************************)
\* BEGIN TRANSLATION
VARIABLES up, net, phase, yes, eager

(* define statement *)
Up == { p \in Processes : up[p] }

Decided(p) == phase[p] \in {"committed", "aborted"}

\* What arrives: nothing does at a process that is down.
Arriving(messages) == { m \in messages : up[m.to] }

Messages(p, some, kind) == { [from |-> p, to |-> q, kind |-> kind] : q \in some }

Others(p) == Processes \ {p}

vars == << up, net, phase, yes, eager >>

ProcSet == (Processes) \cup {0}

Init == (* Global variables *)
        /\ up = [p \in Processes |-> TRUE]
        /\ net = {}
        /\ phase = [p \in Processes |-> "working"]
        /\ yes = [p \in Processes |-> {}]
        /\ eager = [p \in Processes |-> FALSE]

member(self) == /\ up[self]
                /\ \/ /\ phase[self] = "waiting"
                      /\ phase' = [phase EXCEPT ![self] = "aborted"]
                      /\ yes' = [yes EXCEPT ![self] = {}]
                      /\ eager' = [eager EXCEPT ![self] = FALSE]
                      /\ net' = Arriving(net \cup Messages(self, (Others(self)), "ABORT"))
                   \/ /\ eager[self]
                      /\ eager' = [eager EXCEPT ![self] = FALSE]
                      /\ net' = Arriving(net \cup Messages(self, Others(self), "ASK"))
                      /\ UNCHANGED << phase, yes >>
                   \/ /\ \E m \in { m \in net : m.to = self }:
                           LET left == net \ {m} IN
                             IF m.kind = "PREPARE"
                                THEN /\ IF phase[self] = "working"
                                           THEN /\ \/ /\ phase' = [phase EXCEPT ![self] = "prepared"]
                                                      /\ eager' = [eager EXCEPT ![self] = TRUE]
                                                      /\ net' = Arriving(left \cup Messages(self, {Coordinator}, "YES"))
                                                      /\ yes' = yes
                                                   \/ /\ phase' = [phase EXCEPT ![self] = "aborted"]
                                                      /\ yes' = [yes EXCEPT ![self] = {}]
                                                      /\ eager' = [eager EXCEPT ![self] = FALSE]
                                                      /\ net' = Arriving(left \cup Messages(self, ({Coordinator}), "NO"))
                                           ELSE /\ IF phase[self] = "aborted"
                                                      THEN /\ net' = Arriving(left \cup Messages(self, {Coordinator}, "NO"))
                                                      ELSE /\ net' = left
                                                /\ UNCHANGED << phase, yes, eager >>
                                ELSE /\ IF m.kind = "YES"
                                           THEN /\ IF phase[self] # "waiting"
                                                      THEN /\ net' = left
                                                           /\ UNCHANGED << phase, yes, eager >>
                                                      ELSE /\ IF yes[self] \cup {m.from} = Participants
                                                                 THEN /\ phase' = [phase EXCEPT ![self] = "committed"]
                                                                      /\ yes' = [yes EXCEPT ![self] = {}]
                                                                      /\ eager' = [eager EXCEPT ![self] = FALSE]
                                                                      /\ net' = Arriving(left \cup Messages(self, (Others(self)), "COMMIT"))
                                                                 ELSE /\ yes' = [yes EXCEPT ![self] = yes[self] \cup {m.from}]
                                                                      /\ net' = left
                                                                      /\ UNCHANGED << phase, eager >>
                                           ELSE /\ IF m.kind = "NO"
                                                      THEN /\ IF phase[self] = "waiting"
                                                                 THEN /\ phase' = [phase EXCEPT ![self] = "aborted"]
                                                                      /\ yes' = [yes EXCEPT ![self] = {}]
                                                                      /\ eager' = [eager EXCEPT ![self] = FALSE]
                                                                      /\ net' = Arriving(left \cup Messages(self, (Others(self)), "ABORT"))
                                                                 ELSE /\ net' = left
                                                                      /\ UNCHANGED << phase, yes, eager >>
                                                      ELSE /\ IF m.kind = "ASK"
                                                                 THEN /\ IF phase[self] \in {"working", "aborted"}
                                                                            THEN /\ phase' = [phase EXCEPT ![self] = "aborted"]
                                                                                 /\ yes' = [yes EXCEPT ![self] = {}]
                                                                                 /\ eager' = [eager EXCEPT ![self] = FALSE]
                                                                                 /\ net' = Arriving(left \cup Messages(self, ({m.from}), "ABORT"))
                                                                            ELSE /\ IF phase[self] = "committed"
                                                                                       THEN /\ net' = Arriving(left \cup Messages(self, {m.from}, "COMMIT"))
                                                                                       ELSE /\ net' = left
                                                                                 /\ UNCHANGED << phase, yes, eager >>
                                                                 ELSE /\ IF Decided(self)
                                                                            THEN /\ net' = left
                                                                                 /\ UNCHANGED << phase, yes, eager >>
                                                                            ELSE /\ IF m.kind = "COMMIT"
                                                                                       THEN /\ phase' = [phase EXCEPT ![self] = "committed"]
                                                                                            /\ yes' = [yes EXCEPT ![self] = {}]
                                                                                            /\ eager' = [eager EXCEPT ![self] = FALSE]
                                                                                            /\ net' = Arriving(left \cup Messages(self, (IF phase'[self] = "waiting" THEN Others(self) ELSE {}), "COMMIT"))
                                                                                       ELSE /\ phase' = [phase EXCEPT ![self] = "aborted"]
                                                                                            /\ yes' = [yes EXCEPT ![self] = {}]
                                                                                            /\ eager' = [eager EXCEPT ![self] = FALSE]
                                                                                            /\ net' = Arriving(left \cup Messages(self, (IF phase'[self] = "waiting" THEN Others(self) ELSE {}), "ABORT"))
                /\ up' = up

fate == \/ /\ up[Coordinator] /\ phase[Coordinator] = "working"
           /\ phase' = [phase EXCEPT ![Coordinator] = "waiting"]
           /\ net' = Arriving(net \cup Messages(Coordinator, Participants, "PREPARE"))
           /\ UNCHANGED << up, yes, eager >>
        \/ /\ \E p \in Up:
                /\ Cardinality(Processes \ Up) < F
                /\ up' = [up EXCEPT ![p] = FALSE]
                /\ net' = { m \in net : m.to # p }
                /\ phase' = [phase EXCEPT ![p] = "working"]
                /\ yes' = [yes EXCEPT ![p] = {}]
                /\ eager' = [eager EXCEPT ![p] = FALSE]

Next == fate \/ (\E self \in Processes: member(self))

Spec == /\ Init /\ [][Next]_vars
        /\ \A self \in Processes : WF_vars(member(self))

\* END TRANSLATION
-----------------------------------------------------------------------------

\* What every variable may hold.
TypeOK == /\ up \in [Processes -> BOOLEAN]
          /\ net \subseteq [from : Processes, to : Processes, kind : {"PREPARE", "YES", "NO", "COMMIT", "ABORT", "ASK"}]
          /\ phase \in [Processes -> {"working", "waiting", "prepared", "committed", "aborted"}]
          /\ yes \in [Processes -> SUBSET Participants]
          /\ eager \in [Processes -> BOOLEAN]

\* No process commits if one aborts.
Atomicity == ~\E p, q \in Up : phase[p] = "committed" /\ phase[q] = "aborted"

\* No process commits unless all participants have voted YES.
Unanimity == (\E p \in Up : phase[p] = "committed") =>
               \A q \in Participants \cap Up : phase[q] \in {"prepared", "committed"}
=============================================================================
