// Rows one below the other, of which only those in sight are drawn.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";

interface Props {
  tops: number[]; // where each row begins, in pixels, and behind them where the last ends; see stacked
  current: number; // is kept in sight
  label: string;
  head?: ComponentChildren;
  foot?: ComponentChildren;
  children: (from: number, to: number) => ComponentChildren; // draws rows from..to-1, at their places
}

// stacked returns the tops of rows that have these heights.
export function stacked(heights: number[]): number[] {
  const tops = [0];
  for (const h of heights) tops.push(tops[tops.length - 1] + h);
  return tops;
}

// placed is the style of a row.
export const placed = (tops: number[], row: number) => ({ top: tops[row] + "px", height: tops[row + 1] - tops[row] + "px" });

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

export function Windowed({ tops, current, label, head, foot, children }: Props) {
  const count = tops.length - 1;
  const box = useRef<HTMLDivElement>(null);
  const sheet = useRef<HTMLDivElement>(null);
  const [sight, setSight] = useState({ top: 0, room: 800 });
  const look = () => {
    const b = box.current; // null if the box is gone: that it was scrolled may be told late
    if (b) setSight({ top: b.scrollTop, room: b.clientHeight });
  };
  useLayoutEffect(() => {
    look();
    addEventListener("resize", look);
    return () => removeEventListener("resize", look);
  }, []);
  useLayoutEffect(() => {
    const b = box.current!;
    const over = sheet.current!.offsetTop;
    const top = tops[current], next = Math.min(count, current + 1);
    if (top < b.scrollTop + 4) b.scrollTop = Math.max(0, top - 4);
    else if (tops[next] + over > b.scrollTop + b.clientHeight) b.scrollTop = Math.min(top, tops[Math.min(count, next + 1)] + over - b.clientHeight);
    look();
  }, [current, tops]);
  const from = Math.max(0, rowAt(tops, sight.top) - 8);
  const to = Math.min(count, rowAt(tops, sight.top + sight.room) + 9);
  return (
    <div class="windowed" ref={box} onScroll={look} tabIndex={0} role="region" aria-label={label}>
      {head}
      <div class="sheet" ref={sheet} style={{ height: tops[count] + "px" }}>{children(from, to)}</div>
      {foot}
    </div>
  );
}
