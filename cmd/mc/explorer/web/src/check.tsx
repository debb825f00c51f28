// A check of the whole world while it runs, what it found, and which actions happened.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { baked, source } from "./source";
import type { CheckStatus, View } from "./types";

const none: CheckStatus = { begun: false, running: false, states: 0, transitions: 0, depth: 0, frontier: 0, seconds: 0, complete: false };
const count = (n: number) => n.toLocaleString("en");

export function Check({ course, world, view, show, onList }: { course: number; world?: string; view: View; show: (course: number) => void; onList: () => void }) {
  const [status, setStatus] = useState(none);
  const [error, setError] = useState("");
  const asked = useRef(0);
  // Only the answer to the latest question counts: one to an earlier question may come later.
  const ask = (verb: "" | "/start" | "/stop") => {
    const question = ++asked.current;
    const latest = () => question === asked.current;
    source.check(course, world, verb).then(
      (s) => { if (latest()) { setStatus(s); setError(""); if (!s.running) onList(); } },
      (e: Error) => { if (latest()) setError(e.message); });
  };
  // Before anybody can click: an answer to this question that comes later would hide the check.
  useLayoutEffect(() => { if (!baked) { setStatus(none); ask(""); } }, [course, world]);
  useEffect(() => {
    if (!status.running) return;
    const timer = setTimeout(() => ask(""), 250);
    return () => clearTimeout(timer);
  }, [status]);
  return (
    <div class="scroll pad">
      <h2>Every interleaving of this world</h2>
      <ul class="quiet world">{view.assumptions.map((a) => <li>{a}</li>)}</ul>
      {baked ? <p class="quiet">{baked.left}</p> : (
        <p>
          {status.running
            ? <button class="primary" onClick={() => ask("/stop")} id="stop">Stop</button>
            : <button class="primary" onClick={() => ask("/start")} id="start">{status.begun ? "Check again" : "Check"}</button>}
        </p>
      )}
      {error && <p class="turned" role="alert">{error}</p>}
      {status.begun && (
        <>
          <dl class="numbers" aria-live={status.running ? "off" : "polite"}>
            <dt>states</dt><dd id="states">{count(status.states)}</dd>
            <dt>transitions</dt><dd>{count(status.transitions)}</dd>
            <dt>depth</dt><dd>{count(status.depth)}</dd>
            <dt>not yet expanded</dt><dd>{count(status.frontier)}</dd>
            <dt>seconds</dt><dd>{status.seconds.toFixed(1)}</dd>
            <dt>states a second</dt><dd>{count(Math.round(status.states / Math.max(status.seconds, 1e-3)))}</dd>
          </dl>
          {status.running && <p role="status" class="quiet"><span class="spinner" /> {status.doing}</p>}
          {status.error && <p class="turned" role="alert">{status.error}</p>}
          {status.verdict && <p class={"verdict " + status.verdict.toLowerCase()} id="verdict">{status.verdict}{status.why ? ": " + status.why : ""}</p>}
          {status.findings && (
            <table class="plain">
              <thead><tr><th>Property</th><th>Verdict</th><th>It states</th><th><span class="hidden">Show</span></th></tr></thead>
              <tbody>{status.findings.map((f) => (
                <tr><td>{f.name}</td><td class={"verdict " + (f.note ? "quiet" : f.verdict.toLowerCase())}>{f.verdict}</td>
                  <td>{f.doc}{f.why && <span class="why">{f.why}</span>}{f.note && <span class="quiet">{f.note}</span>}</td>
                  <td>{f.course >= 0 && <button onClick={() => show(f.course)} data-show={f.name}>Show the run</button>}</td></tr>
              ))}</tbody>
            </table>
          )}
        </>
      )}
      <Coverage view={view} status={status} />
    </div>
  );
}

// Coverage counts each kind of action in the run that is shown, and in the check.
function Coverage({ view, status }: { view: View; status: CheckStatus }) {
  const inRun = new Map<string, number>();
  for (const row of view.rows.slice(1)) inRun.set(row.kind, (inRun.get(row.kind) ?? 0) + 1);
  const never = (kind: string) => status.never_fired?.includes(kind);
  return (
    <section aria-label="Coverage">
      <h2>What happens, by kind</h2>
      <table class="plain coverage">
        <thead><tr><th>Kind of action</th><th>In this run</th><th>In the check</th><th><span class="hidden">Remark</span></th></tr></thead>
        <tbody>{view.kinds.map((kind) => (
          <tr class={never(kind) ? "never" : ""}>
            <td>{kind}</td><td>{count(inRun.get(kind) ?? 0)}</td><td>{status.fired ? count(status.fired[kind] ?? 0) : "–"}</td>
            <td>{never(kind) ? "⚠ never happens, though this world allows it" : !inRun.get(kind) ? "not in this run" : ""}</td>
          </tr>
        ))}</tbody>
      </table>
      {!status.fired && <p class="quiet">A check of the whole world tells which of them never happen at all.</p>}
    </section>
  );
}
