------------------------------ MODULE BagsExt ------------------------------
\* Bags: one element more or less, and their elements put together.
LOCAL INSTANCE Integers
LOCAL INSTANCE Bags
LOCAL INSTANCE Folding

BagAdd(b, e) == b (+) SetToBag({e})
BagRemove(b, e) == b (-) SetToBag({e})
BagRemoveAll(b, e) == [x \in DOMAIN b \ {e} |-> b[x]]

\* op(sum, x) for each copy of x, beginning with base; these values are put together by op.
LOCAL Copies(op(_, _), sum, x, n) == FoldElements(LAMBDA i, s : op(s, x), sum, 1..n)
MapThenFoldBag(op(_, _), base, f(_), choose(_), b) ==
    FoldElements(LAMBDA x, sum : op(Copies(op, base, f(x), b[x]), sum), base, DOMAIN b)

\* TLC goes on from one element to the next without a new base. That makes no difference
\* if the order of elements makes none, and base adds nothing.
FoldBag(op(_, _), base, b) ==
    LET defined == MapThenFoldBag(op, base, LAMBDA x : x, LAMBDA S : CHOOSE x \in S : TRUE, b)
        inTurn  == FoldElements(LAMBDA x, sum : Copies(op, sum, x, b[x]), base, DOMAIN b)
    IN  IF defined = inTurn THEN defined ELSE Ambiguous
SumBag(b) == FoldElements(LAMBDA x, sum : x * b[x] + sum, 0, DOMAIN b)
ProductBag(b) == FoldBag(LAMBDA x, y : x * y, 1, b)
=============================================================================
