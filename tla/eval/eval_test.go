package eval_test

import (
	"io/fs"
	"strings"
	"testing"

	"interleave/tla/eval"
	"interleave/tla/value"
)

// load loads a module of one file, with others beside it by name.
func load(t interface{ Helper() }, body string, others map[string]string) (*eval.Spec, error) {
	t.Helper()
	return eval.Load("M", func(name string) (string, string, error) {
		if name == "M" {
			return "M.tla", "---- MODULE M ----\nEXTENDS Integers, Sequences, FiniteSets, Bags, TLC\n" + body + "\n====", nil
		}
		if text, ok := others[name]; ok {
			return name + ".tla", "---- MODULE " + name + " ----\n" + text + "\n====", nil
		}
		return "", "", fs.ErrNotExist
	})
}

// constant evaluates an expression after some definitions.
func constant(t testing.TB, defs, expr string) (string, error) {
	t.Helper()
	s, err := load(t, defs+"\nResult == "+expr, nil)
	if err != nil {
		return "", err
	}
	v, err := s.Constant("Result")
	if err != nil {
		return "", err
	}
	return value.Format(v), nil
}

func TestConstants(t *testing.T) {
	for _, c := range []struct{ defs, expr, want string }{
		{"", `1 + 2 * 3 - 4`, `3`},
		{"", `<<(-7) \div 2, (-7) % 2, 2^10>>`, `<<-4, 1, 1024>>`},
		{"", `<<"a" # "b", "a" = "b", "b" # "b", "b" = "b">>`, `<<TRUE, FALSE, FALSE, TRUE>>`},
		{"", `{3, 1, 2, 1}`, `{1, 2, 3}`},
		{"", `<<>> = [x \in {} |-> x]`, `TRUE`},
		{"", `<<{1, 3} = 1..3, {1, 2, 3} = 1..3, 1..3 = {1, 2, 3}, {} = 2..1, {2} = 2..1, {1, 2} = 1..3, {"a", "b"} = 1..1, {0, 1, 3} = 0..3>>`, `<<FALSE, TRUE, TRUE, TRUE, FALSE, FALSE, FALSE, FALSE>>`},
		{"", `<<SUBSET {1, 2} = {{}, {1}, {2}, {1, 2}}, SUBSET {1, 2} = {{}, {1}, {2}, {3}}, SUBSET (1..60) = {}>>`, `<<TRUE, FALSE, FALSE>>`},
		{"", `<<[x \in {0, 1, 3} |-> x] \in [0..3 -> 0..3], [x \in {0, 1, 3} |-> x][3], [x \in {0, 3} |-> x][3]>>`, `<<FALSE, 3, 3>>`},
		{"", `[i \in 1..2 |-> i] = <<1, 2>>`, `TRUE`},
		{"", `[a |-> 1, b |-> 2] = [x \in {"a", "b"} |-> IF x = "a" THEN 1 ELSE 2]`, `TRUE`},
		{"", `DOMAIN (0 :> "x" @@ 1 :> "y")`, `{0, 1}`},
		{"", `SUBSET {1, 2}`, `{{}, {1}, {2}, {1, 2}}`},
		{"", `Cardinality([1..3 -> BOOLEAN])`, `8`},
		{"", `Cardinality(SUBSET (1..40))`, `1099511627776`},
		{"---- MODULE Inner ----\nCONSTANT k\nOp == k + 1\nFn == [q \\in 1..2 |-> k + q]\n---- MODULE Deep ----\nCONSTANT d\nTen == d * 10\n====\nJ == INSTANCE Deep WITH d <- k\n====\nI(p) == INSTANCE Inner WITH k <- p + 1", `{<<I(i)!Op, I(i)!Fn[2], I(i)!J!Ten>> : i \in {1, 3}}`, `{<<3, 4, 20>>, <<5, 6, 40>>}`},
		{"", `{1, 2} \in SUBSET Nat /\ <<1, "a">> \in Nat \X STRING`, `TRUE`},
		{"", `[{1} -> {2}] = {[x \in {1} |-> 2]}`, `TRUE`},
		{"", `{<<a, b>> \in (1..3) \X (1..3) : a < b}`, `{<<1, 2>>, <<1, 3>>, <<2, 3>>}`},
		{"", `{x + y : x \in 1..2, y \in {10}}`, `{11, 12}`},
		{"", `CHOOSE x \in 1..10 : x * x > 20`, `5`},
		{"", `[<<1, <<2, 3>>>> EXCEPT ![2][1] = @ + 10, ![1] = 0]`, `<<0, <<12, 3>>>>`},
		{"", `[[a |-> [b |-> 1]] EXCEPT !.a.b = 5].a.b`, `5`},
		{"", `LET f[n \in Nat] == IF n = 0 THEN 1 ELSE n * f[n - 1] IN f[10]`, `3628800`},
		{"RECURSIVE Sum(_)\nSum(S) == IF S = {} THEN 0 ELSE LET x == CHOOSE x \\in S : TRUE IN x + Sum(S \\ {x})", `Sum(1..20)`, `210`},
		{"RECURSIVE F(_), G(_)\nF(n) == IF n = 0 THEN <<>> ELSE Append(G(n - 1), n)\nG(n) == IF n = 0 THEN <<0>> ELSE F(n - 1)", `F(4)`, `<<2, 4>>`},
		{"", `LET f == [i \in 1..2, j \in 1..3 |-> i * 10 + j] IN {f[a, b] : a \in {1}, b \in {2, 3}}`, `{12, 13}`},
		{"", `<<<<1>> = <<1>>, <<>> = <<1>>, 1 = 1, 2 # 2, "a" = "b">>`, `<<TRUE, FALSE, TRUE, FALSE, FALSE>>`},
		{"Twice(F(_), x) == F(F(x))", `Twice(LAMBDA y : y * 3, 2)`, `18`},
		{"Op(a, b) == a - b", `LET g(F(_, _)) == F(5, 3) IN g(Op) + g( - )`, `4`},
		{"a (+) b == <<a, b>>", `TRUE`, ``},
		{"", `<<Len("é"), Len("a𝄞"), Len("" \o "ü"), Len("")>>`, `<<1, 3, 1, 0>>`},
		{"", `<<SubSeq("héllo", 2, 3), SubSeq("a𝄞b", 2, 3), SubSeq("abc", 3, 2), Tail("éb"), Tail("b")>>`, `<<"él", "𝄞", "", "b", "">>`},
		{"", `<<ToString(-5), ToString("a\"b"), ToString(<<1, <<TRUE>>, "a">>), ToString({3, 1}), ToString({}), ToString([a |-> <<>>])>>`,
			`<<"-5", "\"a\\\"b\"", "<<1, <<TRUE>>, \"a\">>", "{1, 3}", "{}", "[a |-> <<>>]">>`},
		{"", `<<ToString(2 :> "a" @@ 0 :> "b"), ToString({{5, 3}}), ToString(BOOLEAN), ToString({"a"}), ToString(Nat)>>`,
			`<<"(0 :> \"b\" @@ 2 :> \"a\")", "{{3, 5}}", "{FALSE, TRUE}", "{\"a\"}", "Nat">>`},
		{"", `<<ToString("1" :> 1), ToString([a1 |-> 1])>>`, `<<"(\"1\" :> 1)", "[a1 |-> 1]">>`},
		{"Told(s) == PrintT(s) /\\ Print(<<s>>, TRUE) /\\ Assert(TRUE, s)", `Told(ToString(0..1)) /\ PrintT(ToString({"a", "b"}))`, `TRUE`},
		{"", `<<0^1, 2^0, (-1)^0>>`, `<<0, 1, 1>>`},
		{"", `SelectSeq(<<1, 2, 3, 4>>, LAMBDA x : x % 2 = 0) \o Tail(<<9, 8>>)`, `<<2, 4, 8>>`},
		{"", `SortSeq(<<3, 1, 2>>, <)`, `<<1, 2, 3>>`},
		{"", `SetToBag({"a"}) (+) SetToBag({"a", "b"})`, `[a |-> 2, b |-> 1]`},
		{"", `CASE 1 > 2 -> "x" [] 2 > 1 -> "y" [] OTHER -> "z"`, `"y"`},
		{"", `UNION {{1}, {2, 3}} \cap (2..9)`, `{2, 3}`},
		{"", `\A x, y \in 1..3 : x + y = y + x`, `TRUE`},
		{"", `(\E x \in {} : TRUE) \/ ~(\A x \in {} : FALSE)`, `FALSE`},
		{"", `\hFF + \b101`, `260`},
		{"", `IF FALSE THEN 1 \div 0 ELSE 7`, `7`},
		{"Const(x, y) == x", `Const(1, 1 \div 0)`, `1`},
		{"", `Len(SubSeq(<<1, 2, 3>>, 2, 3)) + Head(<<5>>)`, `7`},
		{"", `[x \in Nat |-> x + 1][41]`, `42`},
		{"", `3 \in {x \in Nat : x > 2}`, `TRUE`},
		{"", `<<1, 2>> \in Seq(Nat)`, `TRUE`},
		{"", `Permutations({1, 2}) = {<<1, 2>>, <<2, 1>>}`, `TRUE`},
		{"f[i \\in 1..2] == IF i = 1 THEN 1 ELSE f[1] + 1", `<<f \in Seq(Nat), f \in Nat \X Nat, f \in Nat \X {1}, IsABag(f), f \in {s \in Seq(Nat) : Len(s) = 2}, f \in Seq(Nat) \cup {0}>>`, `<<TRUE, TRUE, FALSE, TRUE, TRUE, TRUE>>`},
		{"f[k \\in {\"a\"}] == IF k = \"a\" THEN 1 ELSE f[\"a\"]", `<<f \in [a : Nat], f \in [a : {2}], f \in Seq(Nat), IsABag(f), IsABag([f EXCEPT !.a = 0])>>`, `<<TRUE, FALSE, FALSE, TRUE, FALSE>>`},
		{"", `<<[n \in Nat |-> n] \in Seq(Nat), [n \in Nat |-> n] \in [a : Nat], [n \in Nat |-> n] \in Nat \X Nat>>`, `<<FALSE, FALSE, FALSE>>`},
		{"", `<<Seq({}), Seq(2..1), {} \X Nat, [{} -> Nat], [1..0 -> Nat], [Nat -> {}], [a : Nat, b : {}], Nat \ Int, Nat \ Nat, SUBSET (Nat \ Int)>>`,
			`<<{<<>>}, {<<>>}, {}, {<<>>}, {<<>>}, {}, {}, {}, {}, {{}}>>`},
		{"", `<<[{} -> {}], [{} -> {1}], [{1} -> {}], [SUBSET {} -> 1..0], {} \X {1}, {1} \X (1..0)>>`, `<<{<<>>}, {<<>>}, {}, {}, {}, {}>>`},
		{"", `{IsFiniteSet(S) : S \in {1..3, {} \X Nat, [{} -> Nat], [Nat -> {}], SUBSET (Nat \ Int), Seq({}), [1..2 -> BOOLEAN]}}`, `{TRUE}`},
		{"", `<<IsFiniteSet(Nat), IsFiniteSet(Seq({1})), IsFiniteSet(SUBSET Nat), IsFiniteSet(Nat \X {1}), IsFiniteSet([Nat -> BOOLEAN]), IsFiniteSet([1..2 -> Nat])>>`,
			`<<FALSE, FALSE, FALSE, FALSE, FALSE, FALSE>>`},
		{"", `<<IsFiniteSet([a : Nat, b : {1}]), IsFiniteSet(Nat \ {0}), IsFiniteSet((Nat \ {0}) \ 1..3), IsFiniteSet(Nat \cup {-1}), IsFiniteSet([SUBSET (1..70) -> Nat]), IsFiniteSet(Seq([1..100 -> 1..10])), IsFiniteSet(Seq(Nat \cup 1..3))>>`,
			`<<FALSE, FALSE, FALSE, FALSE, FALSE, FALSE, FALSE>>`},
		{"", `<<Nat \subseteq 0..5, Seq({1}) \subseteq {<<>>}, Nat \subseteq Int, Int \subseteq Nat, Seq(1..2) \subseteq Seq({1, 2, 3}), Seq(Nat) \subseteq Seq({1}), Nat \in SUBSET (0..5)>>`,
			`<<FALSE, FALSE, TRUE, FALSE, TRUE, FALSE, FALSE>>`},
		{"", `<<Nat \X Nat \subseteq Int \X Int, SUBSET Nat \subseteq SUBSET Int, SUBSET Int \subseteq SUBSET Nat, Nat \cup {-1} \subseteq Int, Nat \cup {-1} \subseteq Nat, Nat \ {0} \subseteq Nat, Nat \X {1} \subseteq {1} \X {1}>>`,
			`<<TRUE, TRUE, FALSE, TRUE, FALSE, TRUE, FALSE>>`},
		{"", `<<Seq({1}) = {<<>>}, Seq({1}) = Seq({1, 1}), Seq({1}) = Seq({2}), Nat = Int>>`, `<<FALSE, TRUE, FALSE, FALSE>>`},
	} {
		got, err := constant(t, c.defs, c.expr)
		if c.want == "" {
			if err == nil {
				t.Errorf("%s: no error", c.defs)
			}
			continue
		}
		if err != nil || got != c.want {
			t.Errorf("%s %s: got %s, %v; want %s", c.defs, c.expr, got, err, c.want)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ defs, expr, want string }{
		{"", `x + 1`, `M.tla:4:11: unknown name x`},
		{"F(a) == a", `F(1, 2)`, `M.tla:4:11: F takes 1 argument, and 2 are given`},
		{"F(a, b) == a", `F(1)`, `M.tla:4:11: F takes 2 arguments, and 1 is given`},
		{"F(G(_)) == G(1)", `F(LAMBDA a, b : 1)`, `the LAMBDA has 2 parameters, but an operator of 1 is expected`},
		{"F(G(_)) == G(1)", `F(1)`, `an operator of 1 argument is expected`},
		{"VARIABLE v", `v''`, `M.tla:4:13: an action is primed; only an expression about one state can be`},
		{"VARIABLE v\nP == <>(v = 1)", `{P}`, `M.tla:5:12: a temporal formula where a value is expected`},
		{"A == 1\nA == 2", `A`, `M.tla:4:1: A is defined twice`},
		{"", `1 = "a"`, `M.tla:4:13: 1 is compared with "a"`},
		{"", `<<1, 2>>[3]`, `M.tla:4:11: 3 is not in the domain of <<1, 2>>`},
		{"F(x) == Head(x)", `F(<<>>)`, "M.tla:3:9: Head of an empty sequence\n  in F, used at M.tla:4:11"},
		{"", `9223372036854775807 + 1`, `does not fit into 64 bits`},
		{"", `SubSeq("a𝄞b", 2, 2)`, `a string is cut in the middle of a character`},
		{"", `Tail("𝄞b")`, `a string is cut in the middle of a character`},
		{"", `Tail("")`, `Tail`},
		{"", `SubSeq("abc", 0, 1)`, `SubSeq from 0 to 1 of "abc"`},
		{"", `Head("abc")`, `Head`},
		{"", `ToString(0..1)`, `M.tla:4:21: ToString of {0, 1}: the text is not determined`},
		{"", `ToString({3})`, `ToString of {3}: the text is not determined`},
		{"", `ToString(<<0, {"a", "b"}>>)`, `ToString of {"a", "b"}: the text is not determined`},
		{"", `ToString({[a |-> 1, b |-> 2]})`, `ToString of [a |-> 1, b |-> 2]: the text is not determined`},
		{"", `ToString([x \in {<<1, 1>>, <<2, 1>>} |-> 1])`, `the text is not determined`},
		{"", `ToString({1, 2} :> 3)`, `ToString of {1, 2}: the text is not determined`},
		{"", `ToString("a" :> (1..2))`, `ToString of {1, 2}: the text is not determined`},
		{"Told(s) == PrintT(s) /\\ s = \"\"", `Told(ToString(0..1))`, `the text is not determined`},
		{"", `Print("", ToString(0..1))`, `the text is not determined`},
		{"", `Assert(FALSE, ToString(0..1))`, `the assertion fails: "{0, 1}"`},
		{"", `{n \in Nat : n < 3} \subseteq 0..5`, `M.tla:4:31: {x \in Nat : ...} \subseteq 0..5 cannot be told`},
		{"", `{n \in Nat : n < 3} \in SUBSET (0..5)`, `cannot be told`},
		{"", `IsFiniteSet({n \in Nat : n < 3})`, `M.tla:4:11: IsFiniteSet of`},
		{"", `IsFiniteSet(Nat \ (Int \ {5}))`, `cannot be told`},
		{"", `IsFiniteSet(SUBSET {n \in Nat : n < 3})`, `cannot be told`},
		{"", `IsFiniteSet(Nat \X {n \in Nat : n < 0})`, `cannot be told`},
		{"", `IsFiniteSet([{n \in Nat : n < 0} -> Nat])`, `cannot be told`},
		{"", `IsFiniteSet([Nat -> {n \in Nat : n < 1}])`, `cannot be told`},
		{"", `IsFiniteSet([Nat -> {1}])`, `cannot be told`},
		{"", `IsFiniteSet(Seq({n \in Nat : n < 0}))`, `cannot be told`},
		{"", `Seq({n \in Nat : n < 0}) = {<<>>}`, `cannot be compared`},
		{"", `[{n \in Nat : n < 0} -> {}] = {}`, `cannot be compared`},
		{"", `IsABag([n \in Nat |-> 1])`, `where a finite function is expected`},
		{"", `[n \in {k \in Nat : k \in 1..2} |-> n] \in Seq(Nat)`, `M.tla:4:50: whether a function is a sequence, a tuple or a record cannot be told`},
		{"", `0^0`, `M.tla:4:12: 0^0 has no value`},
		{"", `2^100`, `does not fit into 64 bits`},
		{"", `99999999999999999999`, `is no integer of 64 bits`},
		{"RECURSIVE F(_)\nF(n) == F(n + 1)", `F(0)`, `the recursion is deeper than 5000 calls`},
		{"", `LET f[n \in Nat] == f[n + 1] IN f[0]`, `the recursion is deeper than 5000 calls`},
		{"A == B\nB == A", `A`, `B is used before it is defined`},
		{"", `SUBSET (1..60) = SUBSET (2..61)`, `has too many elements to be spelt out`},
		{"", `CHOOSE x : x = 1`, `x is bound to no set`},
		{"", `CHOOSE x \in 1..3 : x > 5`, `CHOOSE: no element of the set is such`},
		{"", `JavaTime`, `JavaTime is not supported`},
		{"", `RandomElement({1})`, `RandomElement is not supported`},
		{"", `Assert(FALSE, "no")`, `the assertion fails: "no"`},
		{"", `IF 3 THEN 1 ELSE 2`, `3 where TRUE or FALSE is expected`},
		{"I == INSTANCE Nowhere", `1`, `module Nowhere: file does not exist`},
		{"", `\AA x : TRUE`, `a temporal formula stands where a constant is expected`},
	} {
		_, err := constant(t, c.defs, c.expr)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: got %v; want %s", c.defs, c.expr, err, c.want)
		}
	}
}

