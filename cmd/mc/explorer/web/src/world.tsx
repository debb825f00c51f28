// The world of a run, which can be changed: another number of processes, other faults.
import { useState } from "preact/hooks";
import type { Axis } from "./types";

// axesOf reads the part of an address that says how a world differs, as in "crashes=1&n=5".
const axesOf = (world: string) => Object.fromEntries(new URLSearchParams(world));

// wordsOf tells it to people.
export const worldWords = (world: string) => Object.entries(axesOf(world)).map(([axis, value]) => `${axis}=${value}`).join(", ");

interface Props { axes: Axis[]; world: string; show: (world: string) => Promise<void> }

export function World({ axes, world, show }: Props) {
  const now = () => Object.fromEntries(axes.map((a) => [a.name, axesOf(world)[a.name] ?? a.value]));
  const [values, setValues] = useState(now);
  const [error, setError] = useState("");
  const visit = (next: Record<string, string>) => {
    const changed = axes.filter((a) => next[a.name].trim() !== a.value).map((a) => [a.name, next[a.name].trim()]).sort();
    show(new URLSearchParams(changed).toString()).catch((e: Error) => setError(e.message));
  };
  const own = Object.fromEntries(axes.map((a) => [a.name, a.value]));
  const field = (a: Axis) => {
    const set = (value: string) => setValues({ ...values, [a.name]: value }), value = values[a.name] ?? "";
    if (a.values) {
      return <select name={a.name} value={value} onChange={(e) => set(e.currentTarget.value)}>{a.values.map((v) => <option value={v} selected={v === value}>{a.name === "split" ? (v === "true" ? "yes" : "no") : v}</option>)}</select>;
    }
    const input = { name: a.name, value, onInput: (e: { currentTarget: HTMLInputElement }) => set(e.currentTarget.value) };
    return /^\d+$/.test(a.value) ? <input type="number" min={0} {...input} /> : <input {...input} />;
  };
  return (
    <form class="help" aria-label="The world" id="world-form" noValidate onSubmit={(e) => { e.preventDefault(); visit(values); }}>
      <div class="axes">
        {axes.map((a) => <label key={a.name} class={values[a.name] !== a.value ? "changed" : ""} title={a.help}><span>{a.name}</span>{field(a)}<small>{a.help}</small></label>)}
      </div>
      {error && <p class="turned" role="alert">{error}</p>}
      <p>
        <button class="primary" id="world-show">Explore this world</button>{" "}
        {world && <button type="button" onClick={() => visit(own)}>As at first</button>}{" "}
        <span class="quiet">It begins anew. The address names it.</span>
      </p>
    </form>
  );
}
