import { IsEmail, IsIn, IsInt, IsString, Matches, Max, MaxLength, Min, MinLength } from 'class-validator';
import { Field, InputDeclined, McpContext, McpTool, type ToolHandler } from 'perch-mcp';
import { Reservations } from './reservations';

export class BookTableInput {
  @Field({ description: 'The day, as 2026-12-31' }) @Matches(/^\d{4}-\d{2}-\d{2}$/) day!: string;
  @Field({ description: 'How many come' }) @IsInt() @Min(1) @Max(12) guests!: number;
}

// #region forms
export class Contact {
  @Field({ title: 'Name', description: 'Who the table is for' }) @IsString() @MinLength(1) @MaxLength(80) name!: string;
  @Field({ title: 'E-mail', description: 'Where a change can reach you' }) @IsEmail() email!: string;
}

export class Choice {
  @Field({ title: 'Seat', description: 'Where you want to sit' }) @IsIn(['inside', 'terrace']) seat: 'inside' | 'terrace' = 'inside';
}
// #endregion forms

// #region tool
@McpTool({ name: 'book_table', description: 'Books a table', input: BookTableInput })
export class BookTableTool implements ToolHandler<BookTableInput, string> {
  constructor(private readonly reservations: Reservations) {}

  async execute({ day, guests }: BookTableInput, context: McpContext): Promise<string> {
    const { name } = await context.ask('contact', { message: `Who comes on ${day}?`, schema: Contact });
    // A modern client brings each answer with a new request, which runs this method from its start: a table must be held once.
    const held = await context.once('hold', () => this.reservations.hold({ day, guests, name }));
    try {
      const { seat } = await context.ask('seat', { message: `We hold table ${held.table} for ${name}. Book it?`, schema: Choice });
      this.reservations.confirm(held, seat);
      return `Table ${held.table}, ${seat}, is booked for ${name} on ${day}.`;
    } catch (error) {
      if (!(error instanceof InputDeclined)) throw error;
      this.reservations.release(held);
      return `Table ${held.table} is free again; nothing is booked.`;
    }
  }
}
// #endregion tool
