package eval_test

import (
	"io/fs"
	"strings"
	"testing"

	"interleave/tla/eval"
	"interleave/tla/value"
)

// TestLibrary: the modules of the community that are built in mean what their
// documentation says.
func TestLibrary(t *testing.T) {
	for _, c := range []struct{ module, expr, want string }{
		{"Functions", `Range(<<3, 1, 3>>)`, `{1, 3}`},
		{"Functions", `Restrict([i \in 1..3 |-> i * i], {2})`, `(2 :> 4)`},
		{"Functions", `RestrictDomain(<<5, 6, 7>>, LAMBDA x : x < 3)`, `<<5, 6>>`},
		{"Functions", `RestrictValues(<<5, 6, 7>>, LAMBDA x : x > 6)`, `(3 :> 7)`},
		{"Functions", `IsRestriction(<<1>>, <<1, 2>>)`, `TRUE`},
		{"Functions", `Pointwise(<<1, 2>>, <<3, 4>>, LAMBDA a, b : a + b)`, `<<4, 6>>`},
		{"Functions", `AntiFunction([a |-> 1, b |-> 2])`, `<<"a", "b">>`},
		{"Functions", `<<IsInjective(<<1, 1>>), IsInjective(<<1, 2>>)>>`, `<<FALSE, TRUE>>`},
		{"Functions", `Bijection({1, 2}, {3, 4})`, `{<<3, 4>>, <<4, 3>>}`},
		{"Functions", `Surjection({1, 2}, {3, 4}) = Injection({1, 2}, {3, 4})`, `TRUE`},
		{"Functions", `<<ExistsInjection({1, 2}, {1}), ExistsSurjection({1, 2}, {1}), ExistsBijection({1}, {2})>>`, `<<FALSE, TRUE, TRUE>>`},
		{"Functions", `FoldFunction(LAMBDA x, s : x + s, 10, <<1, 2, 3>>)`, `16`},
		{"Functions", `FoldFunctionOnSet(LAMBDA x, s : x + s, 0, <<1, 2, 3>>, {1, 3})`, `4`},
		{"FiniteSetsExt", `<<SumSet({1, 2, 4}), ProductSet({2, 3}), MapThenSumSet(LAMBDA x : x * x, {1, 2, 3})>>`, `<<7, 6, 14>>`},
		{"FiniteSetsExt", `<<FoldSet(LAMBDA x, s : x + s, 1, {1, 2}), ReduceSet(LAMBDA x, s : x + s, {1, 2}, 1)>>`, `<<4, 4>>`},
		{"FiniteSetsExt", `<<FlattenSet({{1}, {2}}), SymDiff({1, 2}, {2, 3}), Quantify(1..5, LAMBDA x : x > 2)>>`, `<<{1, 2}, {1, 3}, 3>>`},
		{"FiniteSetsExt", `<<kSubset(2, 1..3), Max({1, 3, 2}), Min({2, 1, 3})>>`, `<<{{1, 2}, {1, 3}, {2, 3}}, 3, 1>>`},
		{"FiniteSetsExt", `<<Cardinality(Choices({{1, 2}, {3}})), ChooseUnique(1..3, LAMBDA x : x = 2)>>`, `<<2, 2>>`},
		{"Folds", `MapThenFoldSet(LAMBDA x, s : <<x>> \o s, <<>>, LAMBDA x : x * 10, LAMBDA S : CHOOSE x \in S : \A y \in S : x >= y, {1, 2, 3})`, `<<30, 20, 10>>`},
		{"SequencesExt", `<<ToSet(<<1, 2, 1>>), Contains(<<1, 2>>, 2), IsInjective(<<1, 1>>)>>`, `<<{1, 2}, TRUE, FALSE>>`},
		{"SequencesExt", `<<SetToSeq({3, 1}), SetToSortSeq({1, 2, 3}, >), Cardinality(SetToSeqs({1, 2, 3}))>>`, `<<<<1, 3>>, <<3, 2, 1>>, 6>>`},
		{"SequencesExt", `<<SeqOf({1}, 2), TupleOf({1}, 2), SetToAllKPermutations({1})>>`, `<<{<<>>, <<1>>, <<1, 1>>}, {<<1, 1>>}, {<<>>, <<1>>}>>`},
		{"SequencesExt", `<<Cons(1, <<2>>), Snoc(<<2>>, 1), Front(<<1, 2>>), Last(<<1, 2>>), Reverse(<<1, 2, 3>>)>>`, `<<<<1, 2>>, <<2, 1>>, <<1>>, 2, <<3, 2, 1>>>>`},
		{"SequencesExt", `<<Remove(<<1, 2, 1>>, 1), RemoveFirst(<<1, 2, 1>>, 1), RemoveFirst(<<2>>, 1), ReplaceAll(<<1, 2, 1>>, 1, 3), ReplaceFirst(<<1, 2, 1>>, 1, 3)>>`,
			`<<<<2>>, <<2, 1>>, <<2>>, <<3, 2, 3>>, <<3, 2, 1>>>>`},
		{"SequencesExt", `<<InsertAt(<<1, 2>>, 2, 9), InsertAt(<<1>>, 2, 9), ReplaceAt(<<1, 2>>, 2, 9), RemoveAt(<<1, 2, 3>>, 2)>>`, `<<<<1, 9, 2>>, <<1, 9>>, <<1, 9>>, <<1, 3>>>>`},
		{"SequencesExt", `<<SelectInSeq(<<1, 2, 3>>, LAMBDA x : x > 1), SelectLastInSeq(<<1, 2, 3>>, LAMBDA x : x < 3), SelectInSeq(<<>>, LAMBDA x : x > 1), SelectInSubSeq(<<5, 5>>, 2, 2, LAMBDA x : x = 5)>>`, `<<2, 2, 0, 2>>`},
		{"SequencesExt", `<<IsPrefix(<<1>>, <<1, 2>>), IsStrictPrefix(<<1>>, <<1>>), IsSuffix(<<2>>, <<1, 2>>), IsSuffix(<<1>>, <<1, 2>>), IsStrictSuffix(<<>>, <<1>>), IsPrefix(<<1, 2>>, <<1>>)>>`,
			`<<TRUE, FALSE, TRUE, FALSE, TRUE, FALSE>>`},
		{"SequencesExt", `<<Prefixes(<<1, 2>>), Suffixes(<<1, 2>>), AllSubSeqs(<<1, 2>>), SubSeqs(<<1, 2>>)>>`,
			`<<{<<>>, <<1>>, <<1, 2>>}, {<<>>, <<2>>, <<1, 2>>}, {<<>>, <<1>>, <<2>>, <<1, 2>>}, {<<>>, <<1>>, <<2>>, <<1, 2>>}>>`},
		{"SequencesExt", `<<LongestCommonPrefix({<<1, 2, 3>>, <<1, 2>>, <<1, 2, 4>>}), SeqMod(3, 3), SeqMod(4, 3)>>`, `<<<<1, 2>>, 3, 1>>`},
		{"SequencesExt", `<<FoldLeft(LAMBDA s, x : s - x, 0, <<1, 2>>), FoldRight(LAMBDA x, s : x - s, <<1, 2>>, 0), FoldSeq(LAMBDA x, s : x - s, 0, <<1, 2>>)>>`, `<<-3, -1, -1>>`},
		{"SequencesExt", `<<FoldLeftDomain(LAMBDA s, i : s \o <<i>>, <<>>, <<7, 8>>), FoldRightDomain(LAMBDA i, s : s \o <<i>>, <<7, 8>>, <<>>)>>`, `<<<<1, 2>>, <<2, 1>>>>`},
		{"SequencesExt", `<<FlattenSeq(<<<<1>>, <<2, 3>>>>), Zip(<<1, 2>>, <<3, 4>>)>>`, `<<<<1, 2, 3>>, <<<<1, 3>>, <<2, 4>>>>>>`},
		{"BagsExt", `<<BagAdd(SetToBag({1}), 1), BagRemove(SetToBag({1, 2}), 1), BagRemoveAll(SetToBag({1}), 1)>>`, `<<<<2>>, (2 :> 1), <<>>>>`},
		{"BagsExt", `<<SumBag(BagAdd(SetToBag({1, 2}), 2)), ProductBag(BagAdd(SetToBag({3, 2}), 2)), FoldBag(LAMBDA x, s : x + s, 0, SetToBag({4, 5}))>>`, `<<5, 12, 9>>`},
		{"UndirectedGraphs", `LET G == [node |-> 1..4, edge |-> {{1, 2}, {2, 3}}] IN <<ConnectedComponents(G), AreConnectedIn(1, 3, G), IsStronglyConnected(G), IsUndirectedGraph(G), IsLoopFreeUndirectedGraph(G)>>`,
			`<<{{4}, {1, 2, 3}}, TRUE, FALSE, TRUE, TRUE>>`},
		{"Bitwise", `<<12 & 10, 12 | 10, 12 ^^ 10, shiftR(12, 2)>>`, `<<8, 14, 6, 3>>`},
		{"TLCExt", `<<AssertEq(1, 1), TLCCache(1 + 1, {}), TLCNoOp(3)>>`, `<<TRUE, 2, 3>>`},
	} {
		s, err := eval.Load("M", func(name string) (string, string, error) {
			if name != "M" {
				return "", "", fs.ErrNotExist
			}
			return "M.tla", "---- MODULE M ----\nEXTENDS Integers, Sequences, FiniteSets, Bags, TLC, " + c.module + "\nResult == " + c.expr + "\n====", nil
		})
		if err != nil {
			t.Errorf("%s: %v", c.expr, err)
			continue
		}
		if v, err := s.Constant("Result"); err != nil || value.Format(v) != c.want {
			t.Errorf("%s: %v, %v, not %s", c.expr, v, err, c.want)
			if v != nil {
				t.Log(value.Format(v))
			}
		}
	}
}

