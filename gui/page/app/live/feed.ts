// SPDX-License-Identifier: Apache-2.0
import { Delta, Snapshot } from '../model/wire';
import { Refusal } from './api';

/**
 * State of the contact with ONOS: `live` by server-sent events, `polling` where events do not arrive, `gone` if nothing
 * answers, `refused` if the login is not accepted, `absent` if ONOS answers but the application is not active.
 */
export type Contact = 'connecting' | 'live' | 'polling' | 'gone' | 'refused' | 'absent';

export interface Sink {
  snapshot(snapshot: Snapshot): void;
  delta(delta: Delta): void;
  contact(contact: Contact): void;
}

/** Network and clock of the feed; tests provide their own. */
export interface Outside {
  stream(): EventSource;
  snapshot(): Promise<Snapshot>;
  probe(): Promise<void>;
  after(millis: number, task: () => void): () => void;
}

const SILENCE_MILLIS = 5_000;
const POLL_MILLIS = 2_000;
const POLLS_BEFORE_STREAM = 15;
const RETRY_MILLIS = [500, 1_000, 2_000];
/** Number of failures of the stream, while REST answers, after which the page polls. */
const STREAM_FAILURES = 2;

/** Receives the state: by a stream, else by polling. Notices when ONOS does not answer, and reconnects by itself. */
export class Feed {
  private stream: EventSource | null = null;
  private cancel: () => void = () => undefined;
  private streamFailures = 0;
  private retries = 0;
  private polls = 0;
  private stopped = true;

  constructor(private readonly sink: Sink, private readonly outside: Outside) {}

  start(): void {
    this.stopped = false;
    this.sink.contact('connecting');
    this.openStream();
  }

  stop(): void {
    this.stopped = true;
    this.cancel();
    this.stream?.close();
    this.stream = null;
  }

  private openStream(): void {
    const stream = this.outside.stream();
    this.stream = stream;
    const mine = (handle: (data: string) => void) => (event: Event) => {
      if (this.stream === stream) {
        this.heard();
        handle((event as MessageEvent<string>).data);
      }
    };
    stream.addEventListener('snapshot', mine((data) => {
      this.sink.snapshot(JSON.parse(data) as Snapshot);
      this.streamFailures = 0;
      this.retries = 0;
      this.sink.contact('live');
    }));
    stream.addEventListener('delta', mine((data) => this.sink.delta(JSON.parse(data) as Delta)));
    stream.addEventListener('error', () => {
      if (this.stream === stream) {
        this.lost();
      }
    });
    this.heard();
  }

  private heard(): void {
    this.later(SILENCE_MILLIS, () => this.lost());
  }

  private lost(): void {
    this.stream?.close();
    this.stream = null;
    this.streamFailures++;
    this.cancel();
    void this.lookAround();
  }

  private async lookAround(): Promise<void> {
    try {
      await this.outside.probe();
    } catch (failure) {
      this.failed(failure);
      return;
    }
    if (this.stopped) {
      return;
    }
    if (this.streamFailures >= STREAM_FAILURES) {
      this.polls = 0;
      void this.poll();
    } else {
      this.later(RETRY_MILLIS[0], () => this.openStream());
    }
  }

  private failed(failure: unknown): void {
    if (this.stopped) {
      return;
    }
    const status = failure instanceof Refusal ? failure.status : 0;
    this.sink.contact(status === 401 || status === 403 ? 'refused' : status === 0 ? 'gone' : 'absent');
    this.streamFailures = 0;
    const wait = RETRY_MILLIS[Math.min(this.retries++, RETRY_MILLIS.length - 1)];
    this.later(wait, () => void this.lookAround());
  }

  private async poll(): Promise<void> {
    try {
      const snapshot = await this.outside.snapshot();
      if (this.stopped) {
        return;
      }
      this.retries = 0;
      this.sink.snapshot(snapshot);
      this.sink.contact('polling');
    } catch (failure) {
      this.failed(failure);
      return;
    }
    if (++this.polls >= POLLS_BEFORE_STREAM) {
      this.streamFailures = STREAM_FAILURES - 1;
      this.openStream();
    } else {
      this.later(POLL_MILLIS, () => void this.poll());
    }
  }

  private later(millis: number, task: () => void): void {
    this.cancel();
    this.cancel = this.stopped ? () => undefined : this.outside.after(millis, task);
  }
}
