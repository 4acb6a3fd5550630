/** Makes one decorator out of several, as in NestJS. They are applied in the order given. */
export function applyDecorators(...decorators: readonly (ClassDecorator | MethodDecorator | PropertyDecorator)[]) {
  return (target: object, property?: string | symbol, descriptor?: PropertyDescriptor): void => {
    for (const decorator of decorators) {
      if (property === undefined) (decorator as ClassDecorator)(target as never);
      else (decorator as MethodDecorator)(target, property, descriptor as never);
    }
  };
}
