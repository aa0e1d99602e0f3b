// SPDX-License-Identifier: Apache-2.0
/** What the page's terms mean, as docs/glossary.md has them. */

export interface Term {
  /** Its name in the glossary. */
  readonly name: string;
  readonly meaning: string;
}

export type TermKey = 'expected' | 'measured' | 'goodput' | 'available' | 'fair' | 'disjoint' | 'strategy' | 'reserved'
  | 'others' | 'fairness' | 'best' | 'capacity';

export const TERMS: Readonly<Record<TermKey, Term>> = {
  expected: { name: 'expected throughput', meaning: 'The fair share that the controller gives a subflow or connection, on the wire. It follows from the allocator, and from who else is on the links.' },
  measured: { name: 'measured', meaning: 'The rate in the last interval by the switches\' counters, on the wire: with all headers, as expected throughputs are. “–” where no switch has told of it twice yet.' },
  goodput: { name: 'Goodput', meaning: 'Payload that the receiver got. Here it is estimated from the measured rate, as if all frames were of full size.' },
  available: { name: 'attainable rate, ζ', meaning: 'The largest rate that a connection could attain with more or other paths, while all others keep their expected throughputs.' },
  fair: { name: 'attainable rate, ζ', meaning: 'The largest rate that a connection could attain with more or other paths, and at most the max-min fair share over all its paths. If it expects less, more subflows would help.' },
  disjoint: { name: 'disjoint paths', meaning: 'What the paths do not share. Link: no link, in neither direction. Node: no switch but the first and the last. srlg: no two links that may fail together.' },
  strategy: { name: 'strategy', meaning: 'How the paths of a connection\'s subflows are chosen. The view What if compares strategies.' },
  reserved: { name: 'reservation', meaning: 'Bandwidth that ONOS holds for subflows on this link, Mbit/s. It follows their expected throughputs.' },
  others: { name: 'other traffic', meaning: 'What the link carries beside managed subflows and others\' reservations, Mbit/s.' },
  capacity: { name: 'capacity', meaning: 'What a link can carry in one direction, Mbit/s: by the network configuration, or else by its ports\' speed.' },
  fairness: { name: 'fairness index', meaning: 'Jain\'s index over the measured rates of busy connections: 1 if all are equal, 1/n if one of n has all.' },
  best: { name: 'best of any routing', meaning: 'What the strategy\'s paths bring, divided by what any paths could bring, with traffic split as one likes.' },
};
