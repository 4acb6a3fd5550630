import { Injectable, McpTool, type McpContext } from 'perch-mcp';

/** Calls of the tool `held` that a test holds in its hands: each waits until it is told how to go on. */
@Injectable()
export class HeldCalls {
  readonly #entered: McpContext[] = [];
  readonly #waiting: ((context: McpContext) => void)[] = [];
  #finish: ((value: string) => void)[] = [];

  @McpTool({ name: 'held', description: 'Waits until the test lets it end' })
  held(_input: object, context: McpContext): Promise<string> {
    const wake = this.#waiting.shift();
    if (wake === undefined) this.#entered.push(context);
    else wake(context);
    return new Promise((resolve) => this.#finish.push(resolve));
  }

  /** How many calls have begun and were not told to end. */
  get running(): number {
    return this.#finish.length;
  }

  /** The context of the next call that begins. */
  async entered(): Promise<McpContext> {
    return this.#entered.shift() ?? new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Lets every call end with this text. */
  finish(text: string): void {
    for (const finish of this.#finish.splice(0)) finish(text);
  }
}
