// What follows the last step of a run: a loop and why it is fair, or nothing.
import type { View } from "./types";

export function LoopFoot({ view }: { view: View }) {
  const steps = view.rows.length - 1;
  if (!view.loop) return null;
  if (view.loop > steps) return <p class="foot">■ And there it is quiescent: nothing that must happen in the end is possible.</p>;
  return (
    <section class="foot" aria-label="The loop">
      <p>↻ And again from step {view.loop}, forever{view.unfair ? `. ${view.unfair}` : ", which is fair:"}</p>
      {!!view.fairness?.length && (
        <table class="plain">
          <thead><tr><th>Owed</th><th>To</th><th>Because it</th></tr></thead>
          <tbody>{view.fairness.map((f) => <tr><td>{f.owed}</td><td>{f.class}</td><td>{f.because}</td></tr>)}</tbody>
        </table>
      )}
    </section>
  );
}
