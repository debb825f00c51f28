------------------------------ MODULE BagsExt ------------------------------
\* Bags: one element more or less, and their elements put together.
LOCAL INSTANCE Integers
LOCAL INSTANCE Bags
LOCAL INSTANCE Folding

BagAdd(b, e) == b (+) SetToBag({e})
BagRemove(b, e) == b (-) SetToBag({e})
BagRemoveAll(b, e) == [x \in DOMAIN b \ {e} |-> b[x]]

\* op is applied to each element as often as it is in the bag.
FoldBag(op(_, _), base, b) ==
    FoldElements(LAMBDA x, sum : FoldElements(LAMBDA i, s : op(x, s), sum, 1..b[x]), base, DOMAIN b)
SumBag(b) == FoldElements(LAMBDA x, sum : x * b[x] + sum, 0, DOMAIN b)
ProductBag(b) == FoldBag(LAMBDA x, y : x * y, 1, b)
=============================================================================
