// Two runs side by side: steps that both take in one row, the others alone.
import { useEffect, useMemo, useState } from "preact/hooks";
import { source } from "./source";
import type { Comparison, Listing, View } from "./types";
import { linesOf, stepsOf } from "./lines";
import { placed, Windowed } from "./windowed";

const mostLines = 8;

interface Props { a: number; world?: string; b: number; listing: Listing; choose: (b: number) => void; open: (course: number, at: number) => void }

export function Compare({ a, world, b, listing, choose, open }: Props) {
  const [answer, setAnswer] = useState<Comparison | null>(null);
  const [error, setError] = useState("");
  useEffect(() => {
    let current = true;
    setAnswer(null);
    source.compare(a, world, b).then((c) => { if (current) { setAnswer(c); setError(""); } }, (e: Error) => { if (current) setError(e.message); });
    return () => { current = false; };
  }, [a, world, b]);
  const differences = useMemo(() => answer?.pairs.map(([i, j], k) => (k === 0 || (i && j) ? differing(answer, i, j) : [])) ?? [], [answer]);
  const heights = useMemo(() => differences.map((d) => 14 + 19 * Math.max(1, Math.min(d.length, mostLines + 1))), [differences]);
  const others = (
    <label>
      Compare with{" "}
      <select value={b} onChange={(e) => choose(Number(e.currentTarget.value))}>
        {listing.courses.map((c, i) => (world || i !== a) && <option value={i} selected={i === b}>{c.name}</option>)}
      </select>
    </label>
  );
  if (error) return <div class="pad">{others}<p>{error}</p></div>;
  if (!answer) return <div class="pad">{others}<p class="quiet">…</p></div>;
  const same = answer.pairs.filter(([i, j], k) => k > 0 && i && j).length;
  const head = <div class="row head compare" role="row"><span>{answer.a.name}</span><span class="sign" /><span>{answer.b.name}</span><span>Where the states differ</span></div>;
  return (
    <div class="fill">
      <p class="pad bar-line">{others} <span class="quiet">{stepsOf(same)} in both, {answer.a.rows.length - 1 - same} only in the first, {answer.b.rows.length - 1 - same} only in the second</span></p>
      <Windowed heights={heights} measured current={0} label="Comparison" head={head}>
        {(from, to, tops) => answer.pairs.slice(from, to).map(([i, j], k) => {
          const at = from + k;
          const begins = at === 0, both = begins || (i && j);
          return (
            <div key={at} class={"row compare " + (both ? "both" : i ? "left" : "right")} role="row" {...placed(tops, at)} data-pair={at}>
              <Step view={answer.a} i={i} shown={begins || !!i} open={() => open(a, i)} />
              <span class="sign" role="cell" title={both ? "in both" : i ? "only in the first" : "only in the second"}>{both ? "=" : i ? "<" : ">"}</span>
              <Step view={answer.b} i={j} shown={begins || !!j} open={() => open(b, j)} />
              <Differences all={differences[at]} />
            </div>
          );
        })}
      </Windowed>
    </div>
  );
}

function Step({ view, i, shown, open }: { view: View; i: number; shown: boolean; open: () => void }) {
  if (!shown) return <span role="cell" class="absent">–</span>;
  const row = view.rows[i];
  return (
    <span role="cell" class="line" title={row.action}>
      <button class="link" aria-label={`open step ${i} of ${view.name}`} onClick={open}>{i}</button>{" "}
      {i === 0 ? "the beginning" : <><b>{row.process ? `process ${row.process}` : "all"}</b>: {row.action}</>}
    </span>
  );
}

function Differences({ all }: { all: string[] }) {
  return (
    <span role="cell" class="quiet" title={all.join("\n")}>
      {all.slice(0, mostLines).map((d) => <span class="line">{d}</span>)}
      {all.length > mostLines && <span class="line">and {all.length - mostLines} more</span>}
    </span>
  );
}

// differing names the lines in which the states of two runs differ.
function differing({ a, b }: Comparison, i: number, j: number): string[] {
  const out: string[] = [];
  for (let p = 0; p < Math.min(a.n, b.n); p++) {
    const x = new Map(linesOf(a, a.rows[i], p).map((l) => [l.path, l.value])), y = new Map(linesOf(b, b.rows[j], p).map((l) => [l.path, l.value]));
    for (const path of new Set([...x.keys(), ...y.keys()])) {
      if (x.get(path) !== y.get(path)) out.push(`${p + 1}: ${path} ${x.get(path) ?? "–"} | ${y.get(path) ?? "–"}`);
    }
  }
  return out.length ? out : ["nowhere"];
}
