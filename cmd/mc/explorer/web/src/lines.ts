// A local state as lines, and what a step changes in them.
import type { Line, Picture, Row, View } from "./types";

// stepsOf counts steps in words.
export const stepsOf = (n: number) => (n === 1 ? "1 step" : `${n} steps`);

// Change marks a line: by a sign, never by colour alone.
export interface Change { path: string; before?: string; after?: string; sign: "Δ" | "+" | "−" | "" }

// linesOf lists what process p (from 0) has after a row.
export function linesOf(view: View, row: Row, p: number): Line[] {
  return row.locals ? view.locals[row.locals[p]].concat(view.inboxes[row.inboxes![p]]) : [];
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

// Standing is what a process is to the others: whether it is up, and, if somebody is elected, whom
// it follows.
export interface Standing { text: string; title: string; kind: "down" | "leads" | "follows" | "none" }

// standing says it of process p (from 0) after a step; nothing of a state that is not there.
export function standing(pic: Picture, step: number, p: number): Standing {
  const view = pic.views[step], process = p + 1;
  if (!view) return { text: "", title: "", kind: "none" };
  const status = view.status[p], leader = view.leader?.[p];
  if (status === "down") return { text: "✗ down", title: `process ${process} is down`, kind: "down" };
  if (leader === process) return { text: "★ leads", title: `process ${process} follows itself`, kind: "leads" };
  if (leader) return { text: "→ " + leader, title: `process ${process} follows ${leader}`, kind: "follows" };
  if (status === "booting") return { text: "booting", title: `process ${process} has not started yet`, kind: "none" };
  return view.leader ? { text: "no leader", title: `process ${process} knows no leader`, kind: "none" } : { text: "", title: "", kind: "none" };
}
