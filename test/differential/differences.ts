/** Where this package means to differ from NestJS, and why. The suite fails for any difference that is not here, and for a row that never occurs. */
export const DIFFERENCES = Object.freeze({
  'alias of a transient':
    'get() of an alias of a transient provider is refused like get() of the provider; NestJS keeps one instance for the alias.',
  'all problems together':
    'A boot that fails reports everything that is wrong with the graph, where NestJS throws the first thing it meets.',
  'captive dependency': 'A singleton that depends on request scope is refused, where NestJS makes it request-scoped without a word.',
  'circle that hangs': 'Some circles make NestJS wait for ever; here they are refused.',
  'circle beside a forwardRef':
    'A circle of which no link has forwardRef() is refused; NestJS lets it pass when a class in it has forwardRef() on another parameter.',
  'circle in request scope':
    'A circle among request-scoped providers is refused before the start; NestJS meets it when it first has to build one of them.',
  'circle order':
    'In a circle the start hooks follow the dependencies that are not behind forwardRef(); NestJS follows the order in which it happened to load.',
  'circle through an optional dependency':
    'A circle is refused also where a dependency in it is optional; NestJS leaves that one undefined.',
  'close once': 'A second close() does nothing, where NestJS runs the end hooks again.',
  'dependency first':
    'A start hook runs after those of everything the instance depends on, also across modules; NestJS goes by module distance alone.',
  'duplicate token': 'One token twice in one module is refused, where NestJS lets the last one win.',
  'exact reverse': 'End hooks run in the exact reverse of the start hooks; NestJS keeps the order within a level, and module classes last.',
  'failed start is ended': 'A start that fails is ended at once, so without a signal; NestJS ends it when it is closed.',
  'forwardRef in a factory':
    'What depends on a factory that asks through forwardRef() waits for it; NestJS takes it for a circle and gives null.',
  'inquirer is the consumer':
    'INQUIRER gives the consumer itself, and undefined where nobody consumes; NestJS gives an empty object of the class.',
  'level behind forwardRef':
    'A provider is one level above everything it asks for; NestJS does not wait for what asks through forwardRef(), and may put what depends on it too low.',
  'one call for one object': 'An object that stands under several providers has its hooks called once.',
  'operation ends its instances': 'onModuleDestroy runs on a request-scoped instance when its operation ends; NestJS never ends them.',
  'one forwardRef in request scope': 'forwardRef() on one side of a circle is enough; in request scope NestJS needs it on both.',
  'promises in a circle': 'Dynamic modules that import each other as promises boot; NestJS follows them round and round for ever.',
  'self is a circle': 'A class that asks for itself is reported as the circle it is; NestJS calls the dependency unknown.',
  'transient ties':
    'Instances of one transient provider, whose hooks run side by side, begin in the order of construction; NestJS loads them in an order of its own.',
  'undecorated import': 'A class without @Module() in "imports" is refused, where NestJS takes it for an empty module.',
});

export type DifferenceName = keyof typeof DIFFERENCES;
