// A local state as lines, and what a step changes in them.
import type { Field, Row, View } from "./types";

// stepsOf counts steps in words.
export const stepsOf = (n: number) => (n === 1 ? "1 step" : `${n} steps`);

// Line is a part of a local state: "Mode", or "Answered.2".
export interface Line { path: string; value: string }

// Change marks a line: by a sign, never by colour alone.
export interface Change { path: string; before?: string; after?: string; sign: "Δ" | "+" | "−" | "" }

function fieldLines(fields: Field[], prefix: string): Line[] {
  return fields.flatMap((f) =>
    f.fields ? fieldLines(f.fields, prefix + f.name + ".") : [{ path: prefix + f.name, value: f.value ?? "" }]);
}

const known = new WeakMap<View, Map<string, Line[]>>();

// linesOf lists what process p (from 0) has after a row; it is made once.
export function linesOf(view: View, row: Row, p: number): Line[] {
  if (!row.locals) return [];
  let cache = known.get(view);
  if (!cache) known.set(view, (cache = new Map()));
  const key = row.locals[p] + ":" + row.inboxes![p];
  let lines = cache.get(key);
  if (!lines) {
    const local = view.locals[row.locals[p]];
    lines = local.status === "up" ? [] : [{ path: "status", value: local.status }];
    lines = lines.concat(fieldLines(local.fields, ""));
    for (const timer of (local.timers ?? "").split(", ").filter(Boolean)) lines.push({ path: "timer " + timer, value: "armed" });
    if (local.suspected) lines.push({ path: "suspects", value: local.suspected });
    const counts = new Map<string, number>();
    for (const m of view.inboxes[row.inboxes![p]]) counts.set(m, (counts.get(m) ?? 0) + 1);
    for (const [m, n] of counts) lines.push({ path: "✉ " + m, value: n > 1 ? `${n} times` : "on its way" });
    cache.set(key, lines);
  }
  return lines;
}

// changesOf compares what a process has before and after a row. Without a row before,
// nothing is marked.
export function changesOf(view: View, before: Row | undefined, row: Row, p: number, whole: boolean): Change[] {
  const after = linesOf(view, row, p);
  if (!before || !row.locals) return after.map((l) => ({ path: l.path, after: l.value, sign: "" }));
  const old = new Map(linesOf(view, before, p).map((l) => [l.path, l.value]));
  const changes: Change[] = [];
  for (const l of after) {
    const was = old.get(l.path);
    old.delete(l.path);
    if (was === undefined) changes.push({ path: l.path, after: l.value, sign: "+" });
    else if (was !== l.value) changes.push({ path: l.path, before: was, after: l.value, sign: "Δ" });
    else if (whole) changes.push({ path: l.path, after: l.value, sign: "" });
  }
  for (const [path, was] of old) changes.push({ path, before: was, sign: "−" });
  return changes;
}

// eyes says who leads in the eyes of a process.
export function eyes(view: View, row: Row, p: number): { text: string; title: string; kind: string } {
  if (!row.locals) return { text: "", title: "", kind: "none" };
  const local = view.locals[row.locals[p]];
  return leads(local.leader, local.status, p + 1);
}

export function leads(leader: number, status: string, process: number) {
  if (status === "down") return { text: "✗ down", title: `process ${process} is down`, kind: "down" };
  if (leader === process) return { text: "★ leads", title: `process ${process} follows itself`, kind: "leads" };
  if (leader) return { text: "→ " + leader, title: `process ${process} follows ${leader}`, kind: "follows" };
  return { text: status === "booting" ? "booting" : "no leader", title: `process ${process} knows no leader`, kind: "none" };
}
