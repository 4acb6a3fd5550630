// The code of docs/asking.md that no sample has. asking-page.test.ts runs it.
import { setTimeout as delay } from 'node:timers/promises';
import { IsString } from 'class-validator';
import { FLOW_STORE, Inject, Injectable, McpContext, McpTool, Module, type FlowStore, type RoundOutcome } from 'perch-mcp';

// #region store
/** A table that every process sees. `add` says whether the row is new, as inserting a primary key does. */
export interface Rows {
  add(key: string, value: unknown): Promise<boolean>;
  set(key: string, value: unknown): Promise<void>;
  get(key: string): Promise<unknown>;
  remove(key: string): Promise<void>;
  /** The rows whose keys begin so, by the rest of their keys. */
  below(prefix: string): Promise<Record<string, unknown>>;
}

@Injectable()
export class SharedFlowStore implements FlowStore {
  constructor(@Inject('ROWS') private readonly rows: Rows) {}

  claim(flow: string, round: number): Promise<boolean> {
    return this.rows.add(`${flow}/round/${round}`, 'running');
  }

  settle(flow: string, round: number, outcome: RoundOutcome): Promise<void> {
    return this.rows.set(`${flow}/round/${round}`, outcome);
  }

  release(flow: string, round: number): Promise<void> {
    return this.rows.remove(`${flow}/round/${round}`);
  }

  async outcome(flow: string, round: number): Promise<RoundOutcome | undefined> {
    for (;;) {
      const row = await this.rows.get(`${flow}/round/${round}`);
      if (row !== 'running') return row as RoundOutcome | undefined;
      await delay(50);
    }
  }

  effects(flow: string): Promise<Record<string, unknown>> {
    return this.rows.below(`${flow}/effect/`);
  }

  keepEffect(flow: string, key: string, value: unknown): Promise<void> {
    return this.rows.set(`${flow}/effect/${key}`, value);
  }
}
// #endregion store

class Address {
  @IsString() address!: string;
}

/** Sends a parcel, and gives its number. */
export type Post = (address: string) => Promise<number>;

@Injectable()
class Parcels {
  constructor(@Inject('POST') private readonly post: Post) {}

  @McpTool({ name: 'send', description: 'Sends a parcel' })
  async send(_input: object, context: McpContext): Promise<string> {
    const { address } = await context.ask('address', { message: 'Where to?', schema: Address });
    const number = await context.once('send', () => this.post(address));
    return `Parcel ${number} is on its way.`;
  }
}

/** The module of one process. */
export function shopOver(rows: Rows, post: Post) {
  class Shop {}
  const providers = [
    Parcels,
    { provide: 'POST', useValue: post },
    // #region provide
    { provide: 'ROWS', useValue: rows },
    { provide: FLOW_STORE, useClass: SharedFlowStore },
    // #endregion provide
  ];
  Module({ providers })(Shop);
  return Shop;
}