// TestKinds: of values of different kinds nothing is known, but they may be parts of
// values that differ for another reason. \in and \subseteq tell kinds apart.
func TestKinds(t *testing.T) {
	for expr, want := range map[string]string{
		`<<1>> = <<"a">>`:                                         "error",
		`<<1, 2>> = <<"a", 3>>`:                                   "FALSE",
		`<<2, 1>> = <<3, "a">>`:                                   "FALSE",
		`<<1, 1>> = <<1, "a">>`:                                   "error",
		`{1} # {"a"}`:                                             "error",
		`{1, 2} = {"a"}`:                                          "FALSE",
		`{1, 2} = {"a", "b"}`:                                     "error",
		`{<<1, "a">>, <<2, 2>>} = {<<1, 1>>, <<2, 2>>}`:           "error",
		`{<<1, "a">>, <<2, 2>>} = {<<1, 1>>, <<3, 2>>}`:           "FALSE",
		`{<<3, 2>>, <<1, 1>>} = {<<1, "a">>, <<2, 2>>}`:           "FALSE",
		`[a |-> 1] = [a |-> "x"]`:                                 "error",
		`[a |-> 1, t |-> "p"] = [a |-> "x", t |-> "q"]`:           "FALSE",
		`[a |-> 1] = [b |-> "x"]`:                                 "FALSE",
		`[a |-> 1] = <<1>>`:                                       "error",
		`[a |-> 1, b |-> 1] = <<1>>`:                              "FALSE",
		`<<>> = [a |-> 1]`:                                        "FALSE",
		`{"a"} = 1..1`:                                            "error",
		`1..1 = {TRUE}`:                                           "error",
		`{{1}} = {{"a"}}`:                                         "error",
		`{{}} = {{"a"}}`:                                          "FALSE",
		`<<{}>> = <<1>>`:                                          "error",
		`SUBSET {1} = {{}, {"a"}}`:                                "error",
		`SUBSET {1} = {{}, {2}}`:                                  "FALSE",
		`[x \in {1, 3} |-> 1] = [x \in {1, 3} |-> "a"]`:           "error",
		`[x \in {1, 3} |-> 1] = [x \in {1, 4} |-> "a"]`:           "FALSE",
		`[x \in {"a"} |-> 1] = [x \in {1} |-> 1]`:                 "error",
		`[x \in 1..2 |-> x] = [x \in {1, 2} |-> <<x>>]`:           "error",
		`Nat = {1}`:                                               "FALSE",
		`"x" \notin {<<1>>}`:                                      "TRUE",
		`{"a"} \subseteq {1}`:                                     "FALSE",
		`<<1>> \in {<<"a">>}`:                                     "FALSE",
		`[a |-> 1] \in [{1} -> {1}]`:                              "FALSE",
		`[{1} -> {1}] \subseteq [{"a"} -> {1}]`:                   "FALSE",
		`\E x \in {<<1>>, <<2>>} : x = <<2>>`:                     "TRUE",
		`[[x \in {1, 2} |-> <<>>] EXCEPT ![1] = 1] = <<<<>>, 1>>`: "error",
	} {
		got, err := constant(t, "", expr)
		if err != nil && strings.Contains(err.Error(), "is compared with") {
			got, err = "error", nil
		}
		if err != nil || got != want {
			t.Errorf("%s: %s, %v; want %s", expr, got, err, want)
		}
	}
}

