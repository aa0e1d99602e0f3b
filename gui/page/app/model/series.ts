// SPDX-License-Identifier: Apache-2.0
/** What has been seen over time, in rings of a fixed length. */

/** A ring of numbers beside the times that all rings of a {@link Timeline} share. */
class Ring {
  readonly values: Float32Array;

  constructor(length: number) {
    this.values = new Float32Array(length).fill(NaN);
  }
}

/** Values over time by name; the oldest give way to the newest. A name that gets no value has a gap there. */
export class Timeline {
  private readonly times: Float64Array;
  private readonly rings = new Map<string, Ring>();
  private next = 0;
  private filled = 0;

  /**
   * @param length how many moments are kept
   * @param most how many names are kept; further ones are left out until others go
   */
  constructor(private readonly length: number, private readonly most: number) {
    this.times = new Float64Array(length);
  }

  /** Adds a moment (seconds of the Unix epoch) with the values of that moment, and forgets names not wanted any more. */
  add(seconds: number, values: Iterable<readonly [string, number]>, wanted?: (name: string) => boolean): void {
    const slot = this.next;
    this.times[slot] = seconds;
    for (const [name, ring] of this.rings) {
      ring.values[slot] = NaN;
      if (wanted && !wanted(name)) {
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

  /** The times that are kept, oldest first. */
  moments(): number[] {
    return this.ordered(this.times);
  }

  /** The values of a name at these times; null where there is none. */
  of(name: string): (number | null)[] {
    const ring = this.rings.get(name);
    return ring ? this.ordered(ring.values).map((value) => (Number.isNaN(value) ? null : value))
      : new Array<number | null>(this.filled).fill(null);
  }

  /** How many names are kept. */
  get size(): number {
    return this.rings.size;
  }

  private ordered(values: Float64Array | Float32Array): number[] {
    const start = (this.next - this.filled + this.length) % this.length;
    return Array.from({ length: this.filled }, (_, i) => values[(start + i) % this.length]);
  }
}
