import { Type } from 'class-transformer';
import { Equals, IsDate, IsInt, IsOptional, IsString, Max, MaxLength, Min, ValidateNested } from 'class-validator';
import { Field, jsonSchema, McpTool } from 'perch-mcp';
import { z } from 'zod';

// #region first
class GreetInput {
  @Field({ description: 'Whom to greet' }) @IsString() @MaxLength(80) name!: string;
  @Field({ description: 'How many times' }) @IsInt() @Min(1) @Max(5) times = 1;
}
// #endregion first

// #region defaults
class SearchInput {
  @IsString() query!: string;
  @IsInt() @Min(1) limit = 20;
}
// #endregion defaults

// #region nested
class Address {
  @IsString() city!: string;
}

class OrderInput {
  @ValidateNested() @Type(() => Address) address!: Address;
  @IsOptional() @ValidateNested({ each: true }) @Type(() => Address) others?: Address[];
}
// #endregion nested

// #region discriminator
class Creation {
  @Equals('create') kind!: 'create';
  @IsString() title!: string;
}

class Deletion {
  @Equals('delete') kind!: 'delete';
  @IsInt() id!: number;
}

const kinds = [
  { name: 'create', value: Creation },
  { name: 'delete', value: Deletion },
];

class ChangeInput {
  @ValidateNested()
  @Type(() => Object, { keepDiscriminatorProperty: true, discriminator: { property: 'kind', subTypes: kinds } })
  change!: Creation | Deletion;
}
// #endregion discriminator

// #region dates
class EventInput {
  @IsDate() @Type(() => Date) start!: Date;
}
// #endregion dates

// #region zod
@McpTool({ name: 'greet', description: 'Greets', input: z.object({ name: z.string().max(80) }) })
class ZodTool {
  execute({ name }: { name: string }) {
    return `Hello, ${name}!`;
  }
}
// #endregion zod

// #region raw
@McpTool({ name: 'greet', description: 'Greets', input: jsonSchema({ type: 'object', properties: { name: { type: 'string' } } }) })
class RawTool {
  execute({ name }: Record<string, unknown>) {
    return `Hello, ${String(name)}!`;
  }
}
// #endregion raw

/** Every input that docs/schema.md shows. */
export const INPUTS = [GreetInput, SearchInput, OrderInput, ChangeInput, EventInput];
/** Every tool that docs/schema.md shows. */
export const TOOLS = [ZodTool, RawTool];
