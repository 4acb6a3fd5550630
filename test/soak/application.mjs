// The application that `npm run soak` loads: a few tools that are easy to check, decorated as a compiler would.
import 'reflect-metadata';
import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';

// The built package as CommonJS, which is what it is.
const require = createRequire(import.meta.url);
const { Field, Injectable, jsonSchema, McpFactory, McpPrompt, McpResource, McpTool, Module, Scope } = require('perch-mcp');
const { IsInt, IsOptional, IsString } = require('class-validator');
const { SOAK_HOOKS, SOAK_LIMITS = '{}', SOAK_LOG } = process.env;

/** What has happened in its tools. */
export const counts = { entered: 0, aborted: 0, made: 0, disposed: 0 };

class EchoInput {}
IsString()(EchoInput.prototype, 'text');
Field({ description: 'What comes back' })(EchoInput.prototype, 'text');
IsInt()(EchoInput.prototype, 'times');
IsOptional()(EchoInput.prototype, 'times');
Reflect.defineMetadata('design:type', String, EchoInput.prototype, 'text');
Reflect.defineMetadata('design:type', Number, EchoInput.prototype, 'times');

class Tally {
  constructor() {
    counts.made += 1;
  }
  [Symbol.dispose]() {
    counts.disposed += 1;
  }
}
Injectable({ scope: Scope.REQUEST })(Tally);

class EchoTool {
  constructor(tally) {
    this.tally = tally;
  }
  execute({ text }) {
    return this.tally instanceof Tally ? text : 'no tally';
  }
}
Reflect.defineMetadata('design:paramtypes', [Tally], EchoTool);
McpTool({ name: 'echo', description: 'Gives a text back', input: EchoInput })(EchoTool);

/** What one call keeps while it waits. */
class Desk {}
Injectable({ scope: Scope.REQUEST })(Desk);

class WaitTool {
  constructor(desk) {
    this.desk = desk;
  }
  async execute({ text, ms }, context) {
    this.desk.text = text;
    counts.entered += 1;
    process.send?.({ entered: counts.entered });
    try {
      await pause(ms, undefined, { signal: context.signal });
    } catch (error) {
      counts.aborted += 1;
      throw error;
    }
    return this.desk.text;
  }
}
Reflect.defineMetadata('design:paramtypes', [Desk], WaitTool);
const wait = { type: 'object', properties: { text: { type: 'string' }, ms: { type: 'integer' } }, required: ['text', 'ms'] };
McpTool({ name: 'wait', description: 'Gives a text back later', input: jsonSchema(wait) })(WaitTool);

class FailTool {
  execute() {
    throw new Error(`planted-secret ${import.meta.url}`);
  }
}
McpTool({ name: 'fail', description: 'Fails' })(FailTool);

class Note {
  read({ id }) {
    return `note ${id}`;
  }
}
McpResource({ uri: 'note://{id}', name: 'note' })(Note);

class Letter {
  get() {
    return 'Dear reader';
  }
}
McpPrompt({ name: 'letter' })(Letter);

/** Writes down each hook as it runs. */
class Hooks {}
for (const hook of ['onModuleInit', 'onApplicationBootstrap', 'onModuleDestroy', 'beforeApplicationShutdown', 'onApplicationShutdown'])
  Hooks.prototype[hook] = () => SOAK_HOOKS && appendFileSync(SOAK_HOOKS, `${hook}\n`);
Injectable()(Hooks);

class SoakModule {}
Module({ providers: [Tally, Desk, EchoTool, WaitTool, FailTool, Note, Letter, Hooks] })(SoakModule);

export function create() {
  const log = SOAK_LOG === undefined ? { logger: false } : {};
  return McpFactory.create(SoakModule, { name: 'soak', version: '1.0.0', limits: JSON.parse(SOAK_LIMITS), ...log });
}
