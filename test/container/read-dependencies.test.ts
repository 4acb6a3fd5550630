import { delay, inject, injectable } from 'tsyringe';
import { bootContainer } from './boot';
import { readDependencies } from '../../src/container/read-dependencies';
import { Inject, Optional } from '../../src/decorators/inject';
import { Injectable } from '../../src/decorators/injectable';

@Injectable()
class Clock {}

const tokensOf = (type: new (...args: never[]) => unknown): unknown[] => readDependencies(type).all.map((each) => each.token);

test("a class with tsyringe's own decorators works unchanged, beside the global container", async () => {
  @injectable()
  class Service {
    constructor(
      readonly clock: Clock,
      @inject('NAME') readonly name: string,
      @inject('NOTHING', { isOptional: true }) readonly nothing: string | undefined,
      @inject(delay(() => Clock)) readonly late: Clock,
    ) {}
  }
  const container = await bootContainer({ providers: [Service, Clock, { provide: 'NAME', useValue: 'x' }] });
  expect(container.get(Service)).toMatchObject({ name: 'x', nothing: undefined });
  expect(container.get(Service).clock).toBe(container.get(Clock));
  expect(container.get(Service).late).toBe(container.get(Clock));
});

test('a subclass without a constructor asks for what its parent asks for, decorated or not', async () => {
  @Injectable()
  class Parent {
    constructor(
      readonly clock: Clock,
      @Inject('NAME') readonly name: string,
      @Optional() @Inject('NOTHING') readonly nothing?: string,
    ) {}
  }
  class Undecorated extends Parent {}
  @Injectable()
  class Decorated extends Undecorated {}
  const container = await bootContainer({ providers: [Undecorated, Decorated, Clock, { provide: 'NAME', useValue: 'x' }] });
  expect(container.get(Undecorated)).toMatchObject({ name: 'x', clock: container.get(Clock) });
  expect(container.get(Decorated)).toMatchObject({ name: 'x', clock: container.get(Clock) });
});

test('a subclass with a constructor of its own asks for its own parameters only', () => {
  @Injectable()
  class Parent {
    constructor(
      @Inject('parent') readonly parent: string,
      @Optional() readonly clock?: Clock,
    ) {}
  }
  @Injectable()
  class Child extends Parent {
    constructor(@Inject('child') child: string) {
      super(child);
    }
  }
  @Injectable()
  class Bare extends Parent {
    constructor() {
      super('fixed');
    }
  }
  expect(tokensOf(Child)).toEqual(['child']);
  expect(tokensOf(Bare)).toEqual([]);
});

test('a mixin and a proxy of a class ask for what the class asks for', () => {
  @Injectable()
  class Service {
    constructor(readonly clock: Clock) {}
  }
  // A mixin's constructor takes any arguments and passes them on.
  const Mixed = class extends (Service as new (...args: any[]) => Service) {};
  expect(tokensOf(Mixed)).toEqual([Clock]);
  expect(tokensOf(new Proxy(Service, {}))).toEqual([Clock]);
});

test('a library class that a provider extends is not asked for its options', () => {
  class LibraryClient {
    constructor(readonly options?: object) {}
  }
  @Injectable()
  class Client extends LibraryClient {}
  expect(tokensOf(Client)).toEqual([]);
});

test('reading a class leaves its metadata as it was', () => {
  @Injectable()
  class Service {
    constructor(
      readonly clock: Clock,
      @Inject('x') readonly x: string,
    ) {}
  }
  readDependencies(Service);
  expect(Reflect.getOwnMetadata('design:paramtypes', Service)).toEqual([Clock, String]);
  expect(Reflect.getOwnMetadataKeys(Service)).toEqual(['design:paramtypes']);
});
