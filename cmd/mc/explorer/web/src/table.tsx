// The trace as a table: a row for each step, a column for each process. The row at hand has all
// that there is to say; others are cut after some lines.
import { useMemo } from "preact/hooks";
import type { Statement, View } from "./types";
import { changesOf, standing, type Change } from "./lines";
import { LoopFoot } from "./loop";
import { placed, Windowed } from "./windowed";

const lineHeight = 19, eventHeight = 21;
const mostLines = 14;

interface Props { view: View; at: number; whole: boolean; go: (at: number) => void }

export function Table({ view, at, whole, go }: Props) {
  const heights = useMemo(() => view.rows.map((_, i) => heightOf(view, i, whole)), [view, whole]);
  const columns = { gridTemplateColumns: `3.1rem minmax(min(8.5rem, 26vw), 1fr) repeat(${view.n}, minmax(8rem, 1fr))`, minWidth: `calc(${3.1 + 8 * view.n}rem + min(8.5rem, 26vw))` };
  const processes = Array.from({ length: view.n }, (_, p) => p);
  const head = (
    <div class="row head" style={columns} role="row">
      <span role="columnheader">Step</span>
      <span role="columnheader">Event</span>
      {processes.map((p) => <span role="columnheader">Process {p + 1}</span>)}
    </div>
  );
  return (
    <div role="table" aria-label="Steps of the run" aria-rowcount={view.rows.length} class="fill">
      <Windowed heights={heights} measured current={at} label="Steps of the run" head={head} foot={<LoopFoot view={view} />}>
        {(from, to, tops) =>
          view.rows.slice(from, to).map((row, k) => {
            const i = from + k;
            const inLoop = !!view.loop && i >= view.loop;
            const forked = !!view.choices?.length && i > view.fork;
            return (
              <div
                key={i} role="row" aria-rowindex={i + 1} aria-current={i === at ? "step" : undefined} data-step={i}
                class={"row" + (i === at ? " current" : "") + (inLoop ? " looping" : "") + (forked ? " forked" : "")}
                {...placed(tops, i)} style={{ ...columns, ...placed(tops, i).style }} onClick={() => go(i)}
              >
                <span role="cell" class="number">
                  {i}{inLoop && <span title="repeats forever"> ↻</span>}{forked && <Fork />}
                </span>
                <span role="cell" class="event">
                  {i === 0 ? <em>the beginning</em> : <><b>{row.process ? `process ${row.process}` : "all"}</b><span class="action" title={row.action}>{row.action}</span></>}
                  <Falsities view={view} i={i} />
                </span>
                {processes.map((p) => (
                  <Cell view={view} i={i} p={p} whole={whole} acts={row.process === p + 1} all={i === at} />
                ))}
              </div>
            );
          })}
      </Windowed>
    </div>
  );
}

// heightOf estimates the height of a row: of the cell that has most to say.
function heightOf(view: View, i: number, whole: boolean): number {
  let lines = 1;
  for (let p = 0; p < view.n; p++) lines = Math.max(lines, changesOf(view, view.rows[i - 1], view.rows[i], p, whole).length);
  const event = 1 + Math.min(3, Math.max(1, Math.ceil(view.rows[i].action.length / 24))) + (turnedAt(view, i).length ? 1 : 0);
  return Math.max(30 + lineHeight * Math.min(lines, mostLines + 1), 12 + eventHeight * event);
}

// turnedAt returns the properties that turn false in a row.
function turnedAt(view: View, i: number): Statement[] {
  return view.properties.filter((_, k) => falseAt(view, i, k) && (i === 0 || !falseAt(view, i - 1, k)));
}

function Falsities({ view, i }: { view: View; i: number }) {
  const turned = turnedAt(view, i), name = (p: Statement) => p.name;
  if (!turned.length) return null;
  const counted = turned.filter((p) => !p.note).map(name).join(", "), quiet = turned.filter((p) => p.note).map(name).join(", ");
  return (
    <span class="turned" title={turned.map(name).join(", ")}>
      {counted && `✗ ${counted} `}{quiet && <span class="quiet" title={`${quiet}: does not count`}>✗ {quiet}</span>}
    </span>
  );
}

// Fork is the sign of a step that is somebody's own choice.
const Fork = () => <svg class="fork" viewBox="0 0 10 12" role="img" aria-label="your choice"><title>your choice</title><path d="M5 12V7L1.5 1M5 7L8.5 1" /></svg>;

export function falseAt(view: View, i: number, k: number): boolean {
  return view.valuations[view.rows[i].valuation[k]].says === "false" && !["liveness"].includes(view.properties[k].kind);
}

function Cell({ view, i, p, whole, acts, all }: { view: View; i: number; p: number; whole: boolean; acts: boolean; all: boolean }) {
  const row = view.rows[i];
  if (!row.locals) return <span role="cell" class="cell">{acts && <b class="turned">the handler panics</b>}</span>;
  const changes = changesOf(view, view.rows[i - 1], row, p, whole);
  const e = standing(view.picture, i, p);
  const blamed = view.properties.some((s, k) => !s.note && falseAt(view, i, k) && view.valuations[row.valuation[k]].processes?.includes(p + 1));
  return (
    <span role="cell" class={"cell" + (acts ? " acts" : "") + (blamed ? " blamed" : "")} data-here={acts && all}>
      {e.text && <span class={"eyes " + e.kind} title={e.title}>{e.text}</span>}
      {blamed && <span class="blame" title="a property that is false here names this process"> ✗</span>}
      {changes.slice(0, all ? changes.length : mostLines).map((c) => <ChangeLine change={c} />)}
      {!all && changes.length > mostLines && <span class="line same">and {changes.length - mostLines} more</span>}
    </span>
  );
}

const words = { "Δ": "changed", "+": "new", "−": "gone", "": "" };

export function ChangeLine({ change: c }: { change: Change }) {
  const message = c.path.startsWith("✉") || c.path.startsWith("timer ");
  return (
    <span class={"line " + (words[c.sign] || "same")} title={[words[c.sign], c.path, c.before, c.after].filter(Boolean).join(" ")}>
      <i class="sign" aria-label={words[c.sign]}>{c.sign}</i>{" "}
      <span class="path">{message ? c.path : c.path.split(/(?=[.[])/).flatMap((part, i) => (i ? [<wbr />, part] : part))}</span>{" "}
      {!message && <>{c.sign === "Δ" && <><del>{c.before}</del> → </>}{c.after !== undefined ? <ins>{c.after}</ins> : <del>{c.before}</del>}</>}
      {message && c.after && c.after !== "on its way" && c.after !== "armed" && <ins>{c.after}</ins>}
    </span>
  );
}
