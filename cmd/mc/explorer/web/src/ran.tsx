// What really ran: packets beside the steps that processes logged, or that explain them.
import { useEffect, useMemo, useState } from "preact/hooks";
import { source } from "./source";
import { Diagram } from "./diagram";
import { standing } from "./lines";
import { placed, Windowed } from "./windowed";
import type { Execution, Packet } from "./types";

export function Ran({ names }: { names: string[] }) {
  const [number, setNumber] = useState(0);
  const [h, setExecution] = useState<Execution | null>(null);
  const [error, setError] = useState("");
  const [drawn, setDrawn] = useState(false);
  const [at, setAt] = useState(0);
  const heights = useMemo(() => (h?.steps ?? []).map(() => 64), [h]);
  useEffect(() => { source.ran(number).then(setExecution, (e: Error) => setError(e.message)); }, [number]);
  if (error) return <p class="pad">{error}</p>;
  if (!h) return <p class="pad quiet">…</p>;
  const packets = new Map<string, Packet[]>();
  for (const p of h.packets) if (p.message) packets.set(p.message, [...(packets.get(p.message) ?? []), p]);
  const tap = h.packets.some((p) => p.delivered);
  const bad = h.packets.find((p) => p.unexplained);
  const head = <div class="row head ran" role="row"><span>On the wire</span><span>Process</span><span>{h.source}</span><span>State after it</span></div>;
  return (
    <div class="fill">
      <div class="pad bar-line">
        {names.length > 1
          ? <select aria-label="What ran" value={number} onChange={(e) => setNumber(Number(e.currentTarget.value))}>{names.map((n, i) => <option value={i}>{n}</option>)}</select>
          : <b>{h.name}</b>}{" "}
        <span class="quiet">{h.algorithm}, {h.n} processes, {counted(h.packets.filter((p) => p.message).length, "packet")} with a message, {counted(h.steps.length, "step")}{h.left > 0 && `; ${h.left} more are not shown`}</span>{" "}
        <span class="verdict">{h.verdict}</span>
        <button aria-pressed={drawn} onClick={() => setDrawn(!drawn)}>{drawn ? "as a table" : "as a diagram"}</button>
        {h.notes.map((n) => <p class="quiet">{n}</p>)}
        {bad && <p class="turned" role="alert">✗ packet {bad.number}, {bad.from} → {bad.to}: {bad.text}: {bad.unexplained}</p>}
      </div>
      {drawn ? <Diagram picture={h.picture} at={at} go={setAt} /> : (
        <Windowed heights={heights} measured current={at} label="Steps and packets" head={head}>
          {(from, to, tops) => h.steps.slice(from, to).map((d, k) => (
            <div key={from + k} class={"row ran" + (from + k === at ? " current" : "")} role="row" {...placed(tops, from + k)} onClick={() => setAt(from + k)}>
              <span role="cell"><Wire step={d} packets={packets} tap={tap} /></span>
              <span role="cell"><b>process {d.process}</b>{d.incarnation > 1 && <span class="quiet"> incarnation {d.incarnation}</span>}</span>
              <span role="cell"><Line text={d.action} />{d.sends?.length ? <Line quiet text={"sends " + d.sends.map((s) => `${s.text} to ${s.to}`).join(", ")} /> : null}</span>
              <span role="cell"><Line quiet text={standing(h.picture, from + k + 1, d.process - 1).text} /><Line quiet text={d.state} /></span>
            </div>
          ))}
        </Windowed>
      )}
    </div>
  );
}

const counted = (n: number, what: string) => `${n.toLocaleString("en")} ${what}${n === 1 ? "" : "s"}`;

const Line = ({ text, quiet }: { text: string; quiet?: boolean }) => <span class={"line" + (quiet ? " quiet" : "")} title={text}>{text}</span>;

// Wire lists the packets of what a step handles (⇥) and sends (↦), and, where there is a
// tap behind the network, which of them were lost.
function Wire({ step, packets, tap }: { step: Execution["steps"][0]; packets: Map<string, Packet[]>; tap: boolean }) {
  const lines: string[] = [];
  for (const name of step.takes ?? []) {
    const all = packets.get(name) ?? [], p = all.find((q) => q.delivered) ?? all[0];
    if (p) lines.push(`⇥ #${p.number} ${p.time} s, ${p.from} → ${p.to}: ${p.text}`);
  }
  for (const send of step.sends ?? []) {
    const all = packets.get(send.message) ?? [], p = all.find((q) => !q.delivered) ?? all[0];
    if (!p) lines.push(`↦ to ${send.to}: ${send.text}, not on the wire`);
    else lines.push(`↦ #${p.number} ${p.time} s, ${p.from} → ${p.to}: ${p.text}${all.length > 2 ? `, ${all.filter((q) => !q.delivered).length} times` : ""}${tap && !all.some((q) => q.delivered) ? " ✗ lost" : ""}`);
  }
  const shown = lines.length > 3 ? [...lines.slice(0, 2), `and ${lines.length - 2} more`] : lines;
  return <span title={lines.join("\n")}>{shown.map((l) => <span class="line">{l}</span>)}</span>;
}
