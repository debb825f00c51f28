// Rows one below the other, of which only those in sight are drawn.
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";

interface Props {
  heights: number[]; // of rows, in pixels; of those that are measured, an estimate
  measured?: boolean; // rows are as high as what is in them, and say which they are: see placed
  current: number; // is kept in sight, until somebody scrolls
  label: string;
  head?: ComponentChildren;
  foot?: ComponentChildren;
  children: (from: number, to: number, tops: number[]) => ComponentChildren; // draws rows from..to-1, at their places
}

// stacked returns the tops of rows that have these heights.
export function stacked(heights: number[]): number[] {
  const tops = [0];
  for (const h of heights) tops.push(tops[tops.length - 1] + h);
  return tops;
}

// placed says where a row is that is measured.
export const placed = (tops: number[], row: number) => ({ style: { top: tops[row] + "px" }, "data-row": row });

// rowAt returns the row that is so far down.
function rowAt(tops: number[], y: number): number {
  let low = 0, high = tops.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tops[middle + 1] <= y) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function Windowed({ heights, measured, current, label, head, foot, children }: Props) {
  const count = heights.length;
  const box = useRef<HTMLDivElement>(null);
  const sheet = useRef<HTMLDivElement>(null);
  const scrolled = useRef<{ row: number; below: number } | null>(null); // where somebody scrolled to
  const set = useRef(0); // how far it was scrolled here
  const [sight, setSight] = useState({ top: 0, room: 800, width: 0 });
  const [known, setKnown] = useState<{ of: unknown[]; heights: Map<number, number> }>({ of: [], heights: new Map() });
  const of = [heights, sight.width];
  const fresh = known.of[0] === of[0] && known.of[1] === of[1];
  const tops = useMemo(() => stacked(fresh ? heights.map((h, i) => known.heights.get(i) ?? h) : heights), [heights, known, fresh]);
  const look = () => {
    const b = box.current; // null if the box is gone: that it was scrolled may be told late
    if (!b) return;
    if (Math.abs(b.scrollTop - set.current) > 1) {
      const row = rowAt(tops, b.scrollTop);
      scrolled.current = { row, below: b.scrollTop - tops[row] };
      set.current = b.scrollTop;
    }
    if (b.scrollTop !== sight.top || b.clientHeight !== sight.room || b.clientWidth !== sight.width) setSight({ top: b.scrollTop, room: b.clientHeight, width: b.clientWidth });
  };
  const latest = useRef(look);
  latest.current = look;
  useLayoutEffect(() => {
    const resized = () => latest.current();
    addEventListener("resize", resized);
    return () => removeEventListener("resize", resized);
  }, []);
  const wide = useRef(current); // the row that was at hand, which may have been higher for that
  useLayoutEffect(() => {
    scrolled.current = null;
    if (wide.current !== current) known.heights.delete(wide.current);
    wide.current = current;
  }, [current, heights]);
  useLayoutEffect(() => {
    const b = box.current!, over = sheet.current!.offsetTop;
    const top = tops[current], next = tops[Math.min(count, current + 1)], after = tops[Math.min(count, current + 2)];
    if (scrolled.current) b.scrollTop = tops[Math.min(count, scrolled.current.row)] + scrolled.current.below;
    else if (top < b.scrollTop + 4) b.scrollTop = Math.max(0, top - 4);
    else if (next + over > b.scrollTop + b.clientHeight) b.scrollTop = Math.min(top, after + over - b.clientHeight);
    set.current = b.scrollTop;
    look();
  }, [current, tops]);
  const across = useRef(-1); // the row in which what is at hand was brought into sight
  useLayoutEffect(() => {
    const here = sheet.current!.querySelector("[data-here]:not([data-here=false])");
    if (!here || across.current === current) return;
    across.current = current;
    const b = box.current!, frame = b.getBoundingClientRect(), at = here.getBoundingClientRect();
    if (at.right > frame.left + b.clientWidth) b.scrollLeft += Math.min(at.right - frame.left - b.clientWidth + 8, at.left - frame.left - 60);
    else if (at.left < frame.left + 60) b.scrollLeft -= frame.left + 60 - at.left;
  });
  useLayoutEffect(() => {
    if (!measured) return;
    const found = new Map(fresh ? known.heights : []);
    let news = !fresh;
    for (const row of sheet.current!.querySelectorAll<HTMLElement>(":scope > [data-row]")) {
      const i = Number(row.dataset.row), height = Math.ceil(row.getBoundingClientRect().height);
      if (height === tops[i + 1] - tops[i]) continue;
      found.set(i, height);
      news = true;
    }
    if (news) setKnown({ of, heights: found });
  });
  const from = Math.max(0, rowAt(tops, sight.top) - 8);
  const to = Math.min(count, rowAt(tops, sight.top + sight.room) + 9);
  return (
    <div class="windowed" ref={box} onScroll={look} tabIndex={0} role="region" aria-label={label}>
      {head}
      <div class="sheet" ref={sheet} style={{ height: tops[count] + "px" }}>{children(from, to, tops)}</div>
      {foot}
    </div>
  );
}
