import { IsString } from 'class-validator';
import {
  Injectable,
  McpTool,
  RateLimit,
  Reflector,
  Requires,
  Roles,
  Scopes,
  SetMetadata,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from 'perch-mcp';

// Each `@ts-expect-error` is an assertion: the file does not compile, and the test fails, when the line below it is accepted.

class Input {
  @IsString() path!: string;
}

const Audience = Reflector.createDecorator<readonly string[]>();

@Scopes('docs:read', 'docs:write', { hide: true })
@Roles('admin', 'owner')
@RateLimit({ points: 5, durationMs: 60_000 })
@Requires({ fsRead: '/data', network: ['a.example', 'b.example'] })
@SetMetadata('team', 'docs')
@Audience(['staff'])
@Injectable()
class Fits {
  @Scopes('docs:read')
  @Roles('admin')
  @RateLimit({ points: 1, durationMs: 1 })
  @Requires<Input>({ fsRead: ({ path }) => path, socket: ({ path }) => [path] })
  @Requires({ fsWrite: (input: Input) => input.path })
  @SetMetadata('team', { any: 'value' })
  @Audience(['staff'])
  @McpTool({ name: 'fits', description: 'd', input: Input })
  method({ path }: Input): string {
    return path;
  }
}

const { KEY } = SetMetadata<'team'>('team', 1);
const TYPED: 'team' = KEY;

class AsksReflector implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const reflector = new Reflector();
    const audience: readonly string[] | undefined = reflector.getAllAndOverride(Audience, [context.getHandler(), context.getClass()]);
    // @ts-expect-error -- the decorator says what its value is
    const wrong: number | undefined = reflector.get(Audience, context.getHandler());
    return audience !== undefined && wrong === undefined;
  }
}

// What JavaScript could say all the same is refused at decoration, where it is applied to nothing.
const refused: readonly (() => unknown)[] = [
  // @ts-expect-error -- nothing would be demanded
  () => Scopes(),
  // @ts-expect-error -- options alone demand nothing
  () => Scopes({ hide: true }),
  // @ts-expect-error -- a scope is a string
  () => Scopes(5),
  // @ts-expect-error -- nothing would be demanded
  () => Roles(),
  // @ts-expect-error -- a role is a string
  () => Roles('admin', 5),
  // @ts-expect-error -- a time is missing
  () => RateLimit({ points: 5 }),
  // @ts-expect-error -- points are a number
  () => RateLimit({ points: '5', durationMs: 1 }),
  // @ts-expect-error -- there is no such requirement
  () => Requires({ fsDelete: '/data' }),
  // @ts-expect-error -- a path is a string
  () => Requires({ fsRead: 5 }),
];

const accepted = [
  // @ts-expect-error -- the option is "hide"
  () => Scopes('docs', { hidden: true }),
  // @ts-expect-error -- a requirement is known at once
  () => Requires({ fsRead: async (input: Input) => input.path }),
  // @ts-expect-error -- the decorator was made for lists of strings
  () => Audience('staff'),
  // @ts-expect-error -- a guard has canActivate
  () => UseGuards({ canPass: () => true }),
];

test('the security decorators stand on classes and methods, and a reflected value has its type', () => {
  expect([Fits, AsksReflector]).toHaveLength(2);
  expect(TYPED).toBe('team');
  expect(accepted).toHaveLength(4);
});

test.each(refused.map((decorate) => [decorate.toString(), decorate]))(
  'what the compiler refuses is refused at decoration: %s',
  (_text, decorate) => {
    expect(decorate).toThrow(TypeError);
  },
);

test('a property and a parameter are refused by the compiler', () => {
  class Misplaced {
    // @ts-expect-error -- a property is neither a class nor a method
    @Audience(['staff'])
    readonly name = 'x';
  }
  expect(Misplaced).toBeDefined();
});
