// The space-time diagram: a lane for each process, time goes down.
import type { Message, Picture } from "./types";
import { standing, type Standing } from "./lines";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { stacked, Windowed } from "./windowed";

const rowHeight = 46;
const gutter = 90; // left of the first lane: numbers, and the loop

interface Props { picture: Picture; at: number; go?: (step: number) => void; foot?: ComponentChildren; forked?: number }

export function Diagram({ picture: pic, at, go, foot, forked }: Props) {
  const room = Math.max(118, Math.min(240, (innerWidth * 0.55 - gutter) / pic.n));
  const width = gutter + room * pic.n + 30;
  const x = (p: number) => gutter + room * (p - 1) + 40;
  const y = (event: number) => (event + 1.5) * rowHeight; // row 0 is the beginning
  const tops = useMemo(() => stacked(Array(pic.events.length + 2).fill(rowHeight)), [pic]);
  const current = eventOf(pic, at);
  const nth = useMemo(() => stubs(pic), [pic]);
  const head = (
    <div class="lanes head" style={{ width: width + "px" }}>
      {Array.from({ length: pic.n }, (_, p) => <span style={{ left: x(p + 1) - 40 + "px" }}>process {p + 1}</span>)}
    </div>
  );
  return (
    <div class="fill">
      <Windowed tops={tops} current={current + 1} label="Space-time diagram" head={head} foot={foot}>
        {(from, to) => (
          <svg
            class="diagram" width={width} height={(to - from) * rowHeight} role="img" aria-label={describe(pic)}
            viewBox={`0 ${from * rowHeight} ${width} ${(to - from) * rowHeight}`} style={{ top: from * rowHeight + "px" }}
          >
            <defs>
              {["arrow", "arrow-way", "arrow-open"].map((id) => (
                <marker id={id} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path d="M0 0 L8 4 L0 8 z" /></marker>
              ))}
            </defs>
            {current >= 0 && <rect class="now" x="0" width={width} y={y(current) - rowHeight / 2} height={rowHeight} />}
            {lanes(pic, from, to, x, y)}
            <Loop pic={pic} y={y} />
            {pic.messages.map((m, i) => inSight(m, from, to) && <Arrow key={"m" + i} m={m} at={0.3 + 0.22 * (i % 3)} nth={nth[i]} room={room} x={x} y={y} />)}
            {pic.events.slice(Math.max(0, from - 1), to).map((e, k) => {
              const i = Math.max(0, from - 1) + k;
              const shown = !pic.events[i - 1] || pic.events[i - 1].step !== e.step;
              return (
                <g key={"e" + i} class={"event " + e.kind + (e.crash ? " crash" : "") + (forked !== undefined && e.step > forked ? " forked" : "")} data-event={i} onClick={() => go?.(e.step)}>
                  {shown && <text class="number" x="34" y={y(i) + 4} text-anchor="end">{e.step}</text>}
                  {e.process ? <Mark kind={e.kind} crash={!!e.crash} x={x(e.process)} y={y(i)} /> : null}
                  <text class="title" x={(e.process ? x(e.process) : gutter) + 13} y={y(i) - 7}>{title(e)}</text>
                  <rect class="hit" x="0" width={width} y={y(i) - rowHeight / 2} height={rowHeight} />
                </g>
              );
            })}
          </svg>
        )}
      </Windowed>
      <p class="legend">
        <span>● handles a message</span> <span>◆ timeout</span> <span>▲ begins</span> <span>✗ crash</span> <span>★ and a thick lane: follows itself</span>{" "}
        <span>→ n: follows n</span> <span>dashed: never arrives</span> <span>dotted: still on its way</span>
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

interface ArrowProps { m: Message; at: number; nth: number; room: number; x: (p: number) => number; y: (e: number) => number }

// Arrow is a message: solid if it arrives, dashed to a cross if it never will. Its text
// is at a part of the way, not always the same.
function Arrow({ m, at, nth, room, x, y }: ArrowProps) {
  if (m.ends_in < 0) return <Stub m={m} nth={nth} room={room} x={x} y={y} />;
  const begin = [x(m.from), y(m.sent_by)];
  const arrives = m.fate === "delivered", self = m.from === m.to;
  const end = [x(m.to), y(m.ends_in)];
  if (m.ends_in === m.sent_by) end[1] += 16; // it ends where it began, at once
  if (!arrives) end[0] += (begin[0] - end[0]) * 0.12;
  const side = Math.sign(end[0] - begin[0]);
  const d = self
    ? `M${begin[0]} ${begin[1]} C ${begin[0] + 40} ${begin[1]} ${end[0] + 40} ${end[1]} ${end[0]} ${end[1]}`
    : `M${begin[0] + 6 * side} ${begin[1]} L${end[0] - (arrives ? 7 * side : 0)} ${end[1]}`;
  return (
    <g class={"message " + m.fate.replaceAll(" ", "-")}>
      <path class="wire" d={d} marker-end={arrives ? "url(#arrow)" : undefined} />
      {!arrives && <path class="cross" d={`M${end[0] - 5} ${end[1] - 5} l10 10 m0 -10 l-10 10`} />}
      <text x={begin[0] + (self ? 36 : (end[0] - begin[0]) * at)} y={begin[1] + (end[1] - begin[1]) * (self ? 0.5 : at) - 3} text-anchor={self ? "start" : "middle"}>
        {m.text}{m.copied ? " (copy)" : ""}{arrives ? "" : ` (${m.fate})`}
      </text>
    </g>
  );
}

// Stub is a message that is still on its way in the end: it points to its receiver.
function Stub({ m, nth, room, x, y }: Omit<ArrowProps, "at">) {
  const side = m.to >= m.from ? 1 : -1, length = Math.min(66, room * 0.42);
  const begin = [x(m.from) + 6 * side, y(m.sent_by)], end = [x(m.from) + length * side, y(m.sent_by) + 4 + 13 * nth];
  return (
    <g class="message on-its-way">
      <path class="wire" d={`M${begin[0]} ${begin[1]} L${end[0]} ${end[1]}`} marker-end="url(#arrow-way)" />
      <text x={end[0] + 5 * side} y={end[1] + 4} text-anchor={side > 0 ? "start" : "end"}>{m.text}{m.copied ? " (copy)" : ""} → {m.to}</text>
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
        pieces.push(<text key={`t${p}.${e}`} class={"eyes " + seen.kind} x={x(p) + (p > 1 ? 13 : -10)} text-anchor={p > 1 ? "start" : "end"} y={y(e) + 11}><title>{seen.title}</title>{seen.text}</text>);
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