// graph explores a machine by hand and returns its states in order of discovery.
func graph(t interface{ Helper() }, s *eval.Spec, limit int) (states []string, steps []string, err error) {
	t.Helper()
	init, err := s.Named("Init")
	if err != nil {
		return nil, nil, err
	}
	next, err := s.Named("Next")
	if err != nil {
		return nil, nil, err
	}
	m, err := s.Machine([]eval.Formula{init}, next)
	if err != nil {
		return nil, nil, err
	}
	seen := map[string]bool{}
	var queue [][]value.Value
	add := func(vals []value.Value) string {
		text := value.Format(value.NewTuple(append([]value.Value(nil), vals...)...))
		if !seen[text] && len(states) < limit {
			seen[text] = true
			states = append(states, text)
			queue = append(queue, append([]value.Value(nil), vals...))
		}
		return text
	}
	if err := m.Evaluator().Initial(func(vals []value.Value) bool { add(vals); return true }); err != nil {
		return nil, nil, err
	}
	ev := m.Evaluator()
	for len(queue) > 0 {
		vals := queue[0]
		queue = queue[1:]
		if err := ev.Next(vals, func(part int, next []value.Value) bool {
			steps = append(steps, m.Parts[part].Name+" "+add(next))
			return true
		}); err != nil {
			return nil, nil, err
		}
	}
	return states, steps, nil
}

