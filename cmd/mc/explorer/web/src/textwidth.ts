// How wide a text is, in the font of the page.
const brush = document.createElement("canvas").getContext("2d")!;
let family = "";

export function textWidth(text: string, size: number, bold = false): number {
  family ||= getComputedStyle(document.body).fontFamily;
  brush.font = `${bold ? "600 " : ""}${size}px ${family}`;
  return brush.measureText(text).width;
}

// fitted cuts a text to a width.
export function fitted(text: string, width: number, size: number, bold = false): string {
  if (textWidth(text, size, bold) <= width) return text;
  let low = 0, high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (textWidth(text.slice(0, middle) + "…", size, bold) <= width) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, low) + "…";
}
