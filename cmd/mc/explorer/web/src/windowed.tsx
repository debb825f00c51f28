// Rows of one height, of which only those in sight are drawn.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";

interface Props {
  count: number;
  height: number; // of a row, in pixels
  current: number; // is kept in sight
  label: string;
  head?: ComponentChildren;
  foot?: ComponentChildren;
  children: (from: number, to: number) => ComponentChildren; // draws rows from..to-1, at their places
}

export function Windowed({ count, height, current, label, head, foot, children }: Props) {
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
    const top = current * height;
    if (top < b.scrollTop + 4) b.scrollTop = Math.max(0, top - 4);
    else if (top + height + over > b.scrollTop + b.clientHeight) b.scrollTop = top + 2 * height + over - b.clientHeight;
    look();
  }, [current, height, count]);
  const from = Math.max(0, Math.floor(sight.top / height) - 8);
  const to = Math.min(count, Math.ceil((sight.top + sight.room) / height) + 8);
  return (
    <div class="windowed" ref={box} onScroll={look} tabIndex={0} role="region" aria-label={label}>
      {head}
      <div class="sheet" ref={sheet} style={{ height: count * height + "px" }}>{children(from, to)}</div>
      {foot}
    </div>
  );
}
