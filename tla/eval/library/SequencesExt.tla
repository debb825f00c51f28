--------------------------- MODULE SequencesExt ---------------------------
\* Sequences: their parts, what is said of them, and their elements put together.
EXTENDS FiniteSetsExt, Folds
LOCAL INSTANCE Integers
LOCAL INSTANCE Sequences
LOCAL INSTANCE FiniteSets
LOCAL INSTANCE Folding

ToSet(s) == {s[i] : i \in DOMAIN s}
Contains(s, e) == \E i \in DOMAIN s : s[i] = e
ToBag(s) == [e \in ToSet(s) |-> Cardinality({i \in DOMAIN s : s[i] = e})]
IsSorted(s, op(_, _)) == \A j \in 1..Len(s) : \A i \in 1..(j - 1) : op(s[i], s[j])

\* The elements of a set in some order, in an order such that op(before, after), and
\* in every order.
SetToSeq(S) == ElementsInOrder(S)
SetToSortSeq(S, op(_, _)) == SortElements(S, op)
SetToSeqs(S) == {s \in [1..Cardinality(S) -> S] : IsInjective(s)}
SetToAllKPermutations(S) ==
    UNION {{s \in [1..k -> S] : IsInjective(s)} : k \in 0..Cardinality(S)}

TupleOf(S, n) == [1..n -> S]
SeqOf(S, n) == UNION {[1..k -> S] : k \in 0..n}
BoundedSeq(S, n) == SeqOf(S, n)

Cons(e, s) == <<e>> \o s
Front(s) == SubSeq(s, 1, Len(s) - 1)
Last(s) == s[Len(s)]
Reverse(s) == [i \in 1..Len(s) |-> s[Len(s) + 1 - i]]
Snoc(e, s) == Append(s, e)

\* s without e, without the first e, with another element in the place of each.
Remove(s, e) == SelectSeq(s, LAMBDA x : x # e)
LOCAL From(s, i) == SubSeq(s, i, Len(s))
LOCAL Drop(s, i) == SubSeq(s, 1, i - 1) \o From(s, i + 1)
LOCAL First(s, Test(_)) == CHOOSE i \in DOMAIN s : Test(s[i]) /\ \A j \in 1..(i - 1) : ~Test(s[j])
LOCAL Final(s, Test(_)) == CHOOSE i \in DOMAIN s : Test(s[i]) /\ \A j \in (i + 1)..Len(s) : ~Test(s[j])
RemoveFirstMatch(s, Test(_)) == IF \E i \in DOMAIN s : Test(s[i]) THEN Drop(s, First(s, Test)) ELSE s
RemoveFirst(s, e) == RemoveFirstMatch(s, LAMBDA x : x = e)
ReplaceAll(s, old, new) == [i \in 1..Len(s) |-> IF s[i] = old THEN new ELSE s[i]]

InsertAt(s, i, e) == SubSeq(s, 1, i - 1) \o <<e>> \o From(s, i)
ReplaceAt(s, i, e) == [s EXCEPT ![i] = e]
RemoveAt(s, i) == Drop(s, i)

\* The first place of an element that passes a test, and the last; 0 if there is none.
SelectInSeq(s, Test(_)) == IF \E i \in DOMAIN s : Test(s[i]) THEN First(s, Test) ELSE 0
SelectLastInSeq(s, Test(_)) == IF \E i \in DOMAIN s : Test(s[i]) THEN Final(s, Test) ELSE 0
SelectInSubSeq(s, from, to, Test(_)) == SelectInSeq(SubSeq(s, from, to), Test)
SelectLastInSubSeq(s, from, to, Test(_)) == SelectLastInSeq(SubSeq(s, from, to), Test)

IsPrefix(s, t) == Len(s) =< Len(t) /\ SubSeq(t, 1, Len(s)) = s
IsStrictPrefix(s, t) == Len(s) < Len(t) /\ IsPrefix(s, t)
IsSuffix(s, t) == Len(s) =< Len(t) /\ From(t, Len(t) - Len(s) + 1) = s
IsStrictSuffix(s, t) == Len(s) < Len(t) /\ IsSuffix(s, t)
Prefixes(s) == {SubSeq(s, 1, n) : n \in 0..Len(s)}
Suffixes(s) == {From(s, n) : n \in 1..(Len(s) + 1)}
AllSubSeqs(s) ==
    LET kept(S) == LET at == SetToSortSeq(S, <) IN [i \in DOMAIN at |-> s[at[i]]]
    IN  {kept(S) : S \in SUBSET DOMAIN s}
SubSeqs(s) == {SubSeq(s, m, n) : m \in 1..(Len(s) + 1), n \in 0..Len(s)}
CommonPrefixes(S) == {p \in UNION {Prefixes(s) : s \in S} : \A s \in S : IsPrefix(p, s)}
LongestCommonPrefix(S) ==
    CHOOSE p \in CommonPrefixes(S) : \A q \in CommonPrefixes(S) : Len(q) =< Len(p)
SeqMod(a, b) == IF a % b = 0 THEN b ELSE a % b

\* The elements of s put together, from the left and from the right.
FoldLeft(op(_, _), base, s) == FoldSequence(op, base, s)
FoldRight(op(_, _), s, base) == FoldSequence(LAMBDA sum, x : op(x, sum), base, Reverse(s))
FoldSeq(op(_, _), base, s) == FoldFunction(op, base, s)
FoldLeftDomain(op(_, _), base, s) == FoldSequence(op, base, [i \in 1..Len(s) |-> i])
FoldRightDomain(op(_, _), s, base) ==
    FoldSequence(LAMBDA sum, i : op(i, sum), base, [i \in 1..Len(s) |-> Len(s) + 1 - i])
FlattenSeq(s) == IF Len(s) = 0 THEN s ELSE FoldSequence(\o, s[1], From(s, 2))

\* Pairs of elements, as many as the shorter one has.
Zip(s, t) == [i \in 1..(IF Len(s) =< Len(t) THEN Len(s) ELSE Len(t)) |-> <<s[i], t[i]>>]

\* The elements of two sequences of one length in turn, each alone in a sequence.
Interleave(s, t) ==
    CASE Len(s) = Len(t) /\ Len(s) = 0 -> <<<<>>, <<>>>>
      [] Len(s) = Len(t) /\ Len(s) > 0 ->
            [i \in 1..(2 * Len(s)) |-> IF i % 2 = 1 THEN <<s[(i + 1) \div 2]>> ELSE <<t[i \div 2]>>]
=============================================================================
