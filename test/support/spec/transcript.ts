import { Conversation } from './conversation';
import type { Line, Recorder } from './line';

/** Keeps what goes over every wire of a test, and says afterwards what is wrong with it: no test waits for the checks. */
export class Transcript {
  readonly #conversations = new Map<string, Conversation>();
  readonly #sources: (() => readonly Line[])[] = [];
  /** How many messages of servers were looked at. */
  checked = 0;
  #lines: Line[] = [];

  readonly record: Recorder = (line) => void this.#lines.push(line);

  /** Asks this too, whenever the lines are looked at. */
  addSource(source: () => readonly Line[]): void {
    this.#sources.push(source);
  }

  /** What is wrong with the lines since the last time. */
  takeProblems(): string[] {
    const lines = [...this.#lines, ...this.#sources.flatMap((source) => source())];
    this.#lines = [];
    return lines.flatMap(({ wire, from, text, revision }) => {
      const conversation = this.#conversations.get(wire) ?? new Conversation();
      this.#conversations.set(wire, conversation);
      if (from === 'client') return conversation.hear(text);
      this.checked += 1;
      return conversation.say(text, revision);
    });
  }
}

/** Everything that the servers of this test file and its child processes say. */
export const transcript = new Transcript();