// TestParts: operands of definitions have numbers, and : is the whole. A chain of one
// operator has two operands, the first of which is a shorter chain; a list has as many
// as bullets.
func TestParts(t *testing.T) {
	defs := `A == /\ 1 = 2
     /\ TRUE
B == IF A THEN 5 ELSE <<6, 7>>
And == TRUE /\ TRUE /\ FALSE
Or == FALSE \/ FALSE \/ FALSE \/ TRUE
Closed == TRUE /\ (TRUE /\ FALSE)
List == /\ TRUE
        /\ FALSE
        /\ TRUE /\ FALSE
Sum == 1 + 2 + 4
Cross == {1} \X {2} \X {3}
---- MODULE Inner ----
CONSTANT c
Pair(a) == <<c, a>>
======================
I(c) == INSTANCE Inner
Both == I(8)!Pair(9)
THEOREM Thm == 1 < 2`
	for expr, want := range map[string]string{
		"A!2": "TRUE", "A!1": "FALSE", "B!2": "5", "A!:": "FALSE", "B!3": "<<6, 7>>", "Thm!:": "TRUE", "Thm!2": "2",
		"And!1": "TRUE", "And!2": "FALSE", "And!1!2": "TRUE", "Or!2": "TRUE", "Or!1": "FALSE", "Or!1!1!2": "FALSE",
		"Closed!1": "TRUE", "Closed!2!2": "FALSE", "List!2": "FALSE", "List!3!1": "TRUE",
		"Sum!1": "3", "Cross!3": "{3}", "Both!1": "8", "Both!2": "9",
	} {
		if got, err := constant(t, defs, expr); got != want {
			t.Errorf("%s is %s, %v", expr, got, err)
		}
	}
	if _, err := constant(t, defs, "And!3"); err == nil || !strings.Contains(err.Error(), "And has no part !3") {
		t.Error(err)
	}
}
