// Beside the run: one state whole, what may happen next and what may not, and what each
// property says.
import { useEffect, useState } from "preact/hooks";
import { source } from "./source";
import type { Disabled, Place, Possibilities, View } from "./types";
import { changesOf, standing } from "./lines";
import { ChangeLine, falseAt } from "./table";

interface Props { view: View; place: Place; at: number; go: (at: number) => void; choose: (choice: number) => void; onPossible: (p: Possibilities, of: string) => void }

export function Side({ view, place, at, go, choose, onPossible }: Props) {
  const row = view.rows[at];
  return (
    <aside aria-label="The state">
      <section>
        <h2>{at === 0 ? "The beginning" : `Step ${at}`}</h2>
        {at > 0 && <p class="action">{row.process ? <b>process {row.process}: </b> : null}{row.action}</p>}
        {row.panic && <p class="turned">✗ the handler panics: {row.panic}</p>}
        {row.changes?.map((c) => <p class="quiet">{c}</p>)}
        {row.env && <p class="quiet">So far: {row.env}</p>}
      </section>
      <Properties view={view} at={at} go={go} />
      <Next place={place} at={at} choose={choose} onPossible={onPossible} />
      <section>
        <h2>The whole state</h2>
        {row.locals?.map((_, p) => (
          <details open={view.n <= 3 || row.process === p + 1} key={p}>
            <summary>process {p + 1} <span class={"eyes " + standing(view.picture, at, p).kind}>{standing(view.picture, at, p).text}</span></summary>
            <div class="cell">{changesOf(view, view.rows[at - 1], row, p, true).map((c) => <ChangeLine change={c} />)}</div>
          </details>
        ))}
      </section>
    </aside>
  );
}

// stateKey names a state, so that an answer is not taken for that of another one.
export const stateKey = (place: Place, at: number) => JSON.stringify([place, at]);

const signs = { holds: "✓", false: "✗", silent: "·" };
const spoken = { holds: "holds", false: "is false", silent: "says nothing here" };

function Properties({ view, at, go }: { view: View; at: number; go: (at: number) => void }) {
  const all = view.properties.map((p, k) => ({ p, k, valuation: view.valuations[view.rows[at].valuation[k]] }));
  const speaks = all.filter(({ valuation }) => valuation.says !== "silent"), silent = all.filter(({ valuation }) => valuation.says === "silent");
  const item = ({ p, k, valuation }: (typeof all)[0]) => {
    const first = view.rows.findIndex((_, i) => falseAt(view, i, k));
    return (
      <li class={valuation.says + (p.note ? " noted" : "")} key={p.name} data-property={p.name}>
        <span class="sign" aria-label={spoken[valuation.says]}>{signs[valuation.says]}</span>
        <span>
          <b title={p.formula ? `${p.doc}: ${p.formula}` : p.doc}>{p.name}</b> <span class="quiet">{p.doc}</span>
          {p.note && <span class="why quiet">{p.note}</span>}
          {valuation.why && <span class="why">{valuation.why}</span>}
          {first >= 0 && first !== at && <button class="link" onClick={() => go(first)}>false first {first ? `after step ${first}` : "at the beginning"}</button>}
        </span>
      </li>
    );
  };
  return (
    <section aria-label="Properties">
      <h2>Properties here</h2>
      <ul class="properties">{speaks.sort((a, b) => Number(b.valuation.says === "false") - Number(a.valuation.says === "false")).map(item)}</ul>
      {silent.length > 0 && <details><summary class="quiet">{silent.map(({ p }) => p.name).join(", ")} {silent.length > 1 ? "say" : "says"} nothing here</summary><ul class="properties">{silent.map(item)}</ul></details>}
    </section>
  );
}

function Next({ place, at, choose, onPossible }: Omit<Props, "view" | "go">) {
  const [known, setKnown] = useState<{ answer: Possibilities; of: string } | null>(null);
  const [error, setError] = useState("");
  const key = stateKey(place, at);
  useEffect(() => {
    let current = true;
    source.state(place, at).then(
      (p) => { if (current) { setKnown({ answer: p, of: key }); setError(""); onPossible(p, key); } },
      (e: Error) => { if (current) { setKnown(null); setError(e.message); } },
    );
    return () => { current = false; };
  }, [key]);
  if (error) return <section><h2>What may happen</h2><p class="quiet">{error}</p></section>;
  if (!known) return <section><h2>What may happen</h2><p class="quiet">…</p></section>;
  const { answer } = known;
  const busy = known.of !== key; // it is that of the state before, until the new one is known
  return (
    <section aria-label="What may happen" aria-busy={busy} id="next">
      <h2>What may happen{answer.quiescent && <span class="badge" title="nothing that is possible must happen">quiescent</span>}</h2>
      {answer.enabled.length === 0 && <p class="quiet">Nothing: the run ends here.</p>}
      <ol class="choices">
        {answer.enabled.map((c, i) => (
          <li>
            <button class={"choice" + (c.taken ? " taken" : "")} onClick={() => choose(i)} disabled={busy} data-choice={i}>
              <kbd>{i < 9 ? i + 1 : ""}</kbd>
              <span>
                <b>{c.process ? `process ${c.process}` : "all"}</b>: {c.action}
                {c.unfair && <span class="badge" title="nothing obliges it to happen">need not</span>}
                {c.taken && <span class="badge">the run takes it</span>}
                <span class="quiet">{c.changes.join("; ")}</span>
              </span>
            </button>
          </li>
        ))}
      </ol>
      {answer.disabled.length > 0 && (
        <details open>
          <summary>And what may not, and why</summary>
          <dl class="disabled">{grouped(answer.disabled).map(([p, list]) => (
            <><dt>process {p}</dt>{list.map((o) => <dd><b>{o.action}</b>: {o.why}</dd>)}</>
          ))}</dl>
        </details>
      )}
    </section>
  );
}

function grouped(all: Disabled[]): [number, Disabled[]][] {
  const groups = new Map<number, Disabled[]>();
  for (const o of all) groups.set(o.process, [...(groups.get(o.process) ?? []), o]);
  return [...groups];
}
