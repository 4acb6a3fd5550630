import { Injectable, McpTool } from 'perch-mcp';

export interface Reservation {
  readonly table: number;
  readonly day: string;
  readonly guests: number;
  readonly name: string;
  readonly seat?: string;
}

/** The book of the restaurant, in memory. */
@Injectable()
export class Reservations {
  readonly #tables = new Map<number, Reservation>();
  #last = 0;

  /** Keeps a table free for somebody who has not confirmed yet. Every call takes another table. */
  hold(wanted: Omit<Reservation, 'table' | 'seat'>): Reservation {
    const reservation = { table: (this.#last += 1), ...wanted };
    this.#tables.set(reservation.table, reservation);
    return reservation;
  }

  confirm(reservation: Reservation, seat: string): void {
    this.#tables.set(reservation.table, { ...reservation, seat });
  }

  release({ table }: Reservation): void {
    this.#tables.delete(table);
  }

  @McpTool({ name: 'reservations', description: 'Lists the tables that are held or booked', annotations: { readOnlyHint: true } })
  list(): readonly Reservation[] {
    return [...this.#tables.values()];
  }
}
