// The space-time diagram: a lane for each process, time goes down.
import type { Message, Picture } from "./types";
import { standing, type Standing } from "./lines";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { fitted, textWidth } from "./textwidth";
import { stacked, Windowed } from "./windowed";

const rowHeight = 46;
const gutter = 90; // left of the lanes: numbers, and the loop
const edge = 44; // how far left a label may begin
const stub = 66; // how long the arrow is of a message that is still on its way

interface Props { picture: Picture; at: number; go?: (step: number) => void; foot?: ComponentChildren; forked?: number }

// Label is a text at its place.
interface Label { x: number; y: number; anchor: "start" | "middle" | "end"; text: string }

// Layout is where everything is, given how wide the window is.
interface Layout {
  width: number; heights: number[];
  x: (process: number) => number;
  y: (event: number) => number; // -1 is the beginning
  titles: Label[]; // by event
  messages: (Label | null)[]; // by message; null: the event in which it arrives says what it is
  nth: number[]; // by message: its place among those of its event that are still on their way
}

// Box is a place that is taken.
interface Box { left: number; right: number; top: number; bottom: number }

function layout(pic: Picture, window: number): Layout {
  const nth = stubs(pic), many = pic.events.map(() => 0);
  pic.messages.forEach((m) => { if (m.ends_in < 0) many[m.sent_by]++; });
  const heights = [rowHeight, ...many.map((n) => rowHeight + 13 * Math.max(0, n - 2)), rowHeight];
  const tops = stacked(heights), y = (event: number) => tops[event + 1] + rowHeight / 2;
  const last = pic.events.filter((e) => e.process === pic.n).map((e) => textWidth(title(e), 12, true) + 24);
  const tail = Math.min(Math.max(90, ...last), Math.max(160, window / 4));
  const room = Math.max(118, Math.min(300, (window - gutter - 40 - tail) / Math.max(1, pic.n - 1)));
  const x = (p: number) => gutter + 40 + room * (p - 1);
  const width = Math.max(window, x(pic.n) + tail);
  const taken = new Map<number, Box[]>(); // by row
  const bucket = (v: number) => Math.floor(v / rowHeight);
  const take = (b: Box) => { for (let k = bucket(b.top); k <= bucket(b.bottom); k++) taken.set(k, [...(taken.get(k) ?? []), b]); };
  const free = (b: Box) => {
    if (b.left < edge || b.right > width - 4) return false;
    for (let k = bucket(b.top); k <= bucket(b.bottom); k++) if (taken.get(k)?.some((o) => b.left < o.right && o.left < b.right && b.top < o.bottom && o.top < b.bottom)) return false;
    return true;
  };
  const titles = pic.events.map((e, i): Label => {
    const at = e.process ? x(e.process) : gutter, right = width - 8 - (at + 13), left = at - 13 - edge, needs = textWidth(title(e), 12, true);
    const label: Label = needs > right && left > right && e.process
      ? { x: at - 13, y: y(i) - 7, anchor: "end", text: fitted(title(e), left, 12, true) }
      : { x: at + 13, y: y(i) - 7, anchor: "start", text: fitted(title(e), right, 12, true) };
    take(boxOf(label, 12, true));
    if (e.process) take({ left: at - 9, right: at + 9, top: y(i) - 9, bottom: y(i) + 9 });
    return label;
  });
  for (let p = 1; p <= pic.n; p++) for (let e = -1; e < pic.events.length; e++) if (e < 0 || turns(pic, e, p)) take(boxOf(standingAt(pic, e, p, x, y), 11));
  const messages = pic.messages.map((m, i): Label | null => {
    const text = m.text + (m.copied ? " (copy)" : "");
    if (m.ends_in < 0) {
      const side = m.to >= m.from ? 1 : -1, begin = x(m.from) + (stub + 5) * side, way = ` → ${m.to}`;
      const most = (side > 0 ? width - 8 - begin : begin - edge) - textWidth(way, 11);
      const label: Label = { x: begin, y: y(m.sent_by) + 8 + 13 * nth[i], anchor: side > 0 ? "start" : "end", text: fitted(text, most, 11) + way };
      take(boxOf(label, 11));
      return label;
    }
    return null;
  });
  pic.messages.forEach((m, i) => {
    if (m.ends_in < 0 || (m.fate === "delivered" && pic.events[m.ends_in].kind === "receive")) return;
    const why = m.fate === "delivered" ? "" : ` (${m.fate})`, text = m.text + (m.copied ? " (copy)" : ""), way = path(m, x, y);
    const at = (part: number, words: string): Label => m.from === m.to
      ? { x: way.x1 + 36, y: way.y1 + (way.y2 - way.y1) * 0.5, anchor: "start", text: words + why }
      : { x: way.x1 + (way.x2 - way.x1) * part, y: way.y1 + (way.y2 - way.y1) * part - 3, anchor: "middle", text: words + why };
    const span = Math.max(60, Math.abs(way.x2 - way.x1) * 0.9 - textWidth(why, 11));
    let best: Label | undefined;
    for (const words of [text, fitted(text, span, 11), fitted(text, 60, 11)]) {
      best = places.map((part) => at(part, words)).find((l) => free(boxOf(l, 11)));
      if (best) break;
    }
    best ??= at(0.5, fitted(text, 60, 11));
    take(boxOf(best, 11));
    messages[i] = best;
  });
  return { width, heights, x, y, titles, messages, nth };
}

