// The graph of states: whole if it is small, else what is near, and how many states
// there are at each distance.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { source } from "./source";
import type { Graph, Histogram, Node, Place } from "./types";
import { stepsOf } from "./lines";

const wide = 92, high = 74;

export function States({ place, at, n, open }: { place: Place; at: number; n: number; open: (v: Node) => void }) {
  const [graph, setGraph] = useState<Graph | null>(null);
  const [error, setError] = useState("");
  useEffect(() => {
    let current = true;
    setGraph(null);
    source.graph(place, at).then((g) => { if (current) { setGraph(g); setError(""); } }, (e: Error) => { if (current) setError(e.message); });
    return () => { current = false; };
  }, [JSON.stringify([place, at])]);
  if (error) return <p class="pad">{error}</p>;
  if (!graph) return <p class="pad quiet" role="status">Counting states…</p>;
  return (
    <div class="scroll pad">
      <h2>{graph.whole ? `All ${graph.nodes.length} states` : "Around this state"}</h2>
      <p class="quiet">
        {graph.whole ? "From the beginning of this run down, in layers by distance." : "How the run came here, and what follows next; the space is too large to be drawn whole."}{" "}
        A state is named by the leaders that the processes 1 to {n} follow (– none, † the process is down). Choose one to go there.
      </p>
      <Drawn graph={graph} open={open} />
      <Depths histogram={graph.histogram} />
    </div>
  );
}

function Drawn({ graph, open }: { graph: Graph; open: (v: Node) => void }) {
  const box = useRef<HTMLDivElement>(null);
  const x = (v: Node) => v.x * wide + wide / 2 + 30, y = (v: Node) => v.depth * high + 30;
  const width = Math.max(...graph.nodes.map(x)) + wide / 2 + 60;
  const height = Math.max(...graph.nodes.map(y)) + 50;
  useLayoutEffect(() => { // the state at hand comes into sight
    const here = graph.nodes.find((v) => v.here), b = box.current!;
    if (here) [b.scrollLeft, b.scrollTop] = [x(here) - b.clientWidth / 2, y(here) - b.clientHeight / 2];
  }, [graph]);
  const edges = [...graph.edges].sort((a, b) => Number(a.on) - Number(b.on));
  return (
    <>
      <div class="graph-box" ref={box}>
        <svg class="graph" width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="group" aria-label="Graph of states">
          <defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0 L8 4 L0 8 z" /></marker></defs>
          {edges.map((e) => {
            const a = graph.nodes[e.from], b = graph.nodes[e.to];
            return <path key={e.from + "." + e.to} class={"edge" + (e.on ? " on" : "") + (b.depth <= a.depth ? " back" : "")} d={curve(x(a), y(a), x(b), y(b))} marker-end="url(#tip)"><title>{e.actions.join("\n")}</title></path>;
          })}
          {graph.nodes.map((v, i) => {
            const says = [`state after ${stepsOf(v.depth)}`, v.label, v.quiescent ? "quiescent" : "", v.false?.length ? "false: " + v.false.join(", ") : "", v.on ? "on this run" : ""].filter(Boolean).join("; ");
            return (
              <g key={i} class={"node" + (v.on ? " on" : "") + (v.here ? " here" : "") + (v.false?.length ? " false" : "") + (v.quiescent ? " quiescent" : "")}
                role="button" tabIndex={0} aria-label={says} data-node={i}
                onClick={() => open(v)} onKeyDown={(e) => (e.key === "Enter" || e.key === " ") && (e.preventDefault(), open(v))}>
                <title>{says}</title>
                <rect x={x(v) - 38} y={y(v) - 16} width="76" height="32" rx={v.quiescent ? 2 : 16} />
                {v.quiescent && <rect class="inner" x={x(v) - 34} y={y(v) - 12} width="68" height="24" rx="1" />}
                <text x={x(v)} y={y(v) + 4} text-anchor="middle">{v.false?.length ? "✗ " : ""}{v.label}</text>
                {v.beyond && <text class="beyond" x={x(v)} y={y(v) + 30} text-anchor="middle">⋯</text>}
              </g>
            );
          })}
        </svg>
      </div>
      <p class="legend"><span>square: quiescent</span> <span>✗: a property that counts is false</span> <span>thick: this run</span> <span>filled: here</span> <span>dashed: back</span> <span>⋯ more follows</span></p>
    </>
  );
}

// curve leads down from layer to layer; within a layer over it, and back around.
function curve(ax: number, ay: number, bx: number, by: number): string {
  if (ax === bx && ay === by) return `M${ax + 30} ${ay - 12} C ${ax + 72} ${ay - 34} ${ax + 72} ${ay + 34} ${ax + 32} ${ay + 12}`;
  if (by > ay) return `M${ax} ${ay + 16} C ${ax} ${ay + 42} ${bx} ${by - 44} ${bx} ${by - 18}`;
  const side = bx > ax ? 1 : -1;
  if (by === ay) return `M${ax + 20 * side} ${ay - 16} C ${ax + 34 * side} ${ay - 36} ${bx - 34 * side} ${by - 36} ${bx - 22 * side} ${by - 18}`;
  if (by > ay - 2 * high && ax !== bx) return `M${ax + 26 * side} ${ay - 16} C ${ax + 30 * side} ${ay - 44} ${bx - 30 * side} ${by + 44} ${bx - 24 * side} ${by + 18}`;
  const out = Math.max(ax, bx) + 58 + Math.abs(ay - by) * 0.08;
  return `M${ax + 38} ${ay} C ${out} ${ay} ${out} ${by} ${bx + 40} ${by}`;
}

function Depths({ histogram: h }: { histogram: Histogram }) {
  const most = Math.max(...h.counts, 1);
  return (
    <section aria-label="States by depth">
      <h2>{h.states.toLocaleString("en")} states by their distance from the beginning</h2>
      {!h.complete && <p class="quiet">Not all of them: {h.why}.</p>}
      <table class="depths">
        <thead><tr><th>Steps</th><th>States</th><th><span class="hidden">Share</span></th></tr></thead>
        <tbody>
          {h.counts.map((c, depth) => (
            <tr><td>{depth}</td><td>{c.toLocaleString("en")}</td><td><span class="bar" style={{ width: Math.max(0.4, (100 * c) / most) + "%" }} /></td></tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
