------------------------------- MODULE Bully -------------------------------
(* Textbook Bully, mended, where one process may crash. Messages arrive in  *)
(* any order, and a timer expires only when no answer can come any more.    *)
EXTENDS Naturals

CONSTANT N \* the processes are 1 to N

VARIABLES mode, leader, inbox

Processes == 1..N
Above(p) == {q \in Processes : q > p}
Others(p) == Processes \ {p}
Down(q) == mode[q] = "down"
All(to, m) == {<<q, m>> : q \in to}

Init == /\ mode = [p \in Processes |-> "idle"]
        /\ leader = [p \in Processes |-> 0]
        /\ inbox = [p \in Processes |-> {}]

\* p comes to be in mode m, follows l, has box left, and sends. What is sent to
\* a crashed process vanishes.
Do(p, m, l, box, sends) ==
  /\ mode' = [mode EXCEPT ![p] = m]
  /\ leader' = [leader EXCEPT ![p] = l]
  /\ inbox' = [q \in Processes |->
       IF Down(q) THEN {} ELSE (IF q = p THEN box ELSE inbox[q]) \union {s[2] : s \in {t \in sends : t[1] = q}}]

Win(p, box, sends) == Do(p, "idle", p, box, sends \union All(Others(p), <<"COORDINATOR", p>>))
Elect(p, box, sends) == IF Above(p) = {}
                        THEN Win(p, box, sends)
                        ELSE Do(p, "electing", 0, box, sends \union All(Above(p), <<"ELECTION", p>>))
ElectIfIdle(p, box, sends) == IF mode[p] = "idle"
                              THEN Elect(p, box, sends)
                              ELSE Do(p, mode[p], leader[p], box, sends)

Notice(p) == /\ mode[p] = "idle"
             /\ leader[p] \in {0} \union {q \in Processes : Down(q)}
             /\ Elect(p, inbox[p], {})

OKTimer(p) == /\ mode[p] = "electing"
              /\ \A q \in Above(p) : <<"ELECTION", p>> \notin inbox[q] /\ <<"OK", q>> \notin inbox[p]
              /\ Win(p, inbox[p], {})

CoordinatorTimer(p) == /\ mode[p] = "waiting"
                       /\ \A q \in Above(p) : Down(q)
                       /\ \A q \in Others(p) : <<"COORDINATOR", q>> \notin inbox[p]
                       /\ Elect(p, inbox[p], {})

OnCoordinator(p, from, box) ==
  CASE from < p -> ElectIfIdle(p, box, {})
    [] from > p /\ from < leader[p] -> Do(p, mode[p], leader[p], box, {})
    [] OTHER -> Do(p, "idle", from, box, {})

Receive(p, m) ==
  LET box == inbox[p] \ {m}
  IN CASE m[1] = "ELECTION" -> ElectIfIdle(p, box, {<<m[2], <<"OK", p>>>>})
       [] m[1] = "OK" -> Do(p, IF mode[p] = "electing" THEN "waiting" ELSE mode[p], leader[p], box, {})
       [] m[1] = "COORDINATOR" -> OnCoordinator(p, m[2], box)

Crash(p) == /\ \A q \in Processes : ~Down(q)
            /\ Do(p, "down", 0, {}, {})

Act == \E p \in Processes : \/ Notice(p) \/ OKTimer(p) \/ CoordinatorTimer(p) \/ Crash(p)
                            \/ \E m \in inbox[p] : Receive(p, m)

Spec == Init /\ [][Act]_<<mode, leader, inbox>>

\* A process that follows itself is the top one that is live.
Self == \A p \in Processes : leader[p] = p => \A q \in Above(p) : Down(q)
=============================================================================
