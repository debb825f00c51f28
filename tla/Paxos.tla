-------------------------------- MODULE Paxos -------------------------------
(***************************************************************************)
(* Single-decree Paxos, after L. Lamport, "Paxos made simple", ACM SIGACT  *)
(* News 32(4), 2001. The Go algorithm paxos/single-decree says the same.   *)
(*                                                                         *)
(* Every process is a proposer, an acceptor and a learner. A proposer      *)
(* promises and accepts at once, without a message to itself. When it      *)
(* begins another ballot is anybody's guess: nothing is assumed of time.   *)
(*                                                                         *)
(* A vote is a pair of a ballot and a value that is accepted in it.        *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS N, \* how many processes there are
          B, \* the largest ballot that one may begin; it bounds the states
          F  \* how many processes may crash

Processes == 1 .. N
Values    == {"a", "b"}
Nothing   == ""            \* no value
None      == <<0, Nothing>> \* no vote

ASSUME N \in Nat \ {0, 1} /\ B \in Nat /\ F \in Nat

Max(S)      == CHOOSE x \in S : \A y \in S : x >= y
Majority(S) == 2 * Cardinality(S) > N

\* The ballots of p are p, p + N, p + 2N and so on.
NextBallot(p, last) == CHOOSE b \in last + 1 .. last + N : b % N = p % N

(***************************************************************************
--algorithm Paxos {
  variables
    up       = [p \in Processes |-> TRUE],
    net      = {}, \* the messages on their way; one that is there already adds nothing
    \* What each process remembers, in arrays, since a crash wipes it out.
    phase    = [p \in Processes |-> "passive"],
    wish     = [p \in Processes |-> Nothing], \* of its client
    ballot   = [p \in Processes |-> 0],       \* the largest that it has begun
    heard    = [p \in Processes |-> {}],      \* who has answered in this phase
    vote     = [p \in Processes |-> None],    \* the largest that was reported; then its proposal
    promised = [p \in Processes |-> 0],
    accepted = [p \in Processes |-> None],
    chosen   = [p \in Processes |-> Nothing];

  define {
    Up == { p \in Processes : up[p] }

    \* What arrives: nothing does at a process that is down.
    Arriving(messages) == { m \in messages : up[m.to] }

    To(p, some, kind, b, v) == { [from |-> p, to |-> q, kind |-> kind, ballot |-> b, vote |-> v] : q \in some }

    Others(p) == Processes \ {p}
  }

  \* Learns a value, which ends all proposing.
  macro Learn(value) {
    if (chosen[self] = Nothing) {
      chosen[self] := value;
    };
    phase[self] := "passive";
    wish[self] := Nothing;
    heard[self] := {};
    vote[self] := None;
  }

  \* Begins the next ballot.
  macro Begin(p, value) {
    with (b = NextBallot(p, Max({ballot[p], promised[p]}))) {
      await b <= B;
      wish[p] := value;
      phase[p] := "preparing";
      ballot[p] := b;
      promised[p] := b;
      heard[p] := {p};
      vote[p] := accepted[p];
      net := Arriving(net \cup To(p, Others(p), "PREPARE", b, None));
    };
  }

  fair process (member \in Processes)
  {
    act:
      while (TRUE) {
        await up[self];
        either { \* waits no longer
          await phase[self] # "passive";
          Begin(self, wish[self]);
        } or {
          with (m \in { m \in net : m.to = self }, left = net \ {m}) {
            if (m.kind = "PREPARE") {
              if (m.ballot > promised[self]) {
                promised[self] := m.ballot;
                net := Arriving(left \cup To(self, {m.from}, "PROMISE", m.ballot, accepted[self]));
              } else {
                net := left;
              };
            } else if (m.kind = "ACCEPT") {
              if (m.ballot >= promised[self]) {
                promised[self] := m.ballot;
                accepted[self] := m.vote;
                net := Arriving(left \cup To(self, {m.from}, "ACCEPTED", m.ballot, None));
              } else {
                net := left;
              };
            } else if (m.kind = "PROMISE" /\ m.ballot = ballot[self] /\ phase[self] = "preparing") {
              with (all = heard[self] \cup {m.from},
                    best = IF m.vote[1] > vote[self][1] THEN m.vote ELSE vote[self],
                    proposal = <<ballot[self], IF best = None THEN wish[self] ELSE best[2]>>) {
                if (Majority(all)) {
                  phase[self] := "proposing";
                  vote[self] := proposal;
                  net := Arriving(left \cup To(self, Others(self), "ACCEPT", ballot[self], proposal));
                  if (promised[self] = ballot[self]) {
                    accepted[self] := proposal;
                    heard[self] := {self};
                  } else { \* it has promised otherwise since
                    heard[self] := {};
                  };
                } else {
                  heard[self] := all;
                  vote[self] := best;
                  net := left;
                };
              };
            } else if (m.kind = "ACCEPTED" /\ m.ballot = ballot[self] /\ phase[self] = "proposing") {
              with (all = heard[self] \cup {m.from}) {
                if (Majority(all)) {
                  net := Arriving(left \cup To(self, Others(self), "CHOSEN", ballot[self], vote[self]));
                  Learn(vote[self][2]);
                } else {
                  heard[self] := all;
                  net := left;
                };
              };
            } else if (m.kind = "CHOSEN") {
              net := left;
              Learn(m.vote[2]);
            } else { \* it is late
              net := left;
            };
          };
        };
      };
  }

  \* Clients propose values, and processes crash: whoever does forgets all, and what is on its
  \* way to it is lost. Nothing is fair about this: it may happen at any time, or never.
  process (fate = 0)
  {
    strike:
      while (TRUE) {
        with (p \in Up) {
          either {
            with (v \in Values) {
              await wish[p] = Nothing /\ chosen[p] = Nothing;
              Begin(p, v);
            };
          } or {
            await Cardinality(Processes \ Up) < F;
            up[p] := FALSE;
            net := { m \in net : m.to # p };
            phase[p] := "passive";
            wish[p] := Nothing;
            ballot[p] := 0;
            heard[p] := {};
            vote[p] := None;
            promised[p] := 0;
            accepted[p] := None;
            chosen[p] := Nothing;
          };
        };
      };
  }
}
 **************************************************************************)
\* BEGIN TRANSLATION
VARIABLES up, net, phase, wish, ballot, heard, vote, promised, accepted,
          chosen

(* define statement *)
Up == { p \in Processes : up[p] }

\* What arrives: nothing does at a process that is down.
Arriving(messages) == { m \in messages : up[m.to] }

To(p, some, kind, b, v) == { [from |-> p, to |-> q, kind |-> kind, ballot |-> b, vote |-> v] : q \in some }

Others(p) == Processes \ {p}

vars == << up, net, phase, wish, ballot, heard, vote, promised, accepted,
           chosen >>

ProcSet == (Processes) \cup {0}

Init == (* Global variables *)
        /\ up = [p \in Processes |-> TRUE]
        /\ net = {}
        /\ phase = [p \in Processes |-> "passive"]
        /\ wish = [p \in Processes |-> Nothing]
        /\ ballot = [p \in Processes |-> 0]
        /\ heard = [p \in Processes |-> {}]
        /\ vote = [p \in Processes |-> None]
        /\ promised = [p \in Processes |-> 0]
        /\ accepted = [p \in Processes |-> None]
        /\ chosen = [p \in Processes |-> Nothing]

member(self) == /\ up[self]
                /\ \/ /\ phase[self] # "passive"
                      /\ LET b == NextBallot(self, Max({ballot[self], promised[self]})) IN
                           /\ b <= B
                           /\ wish' = [wish EXCEPT ![self] = (wish[self])]
                           /\ phase' = [phase EXCEPT ![self] = "preparing"]
                           /\ ballot' = [ballot EXCEPT ![self] = b]
                           /\ promised' = [promised EXCEPT ![self] = b]
                           /\ heard' = [heard EXCEPT ![self] = {self}]
                           /\ vote' = [vote EXCEPT ![self] = accepted[self]]
                           /\ net' = Arriving(net \cup To(self, Others(self), "PREPARE", b, None))
                      /\ UNCHANGED << accepted, chosen >>
                   \/ /\ \E m \in { m \in net : m.to = self }:
                           LET left == net \ {m} IN
                             IF m.kind = "PREPARE"
                                THEN /\ IF m.ballot > promised[self]
                                           THEN /\ promised' = [promised EXCEPT ![self] = m.ballot]
                                                /\ net' = Arriving(left \cup To(self, {m.from}, "PROMISE", m.ballot, accepted[self]))
                                           ELSE /\ net' = left
                                                /\ promised' = promised
                                     /\ UNCHANGED << phase, wish, heard, vote, accepted, chosen >>
                                ELSE /\ IF m.kind = "ACCEPT"
                                           THEN /\ IF m.ballot >= promised[self]
                                                      THEN /\ promised' = [promised EXCEPT ![self] = m.ballot]
                                                           /\ accepted' = [accepted EXCEPT ![self] = m.vote]
                                                           /\ net' = Arriving(left \cup To(self, {m.from}, "ACCEPTED", m.ballot, None))
                                                      ELSE /\ net' = left
                                                           /\ UNCHANGED << promised, accepted >>
                                                /\ UNCHANGED << phase, wish, heard, vote, chosen >>
                                           ELSE /\ IF m.kind = "PROMISE" /\ m.ballot = ballot[self] /\ phase[self] = "preparing"
                                                      THEN /\ LET all == heard[self] \cup {m.from} IN
                                                                LET best == IF m.vote[1] > vote[self][1] THEN m.vote ELSE vote[self] IN
                                                                  LET proposal == <<ballot[self], IF best = None THEN wish[self] ELSE best[2]>> IN
                                                                    IF Majority(all)
                                                                       THEN /\ phase' = [phase EXCEPT ![self] = "proposing"]
                                                                            /\ vote' = [vote EXCEPT ![self] = proposal]
                                                                            /\ net' = Arriving(left \cup To(self, Others(self), "ACCEPT", ballot[self], proposal))
                                                                            /\ IF promised[self] = ballot[self]
                                                                                  THEN /\ accepted' = [accepted EXCEPT ![self] = proposal]
                                                                                       /\ heard' = [heard EXCEPT ![self] = {self}]
                                                                                  ELSE /\ heard' = [heard EXCEPT ![self] = {}]
                                                                                       /\ accepted' = accepted
                                                                       ELSE /\ heard' = [heard EXCEPT ![self] = all]
                                                                            /\ vote' = [vote EXCEPT ![self] = best]
                                                                            /\ net' = left
                                                                            /\ UNCHANGED << phase, accepted >>
                                                           /\ UNCHANGED << wish, chosen >>
                                                      ELSE /\ IF m.kind = "ACCEPTED" /\ m.ballot = ballot[self] /\ phase[self] = "proposing"
                                                                 THEN /\ LET all == heard[self] \cup {m.from} IN
                                                                           IF Majority(all)
                                                                              THEN /\ net' = Arriving(left \cup To(self, Others(self), "CHOSEN", ballot[self], vote[self]))
                                                                                   /\ IF chosen[self] = Nothing
                                                                                         THEN /\ chosen' = [chosen EXCEPT ![self] = (vote[self][2])]
                                                                                         ELSE /\ TRUE
                                                                                              /\ chosen' = chosen
                                                                                   /\ phase' = [phase EXCEPT ![self] = "passive"]
                                                                                   /\ wish' = [wish EXCEPT ![self] = Nothing]
                                                                                   /\ heard' = [heard EXCEPT ![self] = {}]
                                                                                   /\ vote' = [vote EXCEPT ![self] = None]
                                                                              ELSE /\ heard' = [heard EXCEPT ![self] = all]
                                                                                   /\ net' = left
                                                                                   /\ UNCHANGED << phase, wish, vote, chosen >>
                                                                 ELSE /\ IF m.kind = "CHOSEN"
                                                                            THEN /\ net' = left
                                                                                 /\ IF chosen[self] = Nothing
                                                                                       THEN /\ chosen' = [chosen EXCEPT ![self] = (m.vote[2])]
                                                                                       ELSE /\ TRUE
                                                                                            /\ chosen' = chosen
                                                                                 /\ phase' = [phase EXCEPT ![self] = "passive"]
                                                                                 /\ wish' = [wish EXCEPT ![self] = Nothing]
                                                                                 /\ heard' = [heard EXCEPT ![self] = {}]
                                                                                 /\ vote' = [vote EXCEPT ![self] = None]
                                                                            ELSE /\ net' = left
                                                                                 /\ UNCHANGED << phase, wish, heard, vote, chosen >>
                                                           /\ accepted' = accepted
                                                /\ promised' = promised
                      /\ ballot' = ballot
                /\ up' = up

fate == \E p \in Up:
          \/ /\ \E v \in Values:
                  /\ wish[p] = Nothing /\ chosen[p] = Nothing
                  /\ LET b == NextBallot(p, Max({ballot[p], promised[p]})) IN
                       /\ b <= B
                       /\ wish' = [wish EXCEPT ![p] = v]
                       /\ phase' = [phase EXCEPT ![p] = "preparing"]
                       /\ ballot' = [ballot EXCEPT ![p] = b]
                       /\ promised' = [promised EXCEPT ![p] = b]
                       /\ heard' = [heard EXCEPT ![p] = {p}]
                       /\ vote' = [vote EXCEPT ![p] = accepted[p]]
                       /\ net' = Arriving(net \cup To(p, Others(p), "PREPARE", b, None))
             /\ UNCHANGED << up, accepted, chosen >>
          \/ /\ Cardinality(Processes \ Up) < F
             /\ up' = [up EXCEPT ![p] = FALSE]
             /\ net' = { m \in net : m.to # p }
             /\ phase' = [phase EXCEPT ![p] = "passive"]
             /\ wish' = [wish EXCEPT ![p] = Nothing]
             /\ ballot' = [ballot EXCEPT ![p] = 0]
             /\ heard' = [heard EXCEPT ![p] = {}]
             /\ vote' = [vote EXCEPT ![p] = None]
             /\ promised' = [promised EXCEPT ![p] = 0]
             /\ accepted' = [accepted EXCEPT ![p] = None]
             /\ chosen' = [chosen EXCEPT ![p] = Nothing]

Next == fate \/ (\E self \in Processes: member(self))

Spec == /\ Init /\ [][Next]_vars
        /\ \A self \in Processes : WF_vars(member(self))

\* END TRANSLATION
-----------------------------------------------------------------------------

Ballots == 0 .. B
Votes   == Ballots \X (Values \cup {Nothing})

\* What every variable may hold.
TypeOK == /\ up \in [Processes -> BOOLEAN]
          /\ \A m \in net : /\ m.from \in Processes /\ m.to \in Up
                             /\ m.kind \in {"PREPARE", "PROMISE", "ACCEPT", "ACCEPTED", "CHOSEN"}
                             /\ m.ballot \in Ballots
                             /\ m.vote \in Votes
          /\ phase \in [Processes -> {"passive", "preparing", "proposing"}]
          /\ wish \in [Processes -> Values \cup {Nothing}]
          /\ ballot \in [Processes -> Ballots]
          /\ heard \in [Processes -> SUBSET Processes]
          /\ vote \in [Processes -> Votes]
          /\ promised \in [Processes -> Ballots]
          /\ accepted \in [Processes -> Votes]
          /\ chosen \in [Processes -> Values \cup {Nothing}]

\* No two processes learn different values.
Consistency == \A p, q \in Processes : chosen[p] # Nothing /\ chosen[q] # Nothing => chosen[p] = chosen[q]

\* What is accepted in one ballot is one value.
OneValue == \A p, q \in Processes : accepted[p][1] = accepted[q][1] => accepted[p] = accepted[q]
=============================================================================