// places are the parts of an arrow at which its label may be.
const places = [0.3, 0.52, 0.74, 0.41, 0.63, 0.2, 0.85];

function boxOf(l: Label, size: number, bold = false): Box {
  const wide = textWidth(l.text, size, bold), left = l.anchor === "start" ? l.x : l.anchor === "end" ? l.x - wide : l.x - wide / 2;
  return { left, right: left + wide, top: l.y - size + 1, bottom: l.y + 3 };
}

// turns reports whether what a process is to the others changes in an event.
function turns(pic: Picture, e: number, p: number): boolean {
  const step = pic.events[e].step;
  return !!pic.views[step] && standing(pic, step, p - 1).text !== standing(pic, e ? pic.events[e - 1].step : 0, p - 1).text;
}

function standingAt(pic: Picture, e: number, p: number, x: (p: number) => number, y: (e: number) => number): Label {
  return { x: x(p) + (p > 1 ? 13 : -10), y: y(e) + 11, anchor: p > 1 ? "start" : "end", text: standing(pic, e < 0 ? 0 : pic.events[e].step, p - 1).text };
}

export function Diagram({ picture: pic, at, go, foot, forked }: Props) {
  const outer = useRef<HTMLDivElement>(null);
  const [window, setWindow] = useState(0);
  useLayoutEffect(() => {
    const measure = () => setWindow(outer.current!.clientWidth - 16); // less a scroll bar
    measure();
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, []);
  const all = useMemo(() => layout(pic, window), [pic, window]);
  const { width, heights, x, y } = all;
  const current = eventOf(pic, at);
  const head = (
    <div class="lanes head" style={{ width: width + "px" }}>
      {Array.from({ length: pic.n }, (_, p) => <span style={{ left: x(p + 1) - 40 + "px" }}>process {p + 1}</span>)}
    </div>
  );
  const elected = !!pic.views[0]?.leader;
  return (
    <div class="fill" ref={outer}>
      <Windowed heights={heights} current={current + 1} label="Space-time diagram" head={head} foot={foot}>
        {(from, to, tops) => {
          const events = pic.events.slice(Math.max(0, from - 1), to).map((e, k) => ({ e, i: Math.max(0, from - 1) + k }));
          return (
            <svg
              class="diagram" width={width} height={tops[to] - tops[from]} role="img" aria-label={describe(pic)}
              viewBox={`0 ${tops[from]} ${width} ${tops[to] - tops[from]}`} style={{ top: tops[from] + "px" }}
            >
              <defs>
                {["arrow", "arrow-way", "arrow-open"].map((id) => (
                  <marker id={id} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path d="M0 0 L8 4 L0 8 z" /></marker>
                ))}
              </defs>
              {current >= 0 && <rect class="now" x="0" width={width} y={tops[current + 1]} height={heights[current + 1]} />}
              {events.map(({ e, i }) => <rect class="hit" key={"h" + i} data-event={i} onClick={() => go?.(e.step)} x="0" width={width} y={tops[i + 1]} height={heights[i + 1]}><title>{title(e)}</title></rect>)}
              {lanes(pic, from, to, x, y)}
              <Loop pic={pic} y={y} />
              {pic.messages.map((m, i) => inSight(m, from, to) && <Arrow key={"m" + i} m={m} label={all.messages[i]} nth={all.nth[i]} x={x} y={y} />)}
              {events.map(({ e, i }) => {
                const shown = !pic.events[i - 1] || pic.events[i - 1].step !== e.step, label = all.titles[i];
                return (
                  <g key={"e" + i} data-here={i === current} class={"event " + e.kind + (e.crash ? " crash" : "") + (forked !== undefined && e.step > forked ? " forked" : "")}>
                    {shown && <text class="number" x="34" y={y(i) + 4} text-anchor="end">{e.step}</text>}
                    {e.process ? <Mark kind={e.kind} crash={!!e.crash} x={x(e.process)} y={y(i)} /> : null}
                    <text class="title" x={label.x} y={label.y} text-anchor={label.anchor}>{label.text}</text>
                  </g>
                );
              })}
            </svg>
          );
        }}
      </Windowed>
      <p class="legend">
        <span>● handles a message</span> <span>◆ timeout</span> <span>▲ begins</span> <span>✗ crash</span> {elected && <span>★ and a thick lane: follows itself</span>}{" "}
        {elected && <span>→ n: follows n</span>} <span>dashed: never arrives</span> <span>dotted: still on its way</span>
      </p>
    </div>
  );
}

// stubs numbers the messages of each event that are still on their way in the end.
function stubs(pic: Picture): number[] {
  const counts = new Map<number, number>();
  return pic.messages.map((m) => {
    if (m.ends_in >= 0) return 0;
    const n = counts.get(m.sent_by) ?? 0;
    counts.set(m.sent_by, n + 1);
    return n;
  });
}

const sends = (n: number) => (n === 0 ? "before its first send" : n === 1 ? "after 1 send" : `after ${n} sends`);

const title = (e: Picture["events"][0]) => {
  const text = e.title.replace(/^receive (.*) from \d+$/, "$1");
  if (e.panic) return text + ": panics";
  return e.crash && e.kind !== "crash" ? `${text}, crash ${sends(e.cut ?? 0)}` : text;
};

const describe = (pic: Picture) => `${pic.n} processes, ${pic.events.length} events, ${pic.messages.length} messages; the table has the same in words`;

// eventOf returns the last event of a step; -1 for the beginning.
function eventOf(pic: Picture, step: number): number {
  let low = 0, high = pic.events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pic.events[middle].step <= step) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function inSight(m: Message, from: number, to: number): boolean {
  return m.sent_by <= to && (m.ends_in < 0 ? m.sent_by : m.ends_in) >= from - 2;
}

function Mark({ kind, crash, x, y }: { kind: string; crash: boolean; x: number; y: number }) {
  if (crash) return <path class="mark" d={`M${x - 7} ${y - 7} L${x + 7} ${y + 7} M${x - 7} ${y + 7} L${x + 7} ${y - 7}`} />;
  if (kind === "timeout") return <path class="mark" d={`M${x} ${y - 8} L${x + 8} ${y} L${x} ${y + 8} L${x - 8} ${y} z`} />;
  if (kind === "receive") return <circle class="mark" cx={x} cy={y} r="5.5" />;
  return <path class="mark" d={`M${x} ${y - 7} L${x + 7} ${y + 6} L${x - 7} ${y + 6} z`} />;
}

// path is where an arrow begins and ends.
function path(m: Message, x: (p: number) => number, y: (e: number) => number) {
  const x1 = x(m.from), y1 = y(m.sent_by);
  let x2 = x(m.to), y2 = y(m.ends_in);
  if (m.ends_in === m.sent_by) y2 += 16; // it ends where it began, at once
  if (m.fate !== "delivered") x2 += (x1 - x2) * 0.12;
  return { x1, y1, x2, y2 };
}

interface ArrowProps { m: Message; label: Label | null; nth: number; x: (p: number) => number; y: (e: number) => number }

// Arrow is a message: solid if it arrives, dashed to a cross if it never will, and short if it is
// still on its way in the end.
function Arrow({ m, label, nth, x, y }: ArrowProps) {
  const arrives = m.fate === "delivered", self = m.from === m.to, way = m.ends_in < 0;
  let { x1, y1, x2, y2 } = way ? { x1: x(m.from), y1: y(m.sent_by), x2: x(m.from) + stub * (m.to >= m.from ? 1 : -1), y2: y(m.sent_by) + 4 + 13 * nth } : path(m, x, y);
  const side = Math.sign(x2 - x1);
  const d = self && !way
    ? `M${x1} ${y1} C ${x1 + 40} ${y1} ${x2 + 40} ${y2} ${x2} ${y2}`
    : `M${x1 + 6 * side} ${y1} L${x2 - (arrives ? 7 * side : 0)} ${y2}`;
  return (
    <g class={"message " + m.fate.replaceAll(" ", "-")}>
      <path class="wire" d={d} marker-end={arrives ? "url(#arrow)" : way ? "url(#arrow-way)" : undefined}><title>{`${m.text} from ${m.from} to ${m.to}: ${m.fate}`}</title></path>
      {!arrives && !way && <path class="cross" d={`M${x2 - 5} ${y2 - 5} l10 10 m0 -10 l-10 10`} />}
      {label && <text x={label.x} y={label.y} text-anchor={label.anchor}>{label.text}<title>{m.text}</title></text>}
    </g>
  );
}

// lanes draws who is up and who follows whom, piece by piece from event to event.
function lanes(pic: Picture, from: number, to: number, x: (p: number) => number, y: (e: number) => number) {
  const pieces: ComponentChildren[] = [];
  for (let p = 1; p <= pic.n; p++) {
    let before: Standing | undefined;
    for (let e = Math.max(-1, from - 2); e < Math.min(to, pic.events.length); e++) {
      const step = e < 0 ? 0 : pic.events[e].step;
      if (!pic.views[step]) continue;
      const seen = standing(pic, step, p - 1);
      if (seen.kind !== "down") {
        pieces.push(<line key={`l${p}.${e}`} class={"lane " + seen.kind} x1={x(p)} x2={x(p)} y1={y(e)} y2={y(e + 1)} />);
      }
      if (seen.text !== before?.text && (before || e < 0 || e === from - 2)) {
        const label = standingAt(pic, e, p, x, y);
        pieces.push(<text key={`t${p}.${e}`} class={"eyes " + seen.kind} x={label.x} text-anchor={label.anchor} y={label.y}><title>{seen.title}</title>{seen.text}</text>);
      }
      before = seen;
    }
  }
  return pieces;
}

// Loop is an arrow from the end of the loop back to where it begins.
function Loop({ pic, y }: { pic: Picture; y: (e: number) => number }) {
  if (!pic.loop || pic.loop > pic.steps) return null;
  const first = pic.events.findIndex((e) => e.step >= pic.loop!);
  const top = y(first) - rowHeight / 2 + 4, bottom = y(pic.events.length - 1) + rowHeight / 2 - 4;
  return (
    <g class="loop">
      <path d={`M72 ${bottom} H64 Q54 ${bottom} 54 ${bottom - 10} V${top + 10} Q54 ${top} 64 ${top} H72`} marker-end="url(#arrow-open)" />
      <text x="78" y={bottom + 16} text-anchor="end">forever ↻</text>
    </g>
  );
}
