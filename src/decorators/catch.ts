import type { ErrorType } from '../contracts/enhancers';
import { updateRecord } from './metadata';

/** Says which errors a filter answers: instances of these classes, or every error without any. */
export function Catch(...types: ErrorType[]): ClassDecorator {
  return (target) => {
    updateRecord(target, (own) => ({ ...own, catches: Object.freeze([...types]) }));
  };
}
