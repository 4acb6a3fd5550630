// Boots graphs with the real NestJS: one graph as JSON on each line of stdin, one observation as JSON on each line of stdout, after a
// line that says it is ready.
// Run with tsx, for the files that both sides share.
import 'reflect-metadata';
import { createInterface } from 'node:readline';
import { Global, Inject, Injectable, Module, Optional, Scope, forwardRef } from '@nestjs/common';
import { ContextIdFactory, INQUIRER, NestApplicationContext, NestFactory, REQUEST } from '@nestjs/core';
import observing from './observe.ts';

const { NeverEndsError, observe } = observing;

const KINDS = {
  CircularDependencyException: 'circle',
  InvalidClassModuleException: 'not a module',
  InvalidClassScopeException: 'scoped',
  InvalidModuleException: 'not a module',
  InvalidProviderException: 'not a provider',
  UndefinedDependencyException: 'undefined dependency',
  UndefinedModuleEntryException: 'undefined entry',
  UndefinedModuleException: 'undefined entry',
  UnknownDependenciesException: 'unknown dependency',
  UnknownElementException: 'unknown',
  UnknownExportException: 'unknown export',
  UnknownModuleException: 'unknown',
};

const framework = {
  Module,
  Global,
  Injectable,
  Inject,
  Optional,
  Handler: () => () => undefined,
  forwardRef,
  scopes: Scope,
  tokens: { '@inquirer': INQUIRER, '@operation': REQUEST },
};

// createApplicationContext() runs the start hooks before it returns; a graph whose hooks fail must be closed all the same.
const init = NestApplicationContext.prototype.init;
NestApplicationContext.prototype.init = async function () {
  return this;
};

class NestDriver {
  framework = framework;

  async create(root) {
    this.app = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
  }

  async init() {
    await init.call(this.app);
  }

  async close(signal) {
    await this.app.close(signal);
  }

  get(module, token) {
    return this.app.select(module).get(token, { strict: true });
  }

  resolve(module, token) {
    return this.app.select(module).resolve(token, undefined, { strict: true });
  }

  openOperation(context) {
    const id = ContextIdFactory.create();
    this.app.registerRequestByContextId(context, id);
    return { resolve: (module, token) => this.app.select(module).resolve(token, id, { strict: true }), end: async () => undefined };
  }

  kindsOf(error) {
    if (error instanceof NeverEndsError) return ['never ends'];
    const { name } = error.constructor;
    return [KINDS[name] ?? (name === 'Error' && error.message.endsWith(' fails') ? 'failed' : `${name}: ${error.message}`)];
  }
}

console.log('ready');
for await (const line of createInterface({ input: process.stdin })) {
  const observation = await observe(JSON.parse(line), new NestDriver());
  console.log(JSON.stringify(observation));
}