func TestSteps(t *testing.T) {
	other := map[string]string{"Inner": "VARIABLE z\nA == z' = z"}
	for _, c := range []struct{ name, body, states, steps string }{
		{"disjunction", "VARIABLE x\nInit == x = 0\nUp == x < 2 /\\ x' = x + 1\nDown == x > 1 /\\ x' = 0\nNext == Up \\/ Down",
			"<<0>> <<1>> <<2>>", "Up <<1>>|Up <<2>>|Down <<0>>"},
		{"for all, with a choice in each item", "VARIABLE x\nInit == x = <<0, 0>>\nNext == x = <<0, 0>> /\\ (\\E y \\in {1, 2} : x' = <<y, y>>) /\\ \\A i \\in 1..2 : \\/ x'[i] = 1 \\/ x'[i] = i",
			"<<<<0, 0>>>> <<<<1, 1>>>>", "Next <<<<1, 1>>>>|Next <<<<1, 1>>>>"},
		{"for all that assigns", "VARIABLES x, y\nInit == x = 0 /\\ y = 0\nSet(v, S) == v' \\in S\nNext == x = 0 /\\ \\A i \\in {1, 2} : (i = 1 /\\ Set(x, {1, 2})) \\/ (i = 2 /\\ y' = x' + 1)",
			"<<0, 0>> <<1, 2>> <<2, 3>>", "Next <<1, 2>>|Next <<2, 3>>"},
		{"for all within for all, which is entered again before it is left", "VARIABLE x\nInit == x = 2\n" +
			"Next == x = 2 /\\ \\A i \\in 1..2 : \\A j \\in (IF i = 1 THEN {3, 4} ELSE {5}) : (x' = 0 \\/ x' = 1) /\\ (j = 4 => x' = 0)",
			"<<2>> <<0>>", "Next <<0>>"},
		{"a parameter handed a primed expression", "VARIABLES x, y\nInit == x = 0 /\\ y = 5\nTwice(e) == e = 1 \\/ e = 2\nNext == x = 0 /\\ x' \\in 0..3 /\\ Twice(x') /\\ UNCHANGED <<y>>",
			"<<0, 5>> <<1, 5>> <<2, 5>>", "Next <<1, 5>>|Next <<2, 5>>"},
		{"an argument, kept, of an action that is entered again before it is left", "VARIABLES x, y\nInit == x = 0 /\\ y = 0\n" +
			"Do(k) == (k = 11 /\\ x' = 1) \\/ (k = 11 /\\ x' = 2) \\/ (k = 12 /\\ y' = 5)\nNext == x = 0 /\\ \\A i \\in 1..2 : Do(i + 10)",
			"<<0, 0>> <<1, 5>> <<2, 5>>", "Next <<1, 5>>|Next <<2, 5>>"},
		{"an operator handed over that primes", "VARIABLE x\nApply(F(_), e) == F(e)\nInit == x = 0\nNext == x < 2 /\\ Apply(LAMBDA v : v' = v + 1, x)",
			"<<0>> <<1>> <<2>>", "Next <<1>>|Next <<2>>"},
		{"a definition of state across a prime", "VARIABLE x\nBig == x > 1\nInit == x = 0\nNext == x < 3 /\\ x' = x + 1 /\\ LET b == Big IN b' => ~b",
			"<<0>> <<1>> <<2>>", "Next <<1>>|Next <<2>>"},
		{"an argument that is true or false, and primed", "VARIABLE x\nIs(b) == (~(~b /\\ x # 7))'\nInit == x \\in {0, 1}\nNext == x' = x + 1 /\\ Is(x = 2)",
			"<<0>> <<1>> <<2>>", "Next <<2>>"},
		{"a function, primed, of a bound name", "VARIABLE x\nInit == x = <<1, 2>>\nNext == x' = <<2, 1>> /\\ \\A i \\in 1..2 : (x[i] = 3 - i)'",
			"<<<<1, 2>>>> <<<<2, 1>>>>", "Next <<<<2, 1>>>>|Next <<<<2, 1>>>>"},
		{"square and angle brackets as conditions", "VARIABLE x\nInit == x = 0\nStay == x' \\in {0, 1, 2} /\\ ~<<x' # 1>>_x\nGo == x' \\in {0, 1, 2} /\\ ~[x' = 1]_x\nNext == Stay \\/ Go",
			"<<0>> <<1>> <<2>>", "Stay <<0>>|Stay <<1>>|Go <<2>>|Stay <<1>>|Go <<0>>|Go <<2>>|Stay <<1>>|Stay <<2>>|Go <<0>>"},
		{"angle brackets before a next value is known", "VARIABLE x\nInit == x = 0\nNext == <<TRUE>>_x /\\ x' \\in {x, 1}",
			"<<0>> <<1>>", "Next <<1>>"},
		{"angle brackets before one of two next values is known", "VARIABLES x, y\nInit == x = 0 /\\ y = 0\nNext == x' = x /\\ (<<TRUE>>_<<x, y>> \\/ <<TRUE>>_x \\/ <<TRUE>>_y) /\\ y' \\in {y, 1}",
			"<<0, 0>> <<0, 1>>", "Next <<0, 1>>|Next <<0, 1>>"},
		{"angle brackets of a bound name before next values are known", "VARIABLES x, y\nInit == x = 0 /\\ y = <<0, 0>>\nNext == x = 0 /\\ y' = <<0, 1>> /\\ \\A i \\in 1..2 : <<TRUE>>_<<x, y[i]>> /\\ x' \\in {x, 1}",
			"<<0, <<0, 0>>>> <<1, <<0, 1>>>>", "Next <<1, <<0, 1>>>>"},
		{"initial sets", "VARIABLES x, y\nInit == x \\in {1, 2} /\\ y = x * 10\nNext == FALSE /\\ x' = x /\\ y' = y",
			"<<1, 10>> <<2, 20>>", ""},
		{"enabled, of angle brackets before a next value is known", "VARIABLE x\nInit == x = 0\nNext == x' = 1 /\\ (ENABLED (<<TRUE>>_x /\\ x' = x) \\/ ~ENABLED (<<TRUE>>_x /\\ x' = 1 - x) \\/ ~ENABLED <<TRUE>>_x)",
			"<<0>>", ""},
		{"enabled", "VARIABLE x\nInit == x = 0\nA == x < 1 /\\ x' = x + 1\nB == ~ENABLED A /\\ x = 1 /\\ x' = 7\nNext == A \\/ B",
			"<<0>> <<1>> <<7>>", "A <<1>>|B <<7>>"},
		{"instance", "VARIABLE x\nI == INSTANCE Inner WITH z <- x\nInit == x = 4\nNext == I!A", "<<4>>", "A <<4>>"},
	} {
		s, err := load(t, c.body, other)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		states, steps, err := graph(t, s, 100)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := strings.Join(states, " "); got != c.states {
			t.Errorf("%s: states %s, not %s", c.name, got, c.states)
		}
		if got := strings.Join(steps, "|"); got != c.steps {
			t.Errorf("%s: steps %s, not %s", c.name, got, c.steps)
		}
	}
}

