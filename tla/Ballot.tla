------------------------------- MODULE Ballot -------------------------------
(***************************************************************************)
(* Gossip ballot leader election, after the leader elector that lecture    *)
(* notes give to Sequence Paxos, mended: a quorum is a majority. The Go    *)
(* algorithm ble/mended says the same.                                     *)
(*                                                                         *)
(* A ballot is a number and the process whose it is; the number decides,   *)
(* then the process. In each round a process asks all others for their     *)
(* ballots. If a majority has answered when the round ends, it follows the *)
(* owner of the largest ballot; unless it has heard of a larger one, whose *)
(* owner does not answer: then it takes a ballot above that.               *)
(*                                                                         *)
(* When a round ends is anybody's guess: nothing is assumed of time. So    *)
(* processes may disagree for as long as rounds are too short; what holds  *)
(* all the time is that the ballots which one process announces increase.  *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS N, \* how many processes there are
          R, \* how many rounds a process may begin; it bounds the states
          F  \* how many processes may crash

Processes == 1 .. N
None      == <<0, 0>> \* below each ballot

ASSUME N \in Nat \ {0} /\ R \in Nat /\ F \in Nat

\* Ballots are pairs, compared from the left.
Less(a, b)   == a[1] < b[1] \/ (a[1] = b[1] /\ a[2] < b[2])
Larger(a, b) == IF Less(a, b) THEN b ELSE a
Largest(S)   == CHOOSE b \in S : \A c \in S : ~Less(b, c)

Majority == N \div 2 + 1

(***************************************************************************
--algorithm Ballot {
  variables
    up      = [p \in Processes |-> TRUE],
    net     = {}, \* the messages on their way; one that is there already adds nothing
    \* What each process remembers, in arrays, since a crash wipes it out.
    round   = [p \in Processes |-> 0],
    replies = [p \in Processes |-> {}],   \* of this round: who, and its ballot
    number  = [p \in Processes |-> 0],    \* of its own ballot
    bmax    = [p \in Processes |-> <<0, p>>], \* the largest that it heard of
    leader  = [p \in Processes |-> None], \* a ballot: its owner is followed
    last    = [p \in Processes |-> None]; \* what it announced last; no part of the program

  define {
    Up == { p \in Processes : up[p] }

    Own(p) == <<number[p], p>>

    \* What arrives: nothing does at a process that is down.
    Arriving(messages) == { m \in messages : up[m.to] }

    \* Asks all others in round r.
    Asking(p, r, best) ==
      { [from |-> p, to |-> q, kind |-> "REQUEST", round |-> r, ballot |-> best] : q \in Processes \ {p} }
  }

  \* Begins the next round.
  macro Ask(best) {
    net := Arriving(net \cup Asking(self, round[self] + 1, best));
    round[self] := round[self] + 1;
    replies[self] := {};
  }

  fair process (member \in Processes)
  {
    act:
      while (TRUE) {
        await up[self];
        either { \* the round is over
          await round[self] < R;
          if (Cardinality(replies[self]) + 1 < Majority) {
            Ask(bmax[self]);
          } else {
            with (top = Largest({Own(self)} \cup { r[2] : r \in replies[self] })) {
              if (Less(top, bmax[self])) { \* the owner of bmax does not answer
                number[self] := IF bmax[self][2] < self THEN bmax[self][1] ELSE bmax[self][1] + 1;
                leader[self] := None;
                Ask(bmax[self]);
              } else if (top # leader[self]) {
                bmax[self] := top;
                leader[self] := top;
                last[self] := top;
                Ask(top);
              } else {
                Ask(bmax[self]);
              };
            };
          };
        } or {
          with (m \in { m \in net : m.to = self }) {
            if (m.kind = "REQUEST") {
              bmax[self] := Larger(bmax[self], m.ballot);
              net := Arriving((net \ {m}) \cup
                {[from |-> self, to |-> m.from, kind |-> "REPLY", round |-> m.round, ballot |-> Own(self)]});
            } else {
              net := net \ {m};
              if (m.round = round[self]) { \* else it is late
                replies[self] := replies[self] \cup {<<m.from, m.ballot>>};
              };
            };
          };
        };
      };
  }

  \* Whoever crashes forgets all, and what is on its way to it is lost. Nothing
  \* is fair about it: it may happen at any time, or never.
  process (fate = 0)
  {
    strike:
      while (TRUE) {
        with (p \in Up) {
          await Cardinality(Processes \ Up) < F;
          up[p] := FALSE;
          net := { m \in net : m.to # p };
          round[p] := 0;
          replies[p] := {};
          number[p] := 0;
          bmax[p] := <<0, p>>;
          leader[p] := None;
          last[p] := None;
        };
      };
  }
}
 **************************************************************************)
\* BEGIN TRANSLATION
VARIABLES up, net, round, replies, number, bmax, leader, last

(* define statement *)
Up == { p \in Processes : up[p] }

Own(p) == <<number[p], p>>

\* What arrives: nothing does at a process that is down.
Arriving(messages) == { m \in messages : up[m.to] }

\* Asks all others in round r.
Asking(p, r, best) ==
  { [from |-> p, to |-> q, kind |-> "REQUEST", round |-> r, ballot |-> best] : q \in Processes \ {p} }

vars == << up, net, round, replies, number, bmax, leader, last >>

ProcSet == (Processes) \cup {0}

Init == (* Global variables *)
        /\ up = [p \in Processes |-> TRUE]
        /\ net = {}
        /\ round = [p \in Processes |-> 0]
        /\ replies = [p \in Processes |-> {}]
        /\ number = [p \in Processes |-> 0]
        /\ bmax = [p \in Processes |-> <<0, p>>]
        /\ leader = [p \in Processes |-> None]
        /\ last = [p \in Processes |-> None]

member(self) == /\ up[self]
                /\ \/ /\ round[self] < R
                      /\ IF Cardinality(replies[self]) + 1 < Majority
                            THEN /\ net' = Arriving(net \cup Asking(self, round[self] + 1, (bmax[self])))
                                 /\ round' = [round EXCEPT ![self] = round[self] + 1]
                                 /\ replies' = [replies EXCEPT ![self] = {}]
                                 /\ UNCHANGED << number, bmax, leader, last >>
                            ELSE /\ LET top == Largest({Own(self)} \cup { r[2] : r \in replies[self] }) IN
                                      IF Less(top, bmax[self])
                                         THEN /\ number' = [number EXCEPT ![self] = IF bmax[self][2] < self THEN bmax[self][1] ELSE bmax[self][1] + 1]
                                              /\ leader' = [leader EXCEPT ![self] = None]
                                              /\ net' = Arriving(net \cup Asking(self, round[self] + 1, (bmax[self])))
                                              /\ round' = [round EXCEPT ![self] = round[self] + 1]
                                              /\ replies' = [replies EXCEPT ![self] = {}]
                                              /\ UNCHANGED << bmax, last >>
                                         ELSE /\ IF top # leader[self]
                                                    THEN /\ bmax' = [bmax EXCEPT ![self] = top]
                                                         /\ leader' = [leader EXCEPT ![self] = top]
                                                         /\ last' = [last EXCEPT ![self] = top]
                                                         /\ net' = Arriving(net \cup Asking(self, round[self] + 1, top))
                                                         /\ round' = [round EXCEPT ![self] = round[self] + 1]
                                                         /\ replies' = [replies EXCEPT ![self] = {}]
                                                    ELSE /\ net' = Arriving(net \cup Asking(self, round[self] + 1, (bmax[self])))
                                                         /\ round' = [round EXCEPT ![self] = round[self] + 1]
                                                         /\ replies' = [replies EXCEPT ![self] = {}]
                                                         /\ UNCHANGED << bmax, leader, last >>
                                              /\ number' = number
                   \/ /\ \E m \in { m \in net : m.to = self }:
                           IF m.kind = "REQUEST"
                              THEN /\ bmax' = [bmax EXCEPT ![self] = Larger(bmax[self], m.ballot)]
                                   /\ net' =      Arriving((net \ {m}) \cup
                                             {[from |-> self, to |-> m.from, kind |-> "REPLY", round |-> m.round, ballot |-> Own(self)]})
                                   /\ replies' = replies
                              ELSE /\ net' = net \ {m}
                                   /\ IF m.round = round[self]
                                         THEN /\ replies' = [replies EXCEPT ![self] = replies[self] \cup {<<m.from, m.ballot>>}]
                                         ELSE /\ TRUE
                                              /\ replies' = replies
                                   /\ bmax' = bmax
                      /\ UNCHANGED << round, number, leader, last >>
                /\ up' = up

fate == \E p \in Up:
          /\ Cardinality(Processes \ Up) < F
          /\ up' = [up EXCEPT ![p] = FALSE]
          /\ net' = { m \in net : m.to # p }
          /\ round' = [round EXCEPT ![p] = 0]
          /\ replies' = [replies EXCEPT ![p] = {}]
          /\ number' = [number EXCEPT ![p] = 0]
          /\ bmax' = [bmax EXCEPT ![p] = <<0, p>>]
          /\ leader' = [leader EXCEPT ![p] = None]
          /\ last' = [last EXCEPT ![p] = None]

Next == fate \/ (\E self \in Processes: member(self))

Spec == /\ Init /\ [][Next]_vars
        /\ \A self \in Processes : WF_vars(member(self))

\* END TRANSLATION
-----------------------------------------------------------------------------

Ballots == { <<n, p>> : n \in 0 .. R, p \in Processes }

\* What every variable may hold: a number grows by no more than one in a round.
TypeOK == /\ up \in [Processes -> BOOLEAN]
          /\ \A m \in net : /\ m.from \in Processes /\ m.to \in Up
                             /\ m.kind \in {"REQUEST", "REPLY"}
                             /\ m.round \in 1 .. R
                             /\ m.ballot \in Ballots
          /\ round \in [Processes -> 0 .. R]
          /\ \A p \in Processes : \A r \in replies[p] : r[1] \in Processes \ {p} /\ r[2] \in Ballots
          /\ bmax \in [Processes -> Ballots]
          /\ leader \in [Processes -> Ballots \cup {None}]
          /\ last \in [Processes -> Ballots \cup {None}]

\* Nobody follows a ballot larger than the largest it has heard of.
Heard == \A p \in Processes : ~Less(bmax[p], leader[p])

\* The ballots that one process announces increase.
Increasing == [][\A p \in Processes : up'[p] /\ last'[p] # last[p] => Less(last[p], last'[p])]_vars

\* Every round ends, as far as there are rounds.
Liveness == \A p \in Processes : <>(~up[p] \/ round[p] = R)
=============================================================================
