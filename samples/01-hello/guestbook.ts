import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsEnum,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { Field, Injectable, McpTool, ToolError } from 'perch-mcp';

export enum Mood {
  Happy = 'happy',
  Calm = 'calm',
  Grumpy = 'grumpy',
}

export class Guest {
  @Field({ description: 'The name of the guest' })
  @IsString()
  @MaxLength(80)
  name!: string;

  @Field({ description: 'Where the guest comes from' })
  @IsOptional()
  @IsString()
  @MaxLength(80)
  city?: string;
}

export class SignInput {
  @Field({ description: 'Who signs' })
  @ValidateNested()
  @Type(() => Guest)
  guest!: Guest;

  @Field({ description: 'How the visit felt' })
  @IsEnum(Mood)
  mood: Mood = Mood.Happy;

  @Field({ description: 'From 1, poor, to 5, wonderful' })
  @IsInt()
  @Min(1)
  @Max(5)
  stars!: number;

  @Field({ description: 'Words that describe the visit' })
  @IsArray()
  @IsString({ each: true })
  @MaxLength(20, { each: true })
  @ArrayMaxSize(5)
  @ArrayUnique()
  tags: string[] = [];
}

@Injectable()
export class Guestbook {
  readonly #entries: SignInput[] = [];

  @McpTool({ name: 'sign_guestbook', description: 'Signs the guestbook', input: SignInput })
  sign(entry: SignInput): string {
    if (this.#entries.some(({ guest }) => guest.name === entry.guest.name)) throw new ToolError(`${entry.guest.name} has signed already.`);
    this.#entries.push(entry);
    return `Thank you, ${entry.guest.name}! You are guest number ${String(this.#entries.length)}.`;
  }

  @McpTool({ name: 'read_guestbook', description: 'Reads what guests have written', annotations: { readOnlyHint: true } })
  read(): { guests: readonly string[]; averageStars: number | null } {
    const total = this.#entries.reduce((sum, { stars }) => sum + stars, 0);
    return {
      guests: this.#entries.map(({ guest, mood }) => `${guest.name} (${mood})`),
      averageStars: this.#entries.length === 0 ? null : total / this.#entries.length,
    };
  }
}
