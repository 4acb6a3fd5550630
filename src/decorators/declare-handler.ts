import { isClass } from '../contracts/type';
import { updateRecord, type HandlerDeclaration } from './metadata';

/** How one of our words is put on classes and methods. */
export interface HandlerWord {
  /** As it stands in the author's file, for messages. */
  readonly word: string;
  /** The method it means on a class; undefined for a word that stands on methods only. */
  readonly classMethod: string | undefined;
  /** False for a word that stands on classes only. */
  readonly isForMethods?: boolean;
  readonly declare: (place: Pick<HandlerDeclaration, 'method' | 'isOfClass'>) => HandlerDeclaration;
}

/** A decorator that fits every class and method; which of them the compiler lets it stand on is for its type to say. */
export type HandlerDecorator = (target: object, method?: string | symbol, descriptor?: PropertyDescriptor) => void;

/** Makes the decorator that stores the declaration. It throws a `TypeError` on anything but a class or an instance method. */
export function declareHandler({ word, classMethod, isForMethods = true, declare }: HandlerWord): HandlerDecorator {
  const places = [...(classMethod === undefined ? [] : [`a class with ${classMethod}()`]), ...(isForMethods ? ['an instance method'] : [])];
  const fix = `Put it on ${places.join(', or on ')}.`;
  const misplaced = (place: string): TypeError => new TypeError(`${word} stands on ${place}. ${fix}`);
  const add = (target: object, declaration: HandlerDeclaration): void =>
    updateRecord(target, (own) => ({ ...own, handlers: Object.freeze([...(own.handlers ?? []), Object.freeze(declaration)]) }));
  return (target, method, descriptor) => {
    if (typeof method === 'object') throw notExperimental(word);
    if (method === undefined) {
      if (classMethod === undefined) throw misplaced(`the class ${(target as { name: string }).name}`);
      return add(target, declare({ method: classMethod, isOfClass: true }));
    }
    if (!isForMethods) throw misplaced(`the method ${target.constructor.name}.${String(method)}`);
    if (isClass(target)) throw misplaced(`the static method ${target.name}.${String(method)}`);
    if (typeof descriptor?.value !== 'function') throw misplaced(`${target.constructor.name}.${String(method)}, which is not a method`);
    add(target.constructor, declare({ method, isOfClass: false }));
  };
}

/** A compiler that was not told otherwise calls decorators as the ECMAScript proposal has them, with a context object. */
function notExperimental(word: string): TypeError {
  return new TypeError(`${word} needs "experimentalDecorators" and "emitDecoratorMetadata" in the tsconfig that your compiler reads.`);
}
