// The explorer: what is shown follows from the address alone, so that every state can
// be linked to, and the browser's own buttons go back and forth.
import { render } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { end, readAddress, source, tabs, takeToken, writeAddress, baked, type Address, type Tab } from "./source";
import type { Listing, Node, Place, Possibilities, View } from "./types";
import { stepsOf } from "./lines";
import { Table } from "./table";
import { Diagram } from "./diagram";
import { LoopFoot } from "./loop";
import { Side, stateKey } from "./side";
import { States } from "./states";
import { Check } from "./check";
import { Compare } from "./compare";
import { Ran } from "./ran";
import { World, worldWords } from "./world";

takeToken();

const names: Record<Tab, string> = { table: "Table", diagram: "Diagram", states: "States", check: "Check", compare: "Compare", ran: "What ran" };

function App() {
  const [address, setAddress] = useState(readAddress());
  const [listing, setListing] = useState<Listing | null>(null);
  const [view, setView] = useState<View | null>(null);
  const [error, setError] = useState("");
  const [help, setHelp] = useState(false);
  const [worldly, setWorldly] = useState(false);
  const possible = useRef<{ answer: Possibilities; of: string } | null>(null);

  const relist = useCallback(() => { source.list().then(setListing, (e: Error) => setError(e.message)); }, []);
  useEffect(relist, []);
  useEffect(() => {
    const follow = () => { takeToken(); setAddress(readAddress()); };
    addEventListener("hashchange", follow);
    addEventListener("popstate", follow);
    return () => { removeEventListener("hashchange", follow); removeEventListener("popstate", follow); };
  }, []);

  // visit shows an address. Going along a run leaves one entry in the history.
  const visit = (change: Partial<Address>, replace = false) => {
    const next = { ...address, ...change };
    history[replace ? "replaceState" : "pushState"](null, "", writeAddress(next));
    setAddress(next);
  };

  const place = address.place;
  const asked = placeOf(place, listing);
  const key = JSON.stringify(asked);
  useEffect(() => {
    if (!asked) return;
    let current = true;
    source.view(asked).then((v) => { if (current) { setView(v); setError(""); } }, (e: Error) => { if (current) setError(e.message); });
    return () => { current = false; };
  }, [key]);

  const steps = view ? view.rows.length - 1 : 0;
  const at = Math.min(address.at, steps);
  const go = (to: number) => visit({ at: Math.max(0, Math.min(steps, to)) }, true);
  const choose = (choice: number) => {
    if (!asked || possible.current?.of !== stateKey(asked, at)) return; // not known yet
    const { enabled: list } = possible.current.answer;
    if (choice >= list.length) return;
    if (list[choice].taken) return go(at + 1);
    if (baked) return setError(baked.left);
    const kept = asked.choices.slice(0, Math.max(0, at - asked.steps));
    visit({ place: { ...asked, steps: Math.min(asked.steps, at), choices: [...kept, choice] }, at: at + 1 });
  };
  const openPlace = (p: Place) => visit({ place: p, at: p.steps + p.choices.length, tab: "table" });
  const openState = (v: Node) => {
    if (!baked) return openPlace(v.place);
    if (!v.steps?.length) return setError(baked.left);
    visit({ at: v.steps[0], tab: "table" });
  };
  const undo = () => {
    if (!asked?.choices.length) return;
    const choices = asked.choices.slice(0, -1);
    const alongTrace = choices.length === 0 && !asked.world && listing!.courses[place.course].steps > 0;
    visit({ place: { ...asked, steps: alongTrace ? end : asked.steps, choices }, at: alongTrace ? asked.steps : asked.steps + choices.length });
  };
  useKeys({ go, choose, undo, at, steps, tab: (tab) => visit({ tab }), find: () => { visit({ tab: "states" }); setTimeout(() => document.getElementById("find")?.focus()); }, help: () => setHelp(!help), close: () => { setHelp(false); setWorldly(false); } });

  if (!listing) return <main class="pad">{error ? <p role="alert" class="turned">{error}</p> : <p class="quiet">…</p>}</main>;
  const shown = tabs.filter((t) => tabThere(t, listing, place.course));
  const tab = shown.includes(address.tab) ? address.tab : shown[0];
  const choices = asked?.choices.length ?? 0;
  const axes = listing.courses[place.course]?.axes;
  const showWorld = async (world: string) => {
    const there = { ...beginningOf(place.course), steps: 0, world: world || undefined };
    await source.view(there); // which the server may refuse
    visit({ place: world ? there : beginningOf(place.course), at: world ? 0 : end, tab: ["check", "states", "diagram"].includes(tab) ? tab : "table" });
  };
  return (
    <>
      <header>
        <h1>{view?.algorithm ?? listing.courses[0]?.algorithm ?? "What ran"}</h1>
        {listing.courses.length > 1 && (
          <select aria-label="Run" value={place.course} onChange={(e) => visit({ place: beginningOf(Number(e.currentTarget.value)), at: end })}>
            {listing.courses.map((c, i) => <option value={i} selected={i === place.course}>{c.name}{c.steps ? `, ${stepsOf(c.steps)}` : ""}</option>)}
          </select>
        )}
        {view && view.initials > 1 && (
          <label>begin with initial state{" "}
            <input type="number" min={1} max={view.initials} value={place.initial + 1} onChange={(e) => visit({ place: { ...beginningOf(place.course), world: place.world, initial: Number(e.currentTarget.value) - 1 }, at: 0 })} /> of {view.initials}
          </label>
        )}
        {axes && tab !== "ran" && <button id="world" aria-expanded={worldly} onClick={() => setWorldly(!worldly)} class={place.world ? "other" : ""}>World{place.world ? `: ${worldWords(place.world)}` : ""}</button>}
        <nav aria-label="Views" role="tablist">
          {shown.map((t) => <button role="tab" aria-selected={t === tab} id={"tab-" + t} onClick={() => visit({ tab: t })}>{names[t]}</button>)}
        </nav>
        <button class="round" aria-label="Keyboard and help" aria-expanded={help} onClick={() => setHelp(!help)}>?</button>
      </header>
      {help && <Help />}
      {worldly && axes && <World key={place.course + "?" + (place.world ?? "")} axes={axes} world={place.world ?? ""} show={showWorld} />}
      {tab !== "ran" && view?.doc && <p class="quiet doc">{view.doc}</p>}
      {tab !== "ran" && view?.refuted && <p class="banner bad" role="alert">✗ This trace is not what it says: {view.refuted}</p>}
      {tab !== "ran" && view?.property && !view.refuted && <p class="banner"><b>{view.property}</b> is false{view.loop ? " of this run" : ` after ${stepsOf(steps)}`}: {view.reason}</p>}
      {error && <p class="banner bad" role="alert">{error} <button class="link" onClick={() => setError("")}>close</button></p>}
      <main class={["table", "diagram"].includes(tab) ? "split" : ""}>
        {view && asked && (tab === "table" || tab === "diagram") && (
          <>
            <div class="run">
              <div class="tools" role="toolbar" aria-label="Steps">
                <button aria-label="To the beginning" onClick={() => go(0)} disabled={at === 0}>|◀</button>
                <button aria-label="Step back" id="back" onClick={() => go(at - 1)} disabled={at === 0}>◀</button>
                <span class="where" aria-live="polite">{where(at, steps)}</span>
                <button aria-label="Step on" id="on" onClick={() => go(at + 1)} disabled={at === steps}>▶</button>
                <button aria-label="To the end" onClick={() => go(steps)} disabled={at === steps}>▶|</button>
                {choices > 0 && <button id="undo" onClick={undo}>Undo <span class="quiet">{choices} of your own</span></button>}
                {tab === "table" && <label><input type="checkbox" checked={address.whole} onChange={(e) => visit({ whole: e.currentTarget.checked }, true)} /> whole states</label>}
              </div>
              {tab === "table"
                ? <Table key={place.world ?? ""} view={view} at={at} whole={address.whole} go={go} />
                : <Diagram picture={view.picture} at={at} go={go} foot={<LoopFoot view={view} />} forked={choices ? view.fork : undefined} />}
            </div>
            <Side view={view} place={asked} at={at} go={go} choose={choose} onPossible={(answer, of) => { possible.current = { answer, of }; }} />
          </>
        )}
        {view && asked && tab === "states" && <States view={view} place={asked} at={at} find={address.find} look={(find) => visit({ find })} go={(to) => visit({ at: to, tab: "table" })} open={openState} show={openPlace} />}
        {view && asked && tab === "check" && <Check course={place.course} world={asked.world} view={view} onList={relist} show={(course) => visit({ place: beginningOf(course), at: end, tab: "table" })} />}
        {tab === "compare" && <Compare a={place.course} world={place.world} b={address.other === place.course ? (place.course ? 0 : 1) : address.other} listing={listing} choose={(other) => visit({ other })} open={(course, to) => visit({ place: beginningOf(course), at: to, tab: "table" })} />}
        {tab === "ran" && <Ran names={listing.ran} />}
      </main>
    </>
  );
}

