// What one operation pays for request scope: open, build a handler with two request-scoped dependencies, close. Prints microseconds.
import 'reflect-metadata';
import { performance } from 'node:perf_hooks';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { Injectable, McpContext, McpTool, Module, Scope } = require('perch-mcp');
// The scope is the container's own affair, which the package does not export.
const { Container } = require('../../dist/container/container.js');

const ROUNDS = 9;
const OPERATIONS = 100_000;

class Tenant {
  constructor(context) {
    this.context = context;
  }
}
class Session {
  constructor(tenant) {
    this.tenant = tenant;
  }
}
class Who {
  constructor(tenant, session) {
    this.tenant = tenant;
    this.session = session;
  }
  execute() {
    return this.session.tenant.context.requestId;
  }
}
class Root {}
Reflect.defineMetadata('design:paramtypes', [McpContext], Tenant);
Reflect.defineMetadata('design:paramtypes', [Tenant], Session);
Reflect.defineMetadata('design:paramtypes', [Tenant, Session], Who);
Injectable({ scope: Scope.REQUEST })(Tenant);
Injectable({ scope: Scope.REQUEST })(Session);
McpTool({ name: 'who', description: 'who' })(Who);
Module({ providers: [Tenant, Session, Who] })(Root);

const container = await Container.scan(Root, { logger: console });
const problems = await container.build();
if (problems.length > 0) throw new Error(problems[0].problem);
const [who] = container.references(Who);
const context = Object.assign(Object.create(McpContext.prototype), { requestId: 1 });

async function operate(count) {
  for (let each = 0; each < count; each += 1) {
    const scope = container.openScope(context);
    if (who.get(scope).execute() !== 1) throw new Error('another operation');
    await scope.close();
  }
}

await operate(OPERATIONS);
const rounds = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const start = performance.now();
  await operate(OPERATIONS);
  rounds.push(((performance.now() - start) * 1_000) / OPERATIONS);
}
console.log(JSON.stringify({ microseconds: rounds.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] }));
