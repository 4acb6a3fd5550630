import { bootContainer } from './boot';
import { Scope } from '../../src/contracts/scope';
import { INQUIRER } from '../../src/container/inquirer';
import { Inject, forwardRef } from '../../src/decorators/inject';
import { Injectable } from '../../src/decorators/injectable';
import { Module } from '../../src/decorators/module';

interface Other {
  readonly other: unknown;
  name(): string;
}

test('two classes that need each other see one object on both sides', async () => {
  @Injectable()
  class X {
    readonly own = 'x';
    constructor(@Inject(forwardRef(() => Y)) readonly other: Other) {}
    name(): string {
      return this.own;
    }
  }
  @Injectable()
  class Y {
    readonly own = 'y';
    constructor(@Inject(forwardRef(() => X)) readonly other: Other) {}
    name(): string {
      return this.own;
    }
  }
  const container = await bootContainer({ providers: [X, Y] });
  const [x, y] = [container.get(X), container.get(Y)];
  expect(x.other).toBe(y);
  expect(y.other).toBe(x);
  expect([x.other.name(), y.other.name()]).toEqual(['y', 'x']);
  expect(x).toBeInstanceOf(X);
  expect(y).toBeInstanceOf(Y);
});

test('one forwardRef is enough, across modules too, and a property may carry it', async () => {
  @Injectable()
  class Left {
    @Inject(forwardRef(() => Right)) readonly other!: Other;
  }
  @Injectable()
  class Right {
    constructor(readonly left: Left) {}
  }
  @Module({ imports: [forwardRef(() => RightModule)], providers: [Left], exports: [Left] })
  class LeftModule {}
  @Module({ imports: [LeftModule], providers: [Right], exports: [Right] })
  class RightModule {}
  const container = await bootContainer(RightModule);
  expect(container.get(Left).other).toBe(container.get(Right));
  expect(container.get(Right).left).toBe(container.get(Left));
});

test('a circle through an asynchronous factory is closed once the factory is done', async () => {
  @Injectable()
  class Early {
    constructor(@Inject(forwardRef(() => Late)) readonly late: unknown) {}
  }
  @Injectable()
  class Late {
    constructor(
      @Inject(forwardRef(() => Early)) readonly early: unknown,
      @Inject('slow') readonly slow: number,
    ) {}
  }
  const container = await bootContainer({ providers: [Early, Late, { provide: 'slow', useFactory: async () => Promise.resolve(1) }] });
  expect(container.get(Early).late).toBe(container.get(Late));
  expect(container.get(Late)).toMatchObject({ slow: 1, early: container.get(Early) });
});

test('private members work in an object that was handed out before its constructor ran', async () => {
  @Injectable()
  class X {
    #count = 0;
    constructor(@Inject(forwardRef(() => Y)) readonly other: Other) {}
    name(): string {
      return `x${++this.#count}`;
    }
  }
  @Injectable()
  class Y extends Map<string, number> {
    #count = 0;
    readonly open = 'open';
    initialized = false;
    constructor(@Inject(forwardRef(() => X)) readonly other: Other) {
      super();
    }
    name(): string {
      this.set('called', 1);
      return `y${++this.#count}${this.size}`;
    }
    onModuleInit(): void {
      this.initialized = true;
    }
  }
  const container = await bootContainer({ providers: [X, Y] });
  await container.init();
  const [x, y] = [container.get(X), container.get(Y)];
  expect(x.other).toBe(y);
  expect(y.other).toBe(x);
  expect([x.other.name(), y.name(), y.other.name(), x.name()]).toEqual(['y11', 'y21', 'x1', 'x2']);
  expect(y).toBeInstanceOf(Y);
  expect([y.open, y.initialized, Object.keys(y)]).toEqual(['open', true, expect.arrayContaining(['open', 'other'])]);
});

test('INQUIRER gives a transient provider the instance it is built for', async () => {
  @Injectable({ scope: Scope.TRANSIENT })
  class Log {
    constructor(@Inject(INQUIRER) readonly owner: object | undefined) {}
  }
  @Injectable()
  class A {
    constructor(readonly log: Log) {}
  }
  @Injectable({ scope: Scope.TRANSIENT })
  class Between {
    constructor(readonly log: Log) {}
  }
  @Injectable()
  class B {
    constructor(
      readonly log: Log,
      readonly between: Between,
    ) {}
  }
  const container = await bootContainer({ providers: [Log, A, Between, B] });
  const [a, b] = [container.get(A), container.get(B)];
  expect(a.log.owner).toBe(a);
  expect(b.log.owner).toBe(b);
  expect(b.between.log.owner).toBe(b.between);
  expect(b.log).not.toBe(a.log);
  expect((await container.resolve(Log)).owner).toBeUndefined();
});
