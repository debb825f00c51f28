// Where answers come from: the server, or what is baked into the page; and the address
// of what is shown, which is the fragment of the URL.
import type { Baked, CheckStatus, Comparison, Findings, Graph, Execution, Histogram, Listing, Place, Possibilities, View } from "./types";

const element = document.getElementById("baked");
export const baked: Baked | null = element ? JSON.parse(element.textContent!) : null;

const tokenKey = "explorer token";

// takeToken keeps the launch token, which the first address has, and takes it out of
// the address, so that it is neither bookmarked nor shown.
export function takeToken() {
  const params = new URLSearchParams(location.hash.slice(1));
  const token = params.get("token");
  if (token === null) return;
  localStorage.setItem(tokenKey, token);
  params.delete("token");
  history.replaceState(null, "", location.pathname + "#" + params);
}

async function ask<T>(path: string, question: object): Promise<T> {
  let response: Response;
  try {
    response = await fetch("api/" + path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Explorer-Token": localStorage.getItem(tokenKey) ?? "" },
      body: JSON.stringify(question),
    });
  } catch {
    throw new Error("mc explore does not answer: it has ended. Start it again and open the address that it prints.");
  }
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer as T;
}

function fromPage<T>(value: T | undefined | null, what: string): Promise<T> {
  return value == null ? Promise.reject(new Error(`${what} is not in this page. ${baked!.left}`)) : Promise.resolve(value);
}

// seenFrom marks a state of the run in a graph that is baked once for all of them.
const seenFrom = (g: Graph, at: number): Graph => ({ ...g, nodes: g.nodes.map((v) => ({ ...v, here: !!v.steps?.includes(at) })) });

export const source = {
  list: () => (baked ? fromPage(baked.listing, "The list") : ask<Listing>("list", {})),
  view: (p: Place) => (baked ? fromPage(baked.views[p.course], "The run") : ask<View>("view", p)),
  state: (p: Place, at: number) => (baked ? fromPage(baked.states[p.course]?.[at], "What is possible here") : ask<Possibilities>("state", { ...p, at })),
  graph: (p: Place, at: number) => (baked ? fromPage(baked.graphs[p.course], "The graph of states").then((g) => seenFrom(g, at)) : ask<Graph>("graph", { ...p, at })),
  histogram: (p: Place) => ask<Histogram>("histogram", { course: p.course, world: p.world }),
  find: (p: Place, text: string) => ask<Findings>("find", { course: p.course, world: p.world, initial: p.initial, text }),
  compare: (a: number, world: string | undefined, b: number) => (baked ? fromPage({ a: baked.views[a], b: baked.views[b], pairs: baked.pairs[a][b] }, "The comparison") : ask<Comparison>("compare", { a, world, b })),
  ran: (ran: number) => (baked ? fromPage(baked.ran[ran], "What ran") : ask<Execution>("ran", { ran })),
  check: (course: number, world: string | undefined, verb: "" | "/start" | "/stop") => (baked ? fromPage<CheckStatus>(null, "A check") : ask<CheckStatus>("check" + verb, { course, world })),
};

export const tabs = ["table", "diagram", "states", "check", "compare", "ran"] as const;
export type Tab = (typeof tabs)[number];

// Address is all that decides what is shown.
export interface Address { place: Place; at: number; tab: Tab; whole: boolean; other: number; find: string }

const number = (params: URLSearchParams, name: string, otherwise: number) => {
  const value = Number.parseInt(params.get(name) ?? "", 10);
  return Number.isFinite(value) && value >= 0 ? value : otherwise;
};

// end stands for the end of the run.
export const end = 1e9;

export function readAddress(): Address {
  const params = new URLSearchParams(location.hash.slice(1));
  const choices = (params.get("choices") ?? "").split(".").filter((c) => /^\d+$/.test(c)).map(Number);
  const tab = params.get("view") as Tab;
  return {
    place: { course: number(params, "run", 0), world: params.get("world") || undefined, initial: number(params, "initial", 0), steps: number(params, "steps", end), choices },
    at: number(params, "at", end),
    tab: tabs.includes(tab) ? tab : "table",
    whole: params.get("states") === "whole",
    other: number(params, "with", 1),
    find: params.get("find") ?? "",
  };
}

export function writeAddress(a: Address): string {
  const params = new URLSearchParams({ run: String(a.place.course) });
  if (a.place.world) params.set("world", a.place.world);
  if (a.place.initial) params.set("initial", String(a.place.initial));
  if (a.place.steps < end) params.set("steps", String(a.place.steps));
  if (a.place.choices.length) params.set("choices", a.place.choices.join("."));
  if (a.at < end) params.set("at", String(a.at));
  params.set("view", a.tab);
  if (a.whole) params.set("states", "whole");
  if (a.find) params.set("find", a.find);
  if (a.tab === "compare") params.set("with", String(a.other));
  return "#" + params;
}
