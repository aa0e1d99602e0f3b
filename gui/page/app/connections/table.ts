// SPDX-License-Identifier: Apache-2.0
import { afterNextRender, ChangeDetectionStrategy, Component, computed, DestroyRef, ElementRef, inject, signal, viewChild } from '@angular/core';
import { Store } from '../live/store';
import { connectionsCsv } from '../model/csv';
import { clientEnd, serverEnd } from '../model/ends';
import { attainableFair, expected, measured } from '../model/fairness';
import { arranged, controlConnections } from '../model/fold';
import { count, mbps, shortSpan } from '../model/format';
import { hostLabel, routersOf } from '../model/legs';
import { labelOf } from '../model/network';
import { Column, filtered, Order, sorted } from '../model/table';
import { TermKey } from '../model/terms';
import { Connection } from '../model/wire';
import { download } from '../shared/download';
import { Help } from '../shared/help';

const ROW_HEIGHT = 30;
const SPARE_ROWS = 6;

interface Heading {
  readonly column: Column;
  readonly text: string;
  readonly title: string;
  readonly number: boolean;
  /** A term that needs words. */
  readonly term?: TermKey;
}

const HEADINGS: readonly Heading[] = [
  { column: 'client', text: 'Client', title: 'The host that opened the connection, and its port', number: false },
  { column: 'server', text: 'Server', title: 'The host to which it was opened, and its port', number: false },
  { column: 'age', text: 'Age', title: 'Time since its handshake', number: true },
  { column: 'state', text: 'State', title: 'What the network does for it', number: false },
  { column: 'subflows', text: 'Subflows', title: 'Number of subflows', number: true },
  { column: 'measured', text: 'Measured', title: 'What the switches count, on the wire, Mbit/s', number: true },
  { column: 'expected', text: 'Expected', title: 'Expected throughput on the wire, Mbit/s', number: true },
  { column: 'attainable', text: 'ζ', title: 'Attainable rate over all paths, at most the fair share, Mbit/s', number: true, term: 'fair' },
  { column: 'strategy', text: 'Strategy', title: 'How its paths were chosen', number: false },
];

