// What the scripts of the board take and give: what the session says (pbem/desk/session.py), and the
// elements of board.html. No browser reads this; tests/browser/test_types.py holds scripts, page and
// session to it.

type Side = string;
type Space = string;

export interface Problem {
  line: number; column: number; end: number; code: string; message: string; rule: string; hint: string;
}

/** What all pictures of the board share. */
export interface Sheet {
  head: string; defined: string; cells: Space[]; sea: boolean; start: Space | "";
  /** Where a space is, and its name. */
  spots: Record<Space, [x: number, y: number, name: string]>;
  /** The kinds of names that a space and a card have in orders. */
  space: string; piece: string;
}

export interface VerbOffered { verb: string; note: string; fields: boolean }
export interface Asked {
  prompt: string; rule: string; verbs: VerbOffered[]; ahead?: boolean; stage?: string; before?: string; optional?: boolean;
}
export interface Mark { line: number; mark: "ok" | "bad" | "ahead" | "lapses" | "remark"; words?: string }
export interface Track {
  name: string; value: number; low: number; high: number; stops: [at: number, side: Side][]; words: string;
}
export interface Card {
  id: string; title: string; worth: string; kind: string; text: string[]; figures: string;
  uses: { name: string; why: string[] }[];
}
export interface Camp {
  side: Side; hand: Card[]; unseen: number; handIs: string; rounds: string[]; most: number; facts: string[];
}

/** Everything the page shows. */
export interface View {
  title: string; moment: string; file: string; draft: string; entry: number; side: Side | null; solo: boolean; text: string;
  sides: Record<Side, [name: string, at: number]>;
  writes: boolean; asked: boolean; sealed: string; stale: boolean; next: string[];
  problems: Problem[]; verdicts: Mark[]; ask: Asked; tracks: Track[]; notes: string[]; own: Space[]; camps: Camp[];
  picture: number; fragments: Record<string, string>;
}

/** A value of an order as players write it. */
export type Written = string | number | boolean | null | Written[] | { [name: string]: Written };
export interface Field {
  name: string; kind: string; keys: string; shape: string; needed: boolean; value: string;
  chips: { value: Written; words: string; on: boolean; picked: boolean }[];
}
/** An order in the making, as the session takes it. */
export interface PlainGesture { verb: string; said: Record<string, Written>; slot: string; at: Space | ""; picked: string }
export interface Gesture extends PlainGesture {
  line: string; legal: boolean; missing: string[]; wanted: string; problems: Problem[]; lit: Space[]; chosen: Space[];
  remarks: string[]; chances: string[]; shares: Shares | null; fields: Field[];
}

/** The chances of an attack (pbem/play/odds.py); without `fire` they cannot be told. */
export interface Shares {
  at: string; early: boolean; untold?: string;
  where?: string; fire?: [attacker: Salvo, defender: Salvo] | Salvo[]; ways?: number;
  branches?: { ways: number; winner: Side | null; lost: Record<Side, number> }[];
  notes?: Reason[]; supposed?: Reason[];
  more?: unknown[]; cases?: unknown[];
}
export interface Salvo { side: Side; strength: number; strengths?: number[][]; column: string; shifts: Reason[]; modifiers: Reason[] }
export interface Reason { what: string; number?: number; rule: string }

/** What the session answers; which parts there are depends on what was done. */
export interface Answer {
  looksOn: boolean; problems?: Problem[]; sheet?: Sheet; view?: View; gesture?: Gesture;
  line?: number; told?: string; html?: string; kept?: string; lines?: string[]; files?: string[];
}
export type Doing = "view" | "start" | "take" | "draft" | "begin" | "click" | "choose" | "order" | "ahead"
  | "standing" | "check" | "form" | "story" | "anew" | "reopen" | "summary" | "send";

/** What an element is made with. */
export interface Attributes {
  onclick?: (() => unknown) | null; ondblclick?: () => unknown;
  class?: string | false; title?: string | false; type?: "button"; role?: string; value?: string; disabled?: boolean;
  "aria-pressed"?: string; "aria-label"?: string;
}

/** The elements of board.html, by their ids. */
export interface Parts {
  title: HTMLElement; moment: HTMLElement; who: HTMLElement; tell: HTMLButtonElement; undo: HTMLButtonElement;
  redo: HTMLButtonElement; help: HTMLButtonElement; banner: HTMLElement; field: HTMLElement; map: HTMLElement;
  find: HTMLFormElement; sought: HTMLInputElement; names: HTMLDataListElement; mode: HTMLElement; tip: HTMLElement;
  here: HTMLElement; mini: SVGSVGElement; zoom: HTMLElement; nearer: HTMLButtonElement; farther: HTMLButtonElement;
  whole: HTMLButtonElement; foot: HTMLElement; tracks: HTMLElement; hands: HTMLElement; ask: HTMLElement;
  rule: HTMLElement; prompt: HTMLElement; verbs: HTMLElement; making: HTMLElement; draft: HTMLElement;
  file: HTMLElement; paper: HTMLElement; gutter: HTMLElement; text: HTMLTextAreaElement; messages: HTMLElement;
  state: HTMLElement; check: HTMLButtonElement; form: HTMLButtonElement; standing: HTMLButtonElement;
  send: HTMLButtonElement; sheet: HTMLDialogElement; "sheet-title": HTMLElement; "sheet-body": HTMLElement;
  "sheet-close": HTMLButtonElement; spoken: HTMLElement; words: HTMLScriptElement;
}

/** The view of a map (map.js). */
export interface Box { x: number; y: number; width: number; height: number }
export interface Camera {
  zoom(by: number, at?: { x: number; y: number }): void;
  whole(): void;
  goTo(x: number, y: number, width?: number): void;
  view: Readonly<Box>;
  size: { width: number; height: number };
  watch(tell: (view: Readonly<Box>) => void): void;
}

/** The elements of the page of a game (page.py), by their ids. */
export interface PageParts {
  map: HTMLElement; moments: HTMLScriptElement; moment: HTMLElement; at: HTMLInputElement; controls: HTMLElement;
  first: HTMLButtonElement; back: HTMLButtonElement; play: HTMLButtonElement; next: HTMLButtonElement;
  last: HTMLButtonElement; nearer: HTMLButtonElement; farther: HTMLButtonElement; whole: HTMLButtonElement;
}
/** The last entry of a moment, its words, and the fragments that are new in it, by number. */
export type Moment = [entry: number, words: string, changed: Record<string, string>];
