-------------------------- MODULE UndirectedGraphs --------------------------
\* Graphs [node |-> N, edge |-> E] whose edges are sets {a, b} of nodes.
LOCAL INSTANCE Naturals

LOCAL Edges(N) == {{a, b} : a \in N, b \in N}
IsUndirectedGraph(G) == DOMAIN G = {"node", "edge"} /\ G.edge \subseteq Edges(G.node)
IsLoopFreeUndirectedGraph(G) ==
    IsUndirectedGraph(G) /\ \A a \in G.node : {a} \notin G.edge
UndirectedSubgraph(G) ==
    {H \in [node : SUBSET G.node, edge : SUBSET G.edge] : IsUndirectedGraph(H)}

\* The nodes to which a way leads from some of S.
RECURSIVE Reached(_, _)
LOCAL Reached(G, S) ==
    LET more == S \cup {b \in G.node : \E a \in S : {a, b} \in G.edge}
    IN  IF more = S THEN S ELSE Reached(G, more)

ConnectedComponents(G) == {Reached(G, {n}) : n \in G.node}
AreConnectedIn(m, n, G) == m \in G.node /\ n \in Reached(G, {m})
IsStronglyConnected(G) == ConnectedComponents(G) = {G.node}
=============================================================================
