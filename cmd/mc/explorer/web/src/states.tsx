// The graph of states: whole if it is small, else what is near, and how many states
// there are at each distance.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { source } from "./source";
import type { Graph, Histogram, Node, Place, View } from "./types";
import { Find } from "./find";
import { stepsOf } from "./lines";
import { textWidth } from "./textwidth";
import { stacked } from "./windowed";

interface Props { view: View; place: Place; at: number; find: string; look: (text: string) => void; go: (at: number) => void; open: (v: Node) => void; show: (p: Place) => void }

export function States({ view, place, at, find, look, go, open, show }: Props) {
  const [found, setFound] = useState<Set<string>>(new Set());
  const search = <Find view={view} place={place} text={find} look={look} go={go} open={show} onFound={(places) => setFound(new Set(places.map((p) => p.choices.join("."))))} />;
  const [graph, setGraph] = useState<Graph | null>(null);
  const [error, setError] = useState("");
  useEffect(() => {
    let current = true;
    setGraph(null);
    source.graph(place, at).then((g) => { if (current) { setGraph(g); setError(""); } }, (e: Error) => { if (current) setError(e.message); });
    return () => { current = false; };
  }, [JSON.stringify([place, at])]);
  if (error || !graph) return <div class="scroll pad">{search}{error ? <p>{error}</p> : <p class="quiet" role="status">…</p>}</div>;
  return (
    <div class="scroll pad">
      {search}
      <h2>{graph.whole ? `All ${graph.nodes.length} states` : "Around this state"}</h2>
      <p class="quiet">
        {graph.whole ? "From the beginning of this run down, in layers by distance." : "How the run came here, and what follows next; the space is too large to be drawn whole."}{" "}
        Each state is named by how it differs from {graph.from}, as far as that tells them apart; a number is a process. Choose one to go there.
      </p>
      <Drawn graph={graph} open={open} found={(v) => !v.place.steps && found.has(v.place.choices.join("."))} />
      {graph.histogram ? <Depths histogram={graph.histogram} /> : <Counted place={place} />}
    </div>
  );
}

// Room is where the nodes are: as large as the largest name, in layers as high as the highest.
interface Room { wide: number; high: (v: Node) => number; x: (v: Node) => number; y: (v: Node) => number; width: number; height: number }

const line = 14;

const textOf = (v: Node) => [(v.false?.length ? "✗ " : "") + v.name[0], ...v.name.slice(1)];

function roomOf(graph: Graph): Room {
  const wide = Math.max(60, ...graph.nodes.flatMap(textOf).map((text) => textWidth(text, 12))) + 18;
  const high = (v: Node) => v.name.length * line + 14;
  const layers: number[] = [];
  for (const v of graph.nodes) layers[v.depth] = Math.max(layers[v.depth] ?? 0, high(v));
  const tops = stacked(layers.map((h) => (h ?? 0) + 46));
  const x = (v: Node) => v.x * (wide + 16) + wide / 2 + 40, y = (v: Node) => tops[v.depth] + 14 + (layers[v.depth] ?? 0) / 2;
  return { wide, high, x, y, width: Math.max(...graph.nodes.map(x)) + wide / 2 + 70, height: tops[layers.length] + 10 };
}

function Drawn({ graph, open, found }: { graph: Graph; open: (v: Node) => void; found: (v: Node) => boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const room = useMemo(() => roomOf(graph), [graph]);
  const { wide, high, x, y, width, height } = room;
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
            return <path key={e.from + "." + e.to} class={"edge" + (e.on ? " on" : "") + (b.depth <= a.depth ? " back" : "")} d={curve(room, a, b)} marker-end="url(#tip)"><title>{e.actions.join("\n")}</title></path>;
          })}
          {graph.nodes.map((v, i) => {
            const says = [`state after ${stepsOf(v.depth)}`, ...v.whole, v.quiescent ? "quiescent" : "", v.false?.length ? "false: " + v.false.join(", ") : "", v.on ? "on this run" : ""].filter(Boolean);
            const top = y(v) - high(v) / 2;
            return (
              <g key={i} class={"node" + (v.on ? " on" : "") + (v.here ? " here" : "") + (v.false?.length ? " false" : "") + (v.quiescent ? " quiescent" : "") + (found(v) ? " found" : "")}
                role="button" tabIndex={0} aria-label={says.join("; ")} data-node={i}
                onClick={() => open(v)} onKeyDown={(e) => (e.key === "Enter" || e.key === " ") && (e.preventDefault(), open(v))}>
                <title>{says.join("\n")}</title>
                <rect x={x(v) - wide / 2} y={top} width={wide} height={high(v)} rx={v.quiescent ? 2 : 14} />
                {v.quiescent && <rect class="inner" x={x(v) - wide / 2 + 4} y={top + 4} width={wide - 8} height={high(v) - 8} rx="1" />}
                {textOf(v).map((text, k) => <text x={x(v)} y={top + 18 + k * line} text-anchor="middle">{text}</text>)}
                {v.beyond && <text class="beyond" x={x(v)} y={top + high(v) + 14} text-anchor="middle">⋯</text>}
              </g>
            );
          })}
        </svg>
      </div>
      <p class="legend"><span>square: quiescent</span> <span>✗: a property that counts is false</span> <span>thick: this run</span> <span>filled: here</span> <span>dashed: back</span> <span>⋯ more follows</span> <span>yellow: found</span></p>
    </>
  );
}

// curve leads down from layer to layer; within a layer over it, and back around.
function curve({ wide, high, x, y }: Room, from: Node, to: Node): string {
  const [ax, ay, bx, by] = [x(from), y(from), x(to), y(to)], a = high(from) / 2, b = high(to) / 2, half = wide / 2;
  if (from === to) return `M${ax + half - 8} ${ay - a + 2} C ${ax + half + 34} ${ay - a - 18} ${ax + half + 34} ${ay + a + 18} ${ax + half - 6} ${ay + a}`;
  if (by > ay) return `M${ax} ${ay + a} C ${ax} ${ay + a + 26} ${bx} ${by - b - 28} ${bx} ${by - b - 2}`;
  const side = bx > ax ? 1 : -1, start = ax + (half - 14) * side, end = bx - (half - 14) * side;
  if (by === ay) return `M${start} ${ay - a} C ${start + 14 * side} ${ay - a - 20} ${end - 14 * side} ${by - b - 20} ${end} ${by - b - 2}`;
  if (from.depth - to.depth === 1 && ax !== bx) return `M${start} ${ay - a} C ${start + 4 * side} ${ay - a - 28} ${end - 4 * side} ${by + b + 28} ${end} ${by + b + 2}`;
  const out = Math.max(ax, bx) + half + 20 + Math.abs(ay - by) * 0.08;
  return `M${ax + half} ${ay} C ${out} ${ay} ${out} ${by} ${bx + half + 2} ${by}`;
}

// Counted counts the states of a large space, which takes a while.
function Counted({ place }: { place: Place }) {
  const [histogram, setHistogram] = useState<Histogram | null>(null);
  const [error, setError] = useState("");
  useEffect(() => {
    let current = true;
    setHistogram(null);
    source.histogram(place).then((h) => { if (current) setHistogram(h); }, (e: Error) => { if (current) setError(e.message); });
    return () => { current = false; };
  }, [place.course, place.world]);
  if (error) return <p>{error}</p>;
  return histogram ? <Depths histogram={histogram} /> : <p class="quiet" role="status"><span class="spinner" /> Counting states…</p>;
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