// tabThere reports whether there is something to be seen in a tab: a page without a server has
// the states of small spaces only.
function tabThere(tab: Tab, listing: Listing, course: number): boolean {
  switch (tab) {
    case "ran": return listing.ran.length > 0;
    case "compare": return listing.courses.length > 1;
    case "states": return listing.courses.length > 0 && (!baked || !!baked.graphs[course]);
  }
  return listing.courses.length > 0;
}

// where says after which step of the run something is.
function where(at: number, steps: number): string {
  if (at > 0) return `step ${at} of ${steps}`;
  return steps ? `the beginning of ${stepsOf(steps)}` : "the beginning";
}

const beginningOf = (course: number): Place => ({ course, initial: 0, steps: end, choices: [] });

// placeOf makes an address one that the server knows: no run has more steps than it has.
function placeOf(p: Place, listing: Listing | null): Place | null {
  const course = listing?.courses[p.course];
  return course ? { ...p, steps: Math.min(p.steps, p.world ? 0 : course.steps) } : listing?.courses.length ? { ...p, steps: Math.min(p.steps, 0) } : null;
}

interface Keys { go: (at: number) => void; choose: (i: number) => void; undo: () => void; at: number; steps: number; tab: (t: Tab) => void; find: () => void; help: () => void; close: () => void }