func TestStepErrors(t *testing.T) {
	for body, want := range map[string]string{
		"VARIABLES x, y\nInit == x = 0 /\\ y = 0\nNext == x' = 1":                                                               "Next gives no value to y'",
		"VARIABLES x, y\nInit == x = 0\nNext == UNCHANGED <<x, y>>":                                                             "an initial state gives no value to y",
		"VARIABLES x\nInit == x = 0\nNext == x' > 0 /\\ x' = 1":                                                                 "M.tla:5:9: x' is used before it has a value",
		"VARIABLES x\nInit == x > 0\nNext == x' = 1":                                                                            "M.tla:4:9: x is used before it has a value",
		"VARIABLES x\nInit == \\E i \\in {1} : x[i] = 1\nNext == x' = 1":                                                        "M.tla:4:24: x is used before it has a value",
		"VARIABLES x\nInit == x \\in Nat\nNext == x' = 1":                                                                       "Nat cannot be enumerated",
		"VARIABLES x\nRECURSIVE R(_)\nR(n) == x' = n \\/ R(n)\nInit == x = 0\nNext == R(1)":                                     "recursive operator R is an action: not supported",
		"VARIABLES x\nInit == x = <<0, 0>>\nNext == x' = <<1, 0>> /\\ [x EXCEPT ![1] = @'] = x":                                 "what is primed here is known by its value only: not supported",
		"VARIABLES x\nInit == x = <<0, 0>>\nOf(a) == a' = 1\nNext == x' = <<1, 0>> /\\ SelectSeq(x, Of) = <<0>>":                "what is primed here is known by its value only: not supported",
		"VARIABLES x\nRECURSIVE R(_)\nR(n) == IF FALSE THEN R(n) ELSE ENABLED (n' = n)\nInit == x = 0\nNext == R(x) /\\ x' = 1": "what is primed here is known by its value only: not supported",
		"VARIABLES x\nf[i \\in 1..2] == IF i = 1 THEN x ELSE f'[1]\nInit == x = 0\nNext == x' = f[2] + 1":                       "what is primed here is known by its value only: not supported",
	} {
		s, err := load(t, body, nil)
		if err == nil {
			_, _, err = graph(t, s, 10)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v; want %s", body, err, want)
		}
	}
}