/** All connections: sorted, filtered, one or several selected. Draws only the rows that are in view. */
@Component({
  selector: 'mptcp-connections',
  templateUrl: './table.html',
  imports: [Help],
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class ConnectionTable {
  protected readonly store = inject(Store);
  private readonly scroller = viewChild.required<ElementRef<HTMLElement>>('scroller');

  protected readonly headings = HEADINGS;
  protected readonly rowHeight = ROW_HEIGHT;
  protected readonly order = signal<Order>({ column: 'age', descending: false });
  protected readonly filter = signal('');
  protected readonly withIdle = signal(true);
  private readonly top = signal(0);
  private readonly height = signal(300);
  private readonly cursor = signal<string | null>(null);

  /** Transfers whose control connections are to be seen. */
  protected readonly opened = signal<ReadonlySet<string>>(new Set());

  protected readonly matching = computed(() => {
    const network = this.store.network();
    const all = this.store.connections();
    const over = [...this.store.ended().values()].map(({ connection }) => connection);
    const shown = this.withIdle() ? [...all, ...over] : all.filter((connection) => connection.state !== 'idle');
    return sorted(filtered(shown, this.filter(), (device) => labelOf(network, device)), this.order());
  });
  /** How many connections there are, with those that have ended. */
  protected readonly known = computed(() => this.store.connections().length + this.store.ended().size);
  /** Of each control connection its transfer; what is there is not folded under one that has ended. */
  protected readonly transfers = computed(() => {
    const isOver = ({ id }: Connection) => this.store.ended().has(id);
    const [there, over] = [false, true].map((ended) => this.matching().filter((connection) => isOver(connection) === ended));
    return new Map([...controlConnections(there), ...controlConnections(over)]);
  });
  /** How many control connections a transfer has. */
  protected readonly controls = computed(() => {
    const numbers = new Map<string, number>();
    this.transfers().forEach((transfer) => numbers.set(transfer, (numbers.get(transfer) ?? 0) + 1));
    return numbers;
  });
  protected readonly rows = computed(() => arranged(this.matching(), this.transfers(),
    (transfer, control) => this.opened().has(transfer) || this.chosen().has(control)));
  protected readonly chosen = computed(() => new Set(this.store.selection()));
  private readonly places = computed(() => new Map(this.rows().map((row, index) => [row.id, index])));
  protected readonly first = computed(() =>
    Math.max(0, Math.min(Math.floor(this.top() / ROW_HEIGHT), this.rows().length - 1) - SPARE_ROWS));
  protected readonly visible = computed(() => {
    const first = this.first();
    const most = Math.ceil(this.height() / ROW_HEIGHT) + 2 * SPARE_ROWS;
    const hosts = this.store.hosts();
    return this.rows().slice(first, first + most).map((row, index) => {
      const { client, server } = routersOf(hosts, row);
      return { row, state: this.store.ended().has(row.id) ? 'ended' : row.state, client: clientEnd(row), server: serverEnd(row), index: first + index, clientVia: client && hostLabel(hosts, client), serverVia: server && hostLabel(hosts, server) };
    });
  });
  protected readonly tabStop = computed(() => {
    const places = this.places();
    const wanted = [this.cursor(), ...this.store.selection()].find((id) => id !== null && places.has(id));
    return wanted ?? this.rows()[0]?.id;
  });

  constructor() {
    const destroyed = inject(DestroyRef);
    afterNextRender(() => {
      const scroller = this.scroller().nativeElement;
      const resized = new ResizeObserver(() => this.height.set(scroller.clientHeight));
      resized.observe(scroller);
      destroyed.onDestroy(() => resized.disconnect());
    });
  }

  protected sort(column: Column): void {
    const { column: now, descending } = this.order();
    const numbersFirst = ['measured', 'expected', 'attainable', 'subflows'].includes(column);
    this.order.set({ column, descending: column === now ? !descending : numbersFirst });
  }

  protected ariaSort(column: Column): 'ascending' | 'descending' | null {
    const order = this.order();
    return order.column === column ? (order.descending ? 'descending' : 'ascending') : null;
  }

  protected unfold(transfer: string, open = !this.opened().has(transfer)): void {
    this.opened.update((opened) => new Set([...opened].filter((id) => id !== transfer).concat(open ? transfer : [])));
  }

  protected controlText(number: number): string {
    return count(number, 'control connection');
  }

  protected save(): void {
    download('mptcp-connections.csv', connectionsCsv(this.matching()));
  }

  protected scrolled(): void {
    this.top.set(this.scroller().nativeElement.scrollTop);
  }

  protected picked(event: MouseEvent, id: string): void {
    this.cursor.set(id);
    if (event.ctrlKey || event.metaKey) {
      this.store.toggle(id);
    } else {
      this.store.select([id]);
    }
  }

  protected ticked(id: string): void {
    this.cursor.set(id);
    this.store.toggle(id);
  }

  protected key(event: KeyboardEvent, id: string): void {
    const rows = this.rows();
    const at = this.places().get(id) ?? 0;
    const page = Math.max(1, Math.floor(this.height() / ROW_HEIGHT) - 2);
    const steps: Record<string, number> = {
      ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: rows.length - 1,
    };
    if (event.key in steps) {
      this.moveTo(Math.max(0, Math.min(rows.length - 1, steps[event.key])));
    } else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
      this.unfold(this.transfers().get(id) ?? id, event.key === 'ArrowRight');
    } else if (event.key === 'Enter') {
      this.store.select([id]);
    } else if (event.key === ' ') {
      this.store.toggle(id);
    } else if (event.key === 'Escape') {
      this.store.select([]);
    } else {
      return;
    }
    event.preventDefault();
  }

  protected age(connection: Connection): string {
    return shortSpan(this.store.state().millis - connection.createdMillis);
  }

  protected measured(connection: Connection): string {
    return mbps(measured(connection));
  }

  protected expected(connection: Connection): string {
    return mbps(expected(connection));
  }

  protected attainable(connection: Connection): string {
    return mbps(attainableFair(connection));
  }

  private moveTo(index: number): void {
    const id = this.rows()[index].id;
    const scroller = this.scroller().nativeElement;
    this.cursor.set(id);
    const head = scroller.querySelector('thead')?.clientHeight ?? 0;
    const y = index * ROW_HEIGHT;
    if (y < scroller.scrollTop) {
      scroller.scrollTop = y;
    } else if (y + ROW_HEIGHT + head > scroller.scrollTop + scroller.clientHeight) {
      scroller.scrollTop = y + ROW_HEIGHT + head - scroller.clientHeight;
    }
    this.scrolled();
    // Later, because the row is drawn only after it has come into view.
    setTimeout(() => scroller.querySelector<HTMLElement>(`tr[data-id="${CSS.escape(id)}"]`)?.focus());
  }
}
