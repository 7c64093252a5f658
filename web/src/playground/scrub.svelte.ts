/** Where the scrubber is, how it moves, and how the text is cut. */

import { nextStop, toggled, type Chunking, type Unit } from "./chunking";

export const SPEEDS = [2, 10, 40, 160];

export class Scrub {
  /** The chosen moment. The end stays the end when the text changes. */
  #moment = $state<number | "end">("end");
  unit = $state<Unit>("point");
  chunking = $state.raw<Chunking>({ kind: "whole" });
  /** Stops a second. */
  speed = $state(SPEEDS[1]!);
  playing = $state(false);
  /** Of the text that is shown: its length, and where to stop, if not at every moment. */
  length = $state(0);
  stops = $state.raw<number[] | null>(null);

  readonly last = $derived(this.length + 1);
  readonly moment = $derived(this.#moment === "end" ? this.last : Math.min(this.#moment, this.last));

  go(moment: number) {
    this.#moment = moment >= this.last ? "end" : Math.max(0, moment);
  }

  step(direction: 1 | -1) {
    this.go(nextStop(this.stops, this.moment, direction, this.last));
  }

  /** The stop that is closest to a moment. */
  near(moment: number): number {
    if (!this.stops) return moment;
    return this.stops.reduce((best, stop) => (Math.abs(stop - moment) < Math.abs(best - moment) ? stop : best));
  }

  play() {
    if (this.moment >= this.last) this.go(0);
    this.playing = true;
  }

  pause() {
    this.playing = false;
  }

  get cuts(): number[] {
    return this.chunking.kind === "cuts" ? this.chunking.cuts : [];
  }

  toggleCut(position: number) {
    this.chunking = { kind: "cuts", cuts: toggled(this.cuts, position) };
  }
}
