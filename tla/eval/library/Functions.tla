----------------------------- MODULE Functions -----------------------------
\* Functions: parts of them, their values, and what is said of them.
LOCAL INSTANCE Integers
LOCAL INSTANCE Folding

Range(f) == {f[x] : x \in DOMAIN f}

Restrict(f, S) == [x \in S |-> f[x]]
RestrictDomain(f, Test(_)) == Restrict(f, {x \in DOMAIN f : Test(x)})
RestrictValues(f, Test(_)) == Restrict(f, {x \in DOMAIN f : Test(f[x])})
IsRestriction(f, g) == DOMAIN f \subseteq DOMAIN g /\ \A x \in DOMAIN f : f[x] = g[x]

\* Two functions over one domain, combined value by value.
Pointwise(f, g, Combine(_, _)) == [x \in DOMAIN f |-> Combine(f[x], g[x])]

\* Of t \in T, some s \in S with f[s] = t; any s if there is none.
Inverse(f, S, T) == [t \in T |-> CHOOSE s \in S : t \in Range(f) => f[s] = t]
AntiFunction(f) == Inverse(f, DOMAIN f, Range(f))

IsInjective(f) == \A x, y \in DOMAIN f : f[x] = f[y] => x = y
LOCAL IsSurjective(f, T) == T \subseteq Range(f)

Injection(S, T) == {f \in [S -> T] : IsInjective(f)}
Surjection(S, T) == {f \in [S -> T] : IsSurjective(f, T)}
Bijection(S, T) == {f \in [S -> T] : IsInjective(f) /\ IsSurjective(f, T)}
ExistsInjection(S, T) == \E f \in [S -> T] : IsInjective(f)
ExistsSurjection(S, T) == \E f \in [S -> T] : IsSurjective(f, T)
ExistsBijection(S, T) == \E f \in [S -> T] : IsInjective(f) /\ IsSurjective(f, T)

\* The values of a function, put together by an operator whose order does not matter.
FoldFunctionOnSet(op(_, _), base, f, S) == FoldElements(LAMBDA x, sum : op(f[x], sum), base, S)
FoldFunction(op(_, _), base, f) == FoldFunctionOnSet(op, base, f, DOMAIN f)
SumFunctionOnSet(f, S) == FoldFunctionOnSet(+, 0, f, S)
SumFunction(f) == SumFunctionOnSet(f, DOMAIN f)
=============================================================================
