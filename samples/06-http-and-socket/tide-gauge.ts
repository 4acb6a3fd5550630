import { Injectable } from 'perch-mcp';

const HALF_TIDE_MS = 6.21 * 3_600_000;

/** Stands in for a device or a database: something that can be lost, and is back after a restart. */
@Injectable()
export class TideGauge {
  #isPlugged = true;

  get isPlugged(): boolean {
    return this.#isPlugged;
  }

  /** Metres above the mean. */
  read(at: number): number {
    if (!this.#isPlugged) throw new Error('The gauge does not answer');
    return Math.round(100 * 3.2 * Math.sin((Math.PI * at) / HALF_TIDE_MS)) / 100;
  }

  unplug(): void {
    this.#isPlugged = false;
  }
}