function useKeys(keys: Keys) {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const press = (e: KeyboardEvent) => {
      const { go, choose, undo, at, steps, tab, find, help, close } = latest.current;
      if (e.ctrlKey || e.metaKey || e.altKey || (e.target as Element).closest("input, select, textarea")) return;
      const act: Record<string, () => void> = {
        ArrowLeft: () => go(at - 1), k: () => go(at - 1), ArrowRight: () => go(at + 1), j: () => go(at + 1),
        Home: () => go(0), End: () => go(steps), u: undo, t: () => tab("table"), d: () => tab("diagram"), s: () => tab("states"), c: () => tab("check"),
        "?": help, Escape: close, "/": find,
      };
      const digit = /^[1-9]$/.test(e.key) ? () => choose(Number(e.key) - 1) : undefined;
      const found = act[e.key] ?? digit;
      if (found) { e.preventDefault(); found(); }
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

function Help() {
  const keys = [["← →", "step back and on (also k, j)"], ["Home End", "the beginning and the end"], ["1 … 9", "take what may happen"], ["u", "undo your last choice"], ["t d s c", "table, diagram, states, check"], ["/", "find a state"], ["?", "this"]];
  return (
    <section class="help" aria-label="Help">
      <dl>{keys.map(([k, what]) => <><dt><kbd>{k}</kbd></dt><dd>{what}</dd></>)}</dl>
      <p class="quiet">Choose anything else that may happen, and the run forks there. The address names the state: keep it, or send it to whoever runs the same command.</p>
    </section>
  );
}

render(<App />, document.getElementById("app")!);
