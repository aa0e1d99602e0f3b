// SPDX-License-Identifier: Apache-2.0
/** Time series in ring buffers of a fixed length. */

/** A ring of numbers beside the times that all rings of a {@link Timeline} share. */
class Ring {
  readonly values: Float32Array;

  constructor(length: number) {
    this.values = new Float32Array(length).fill(NaN);
  }
}

/** Values over time by name. The newest replaces the oldest; a name without a value at some time has a gap there. */
export class Timeline {
  private readonly times: Float64Array;
  private readonly rings = new Map<string, Ring>();
  private next = 0;
  private filled = 0;

  /**
   * @param length number of samples of each name
   * @param most largest number of names; further names are ignored until others are forgotten
   */
  constructor(private readonly length: number, private readonly most: number) {
    this.times = new Float64Array(length);
  }

  /** Adds a time (seconds of the Unix epoch) with its values, and forgets the names for which `isKept` is false. */
  add(seconds: number, values: Iterable<readonly [string, number]>, isKept?: (name: string) => boolean): void {
    const slot = this.next;
    this.times[slot] = seconds;
    for (const [name, ring] of this.rings) {
      ring.values[slot] = NaN;
      if (isKept && !isKept(name)) {
        this.rings.delete(name);
      }
    }
    for (const [name, value] of values) {
      let ring = this.rings.get(name);
      if (!ring) {
        if (this.rings.size >= this.most) {
          continue;
        }
        ring = new Ring(this.length);
        this.rings.set(name, ring);
      }
      ring.values[slot] = value;
    }
    this.next = (slot + 1) % this.length;
    this.filled = Math.min(this.length, this.filled + 1);
  }

  /** All times, oldest first. */
  moments(): number[] {
    return this.ordered(this.times);
  }

  /** The values of a name at these times; null where there is none. */
  of(name: string): (number | null)[] {
    const ring = this.rings.get(name);
    return ring ? this.ordered(ring.values).map((value) => (Number.isNaN(value) ? null : value))
      : new Array<number | null>(this.filled).fill(null);
  }

  /** Number of names. */
  get size(): number {
    return this.rings.size;
  }

  private ordered(values: Float64Array | Float32Array): number[] {
    const start = (this.next - this.filled + this.length) % this.length;
    return Array.from({ length: this.filled }, (_, i) => values[(start + i) % this.length]);
  }
}
