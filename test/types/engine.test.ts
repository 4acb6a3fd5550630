import { IsString } from 'class-validator';
import { Engine, EngineModule, EngineRegistry, toTool, type EngineContext } from 'perch-mcp';

// Each `@ts-expect-error` is an assertion: the file does not compile, and the test fails, when the line below it is accepted.

class Input {
  @IsString() text!: string;
}

@Engine()
class Implements implements Engine {
  readonly id = 'a';
  execute(context: EngineContext): unknown {
    return context.request.strategy;
  }
}

@Engine({ id: 'b', input: Input, output: Input, timeoutMs: 5, annotations: { readOnlyHint: true } })
class ExistingClass {
  // A context of its own, which knows nothing of this package.
  async execute(context: { request: { input: { text: string } }; provider: { chat(): string } }): Promise<{ text: string }> {
    return { text: context.provider.chat() };
  }
}

@Engine({ id: 'c' })
class TakesNothing {
  constructor(readonly dependency: Input) {}
  execute(): void {}
}

@Engine()
abstract class AbstractEngine {
  abstract readonly id: string;
  abstract execute(context: EngineContext<Input>): string;
}

@Engine({ id: 'd' })
class Arrow {
  readonly execute = (): number => 1;
}

// @ts-expect-error -- execute is missing
@Engine({ id: 'e' })
class NoExecute {}

// @ts-expect-error -- execute is private
@Engine({ id: 'f' })
class PrivateExecute {
  private execute(): void {}
}

// @ts-expect-error -- execute is no method
@Engine({ id: 'g' })
class NoMethod {
  readonly execute = 'run';
}

// @ts-expect-error -- an instance executes, not the class
@Engine({ id: 'h' })
class StaticExecute {
  static execute(): void {}
}

// @ts-expect-error -- an id is a string
@Engine({ id: 5 })
class WrongId {
  execute(): void {}
}

test('the decorator accepts any class with execute(context), and the compiler refuses the rest', () => {
  const accepted = [Implements, ExistingClass, TakesNothing, AbstractEngine, Arrow];
  const refused = [NoExecute, PrivateExecute, NoMethod, StaticExecute, WrongId];
  expect([...accepted, ...refused].every((each) => typeof each === 'function')).toBe(true);
});

test('an option that there is not is refused by the compiler, and at decoration', () => {
  // @ts-expect-error -- there is no such option
  expect(() => Engine({ id: 'i', inputs: Input })).toThrow(/no option "inputs"/);
});

test('a method is refused by the compiler, and at decoration with its name', () => {
  const decorate = (): unknown => {
    class Methods {
      // @ts-expect-error -- an engine is a class
      @Engine({ id: 'j' })
      execute(): void {}
    }
    return Methods;
  };
  expect(decorate).toThrow(/the method Methods\.execute/);
});

test('plain objects and instances of any class with execute are engines; a class is none', () => {
  const registry = new EngineRegistry();
  registry.register(new Implements());
  registry.register(new ExistingClass());
  registry.register({ id: 'plain', execute: ({ request }: EngineContext<{ n: number }>) => request.input.n });
  expect(toTool(new TakesNothing(new Input())).name).toBe('c');
  // @ts-expect-error -- the class itself
  expect(() => registry.register(Implements)).toThrow(/The class Implements/);
  // @ts-expect-error -- execute is missing
  expect(() => registry.register({ id: 'k' })).toThrow(/no method execute/);
  // @ts-expect-error -- there is no such option
  EngineModule.forRoot({ expose: true });
  // @ts-expect-error -- a filter decides at once
  EngineModule.forRoot({ include: async () => true });
  // @ts-expect-error -- a name is a string
  EngineModule.forRoot({ toolName: () => 5 });
  expect(registry.list()).toHaveLength(3);
});
