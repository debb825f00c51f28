--------------------------- MODULE FiniteSetsExt ---------------------------
\* Finite sets: their elements put together, counted and chosen.
EXTENDS Functions
LOCAL INSTANCE Integers
LOCAL INSTANCE FiniteSets
LOCAL INSTANCE Folding

\* The elements of S put together by an operator whose order does not matter.
FoldSet(op(_, _), base, S) == FoldElements(op, base, S)
ReduceSet(op(_, _), S, base) == FoldElements(op, base, S)
SumSet(S) == FoldElements(+, 0, S)
ProductSet(S) == FoldElements(LAMBDA x, y : x * y, 1, S)
MapThenSumSet(f(_), S) == FoldElements(LAMBDA x, sum : f(x) + sum, 0, S)

FlattenSet(S) == UNION S
SymDiff(S, T) == (S \ T) \cup (T \ S)

\* How many elements of S satisfy P.
Quantify(S, P(_)) == Cardinality({x \in S : P(x)})

\* The subsets of S of k elements.
kSubset(k, S) == {T \in SUBSET S : Cardinality(T) = k}

Max(S) == CHOOSE x \in S : \A y \in S : x >= y
Min(S) == CHOOSE x \in S : \A y \in S : x =< y

\* The sets that one gets by choosing an element of each of some sets.
Choices(S) == {Range(f) : f \in {g \in [S -> UNION S] : \A T \in S : g[T] \in T}}
ChooseUnique(S, P(_)) == CHOOSE x \in S : P(x) /\ \A y \in S : P(y) => y = x
=============================================================================
