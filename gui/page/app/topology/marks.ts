// SPDX-License-Identifier: Apache-2.0
/** Signs on links that say why a connection gets what it gets. Pure functions. */
import { deviceOf } from '../model/format';
import { Network } from '../model/network';
import { ShareLimits } from '../model/wire';
import { Box, Ground, middleOf, Point } from './drawing';

export interface Mark {
  readonly key: string;
  /** A triangle in the direction that is full, or a bar across a link of the minimum cut: told apart without colours. */
  readonly kind: 'full' | 'cut';
  readonly at: Point;
  readonly transform: string;
}

/** Where they stand: a full link at a third, the cut at two thirds, so that both fit on one link. */
const PARTS = { full: 0.36, cut: 0.64 };
const RADIUS = 11;

export const MARK_LEGEND: Record<Mark['kind'], string> = { full: 'full', cut: 'minimum cut' };

/** The signs for what limits a connection, once for each link. */
export function marksOf(network: Network, limits: ShareLimits | null, ground: Ground): Mark[] {
  const of = (kind: Mark['kind'], sources: Iterable<string>) => [...new Set(sources)].flatMap((source) => {
    const edge = network.byPort.get(source);
    return edge ? [markOf(kind, source, middleOf(edge, deviceOf(source), PARTS[kind], ground), ground.pixel)] : [];
  });
  return limits ? [...of('full', limits.limitedBy.map((link) => link.source)),
                   ...of('cut', limits.minimumCut.map((link) => link.source))] : [];
}

function markOf(kind: Mark['kind'], source: string, { at, degrees }: { at: Point; degrees: number }, pixel: number): Mark {
  return { key: `${kind} ${source}`, kind, at, transform: `translate(${at.x} ${at.y}) rotate(${degrees}) scale(${pixel.toFixed(3)})` };
}

/** What a mark covers. */
export function boxOf({ at }: Mark, pixel: number): Box {
  const radius = RADIUS * pixel;
  return { left: at.x - radius, top: at.y - radius, right: at.x + radius, bottom: at.y + radius };
}