// TestAfterAnError: a step that could not be evaluated leaves nothing behind.
func TestAfterAnError(t *testing.T) {
	s, err := load(t, "VARIABLE x\nNext == (x = 0 /\\ <<TRUE>>_x /\\ x' = 1 \\div 0) \\/ (x = 1 /\\ x' = 1)", nil)
	if err != nil {
		t.Fatal(err)
	}
	next, err := s.Named("Next")
	if err != nil {
		t.Fatal(err)
	}
	m, err := s.Machine(nil, next)
	if err != nil {
		t.Fatal(err)
	}
	steps, ev := 0, m.Evaluator()
	count := func(int, []value.Value) bool { steps++; return true }
	if err := ev.Next([]value.Value{value.Int(0)}, count); err == nil {
		t.Error("1 is divided by 0")
	}
	if err := ev.Next([]value.Value{value.Int(1)}, count); err != nil || steps != 1 {
		t.Errorf("%d steps, %v", steps, err)
	}
}

// FuzzModule: a module has initial states and steps, or there is an error; nothing
// panics.
func FuzzModule(f *testing.F) {
	f.Add("VARIABLE x\nInit == x \\in 1..3\nNext == \\E y \\in {1} : x' = (x + y) % 4")
	f.Add("f[n \\in Nat] == f[n]\nVARIABLE x\nInit == x = f[1]\nNext == UNCHANGED x")
	f.Fuzz(func(t *testing.T, body string) {
		s, err := load(t, body, nil)
		if err != nil {
			return
		}
		states, _, err := graph(t, s, 5)
		if err == nil && len(states) > 5 {
			t.Errorf("%d states of at most 5", len(states))
		}
	})
}

// A union of large sets is asked, not spelt out.
func TestUnionIsLazy(t *testing.T) {
	for _, expr := range []string{
		`[x \in 1..3 |-> 5] \in UNION {[1..40 -> 1..40], [1..3 -> 1..40]}`,
		`1 \in (1..2^40) \cup {0}`,
		`UNION {1..2, {7}} = {1, 2, 7}`,
	} {
		if got, err := constant(t, "", expr); got != "TRUE" {
			t.Errorf("%s: %s, %v", expr, got, err)
		}
	}
}
