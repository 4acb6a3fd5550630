import { isClass } from '../contracts/type';
import { updateRecord, type FieldOptions } from './metadata';

/** Describes a DTO property in the published schema. It adds no check; validation is class-validator's word. */
export function Field(options: FieldOptions = {}): PropertyDecorator {
  const frozen = Object.freeze({ ...options });
  return (target, property) => {
    if (isClass(target))
      throw new TypeError(`@Field() stands on the static property ${target.name}.${String(property)}. Put it on an instance property.`);
    updateRecord(target.constructor, (own) => ({ ...own, fields: new Map([...(own.fields ?? []), [property, frozen] as const]) }));
  };
}
