// A search for states by what is written in them: along this run, and in the whole world.
import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { baked, source } from "./source";
import type { Findings, Place, View } from "./types";
import { linesOf, stepsOf } from "./lines";

// stepsWith returns the steps of a run after which each term has all its words in one line, as
// the server searches.
function stepsWith(view: View, text: string): number[] {
  const terms = text.toLowerCase().split(",").map((t) => t.split(/\s+/).filter(Boolean)).filter((t) => t.length);
  return view.rows.flatMap((row, i) => {
    const lines = Array.from({ length: row.locals ? view.n : 0 }, (_, p) => linesOf(view, row, p).map((l) => `${p + 1}: ${l.path} ${l.value}`.toLowerCase())).flat();
    return terms.length && terms.every((words) => lines.some((line) => words.every((w) => matches(line, w)))) ? [i] : [];
  });
}

// matches reports whether a line has a word; one with a colon is the number of the process.
function matches(line: string, word: string): boolean {
  const space = line.indexOf(" ");
  return /^\d+:$/.test(word) ? line.slice(0, space) === word : has(line.slice(space + 1), word);
}

// has does not find a number in a longer one.
function has(line: string, word: string): boolean {
  const digit = (text: string, i: number) => /^\d$/.test(text.charAt(i));
  for (let i = line.indexOf(word); i >= 0; i = line.indexOf(word, i + 1)) {
    const end = i + word.length;
    if (!(digit(word, 0) && digit(line, i - 1)) && !(digit(word, word.length - 1) && digit(line, end))) return true;
  }
  return false;
}

interface Props { view: View; place: Place; text: string; look: (text: string) => void; go: (at: number) => void; open: (p: Place) => void; onFound: (places: Place[]) => void }

export function Find({ view, place, text, look, go, open, onFound }: Props) {
  const [typed, setTyped] = useState(text);
  const [answer, setAnswer] = useState<Findings | null>(null);
  const [error, setError] = useState("");
  const along = useMemo(() => stepsWith(view, text), [view, text]);
  useLayoutEffect(() => setTyped(text), [text]);
  useEffect(() => {
    let current = true;
    setAnswer(null); setError(""); onFound([]);
    if (text && !baked) {
      source.find(place, text).then(
        (f) => { if (current) { setAnswer(f); onFound(f.found.map((h) => h.place)); } },
        (e: Error) => { if (current) setError(e.message); });
    }
    return () => { current = false; };
  }, [text, place.course, place.world, place.initial]);
  return (
    <section aria-label="Find a state">
      <form role="search" class="bar-line" onSubmit={(e) => { e.preventDefault(); look(typed.trim()); }}>
        <label>Find a state{" "}
          <input id="find" type="search" size={28} placeholder="as in 2: done, ✉ OK" value={typed} onInput={(e) => setTyped(e.currentTarget.value)} />
        </label>
        <button>Find</button>
        {text && <button type="button" onClick={() => look("")}>Clear</button>}
      </form>
      {error && <p class="turned" role="alert">{error}</p>}
      {text && (
        <div id="findings" aria-live="polite">
          <p>On this run: {along.length ? along.slice(0, 30).map((i) => <><button class="link" onClick={() => go(i)}>{i ? `step ${i}` : "the beginning"}</button> </>) : "nowhere"}{along.length > 30 && ` and ${along.length - 30} more`}</p>
          {baked ? <p class="quiet">{baked.left}</p> : !answer ? !error && <p class="quiet" role="status"><span class="spinner" /> Searching…</p> : (
            <>
              <p class="quiet">{answer.found.length || "None"} of {answer.searched.toLocaleString("en")} states{answer.why ? `: ${answer.why}` : ", which are all"}; the nearest to the beginning first.</p>
              <ul class="hits">{answer.found.map((h) => (
                <li><button class="link" onClick={() => open(h.place)}>{h.place.choices.length ? `after ${stepsOf(h.place.choices.length)}` : "the beginning"}</button> <span class="quiet">{h.lines.join("; ")}</span></li>
              ))}</ul>
            </>
          )}
        </div>
      )}
    </section>
  );
}
