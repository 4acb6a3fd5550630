/** A decorator that {@link SetMetadata} made; `KEY` is what `Reflector` finds its value by. */
export type MetadataDecorator<K = string> = ClassDecorator & MethodDecorator & { readonly KEY: K };

/** Attaches a value to a class or a method, for guards and interceptors to read with `Reflector`, as in NestJS. It decides nothing itself. */
export function SetMetadata<K = string, V = unknown>(key: K, value: V): MetadataDecorator<K> {
  const decorate = (target: object, _method?: PropertyKey, descriptor?: PropertyDescriptor): void =>
    Reflect.defineMetadata(key, value, descriptor === undefined ? target : (descriptor.value as object));
  return Object.assign(decorate as ClassDecorator & MethodDecorator, { KEY: key });
}
