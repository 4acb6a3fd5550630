// Asks NestJS's own Reflector the questions of reflection.test.ts: it is an ES module, which jest cannot load. Prints the answers as JSON.
import 'reflect-metadata';
import { applyDecorators, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

const pairs = JSON.parse(process.argv[2]);
const reflector = new Reflector();

/** A class and its method with these values. */
function targetsOf([ofClass, ofMethod]) {
  class Decorated {
    method() {}
  }
  const descriptor = Object.getOwnPropertyDescriptor(Decorated.prototype, 'method');
  if (ofMethod !== undefined) SetMetadata('key', ofMethod)(Decorated.prototype, 'method', descriptor);
  if (ofClass !== undefined) SetMetadata('key', ofClass)(Decorated);
  return [descriptor.value, Decorated];
}

function answerOf(question, pair) {
  const targets = targetsOf(pair.map(({ value }) => value));
  try {
    return { value: reflector[question]('key', question === 'get' ? targets[0] : targets) };
  } catch {
    return { thrown: true };
  }
}

const order = [];
class Applied {}
applyDecorators(
  () => order.push(1),
  () => order.push(2),
)(Applied);
const Level = Reflector.createDecorator({ key: 'level' });
const Bare = Reflector.createDecorator();
Level(3)(Applied);
Bare()(Applied);
const made = [reflector.get(Level, Applied), reflector.get('level', Applied), reflector.get(Bare, Applied) ?? null, Level.KEY];

const questions = ['get', 'getAll', 'getAllAndOverride', 'getAllAndMerge'];
const answers = Object.fromEntries(questions.map((question) => [question, pairs.map((pair) => answerOf(question, pair))]));
process.stdout.write(JSON.stringify({ answers, order, made }));
