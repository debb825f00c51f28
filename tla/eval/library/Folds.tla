------------------------------- MODULE Folds -------------------------------
\* f of the elements of S, put together in the order in which choose takes them.
LOCAL INSTANCE Folding

MapThenFoldSet(op(_, _), base, f(_), choose(_), S) ==
    FoldSequence(LAMBDA sum, x : op(f(x), sum), base, BackwardsBy(choose, S))
=============================================================================
