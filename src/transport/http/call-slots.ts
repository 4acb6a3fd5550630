/** How many requests may be answered at once, on all connections together. Who finds them taken is told to come back: nobody waits in line. */
export class CallSlots {
  #taken = 0;

  constructor(private readonly size: number) {}

  get isFull(): boolean {
    return this.#taken >= this.size;
  }

  /** Takes one, also above the size; the result gives it back, once. */
  take(): () => void {
    this.#taken += 1;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#taken -= 1;
    };
  }
}
