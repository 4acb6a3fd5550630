// The application that both sides boot: modules in a tree, five providers in each, one of them exported to the module above.
import 'reflect-metadata';

export const PROVIDERS_PER_MODULE = 5;

/** Makes the root module with the decorators of one side. No class is shared between two calls. */
export function makeApplication(modules, { Module, Injectable }) {
  const exported = [];
  const types = [];
  for (let index = modules - 1; index >= 0; index -= 1) {
    const below = [2 * index + 1, 2 * index + 2].filter((each) => each < modules);
    const providers = makeProviders(
      index,
      below.map((each) => exported[each]),
      Injectable,
    );
    exported[index] = providers.at(-1);
    types[index] = named(`Module${index}`);
    Module({ imports: below.map((each) => types[each]), providers, exports: [exported[index]] })(types[index]);
  }
  return types[0];
}

/** Each asks for what the modules below export, or for the one or two before it. */
function makeProviders(module, fromBelow, Injectable) {
  const providers = [];
  for (let index = 0; index < PROVIDERS_PER_MODULE; index += 1) {
    const type = named(`Provider${module}x${index}`);
    Reflect.defineMetadata('design:paramtypes', index === 0 ? fromBelow : providers.slice(-2), type);
    Injectable()(type);
    providers.push(type);
  }
  return providers;
}

function named(name) {
  const type = class {
    constructor(...dependencies) {
      this.dependencies = dependencies;
    }
    onModuleInit() {
      this.isStarted = true;
    }
  };
  Object.defineProperty(type, 'name', { value: name });
  return type;
}
