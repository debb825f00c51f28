// What the server says; see the types of the same names in package explorer.

// Place is a state; world says how its world differs from that of the course, as in "crashes=1&n=5".
export interface Place { course: number; world?: string; initial: number; steps: number; choices: number[] }
export interface Axis { name: string; help: string; value: string; values?: string[] }

// Line is a part of what a process has: "Mode", or "Log[2].Term".
export interface Line { path: string; value: string }
export interface Valuation { says: "holds" | "false" | "silent"; why?: string; processes?: number[] }
export interface Statement { name: string; doc: string; kind: string; formula?: string; note?: string }
export interface Row {
  process: number; action: string; kind: string; changes?: string[]; panic?: string;
  locals?: number[]; inboxes?: number[]; env?: string; valuation: number[];
}

export interface PictureEvent { step: number; process?: number; kind: string; title: string; crash?: boolean; cut?: number; panic?: string }
export interface Message { from: number; to: number; text: string; sent_by: number; ends_in: number; fate: string; copied?: boolean }
export interface Picture {
  n: number; steps: number; loop?: number; events: PictureEvent[]; messages: Message[];
  views: { leader?: number[]; status: string[] }[]; // no leader: nobody is elected
}

export interface View {
  name: string; algorithm: string; doc: string; assumptions: string[]; n: number; initials: number;
  property?: string; reason?: string; refuted?: string; loop?: number; unfair?: string;
  fairness?: { class: string; owed: string; because: string }[];
  properties: Statement[]; kinds: string[]; locals: Line[][]; inboxes: Line[][]; valuations: Valuation[]; rows: Row[];
  picture: Picture; choices?: number[]; fork: number;
}

export interface Choice { process: number; action: string; kind: string; changes: string[]; unfair: boolean; taken: boolean }
export interface Disabled { process: number; action: string; why: string }
export interface Possibilities { enabled: Choice[]; disabled: Disabled[]; quiescent: boolean }

export interface Node {
  depth: number; x: number; name: string[]; whole: string[]; quiescent: boolean; false?: string[]; beyond: boolean; place: Place; on: boolean; here: boolean;
  steps?: number[];
}
export interface Edge { from: number; to: number; actions: string[]; on: boolean }
export interface Histogram { counts: number[]; states: number; complete: boolean; why?: string }
export interface Graph { whole: boolean; from: string; nodes: Node[]; edges: Edge[]; histogram?: Histogram }

export interface Findings { found: { place: Place; lines: string[] }[]; searched: number; why?: string }

export interface Found { name: string; doc: string; verdict: string; why?: string; note?: string; course: number }
export interface CheckStatus {
  begun: boolean; running: boolean; doing?: string; states: number; transitions: number; depth: number; frontier: number;
  seconds: number; error?: string; verdict?: string; why?: string; complete: boolean; findings?: Found[];
  fired?: Record<string, number>; never_fired?: string[];
}

export interface Comparison { a: View; b: View; pairs: [number, number][] }

export interface Step {
  process: number; incarnation: number; step: number; time?: string; action: string; state: string;
  takes?: string[]; sends?: { to: number; text: string; message: string }[];
}
export interface Packet { number: number; time: string; from: number; to: number; text: string; message?: string; delivered?: boolean; unexplained?: string }
export interface Execution {
  name: string; algorithm: string; n: number; verdict: string; notes: string[]; source: string; left: number;
  packets: Packet[]; steps: Step[]; picture: Picture;
}

export interface Listing { courses: { name: string; algorithm: string; property?: string; steps: number; axes?: Axis[] }[]; ran: string[] }
export interface Baked { listing: Listing; views: View[]; states: Possibilities[][]; graphs: (Graph | null)[]; pairs: [number, number][][][]; ran: Execution[]; left: string }
