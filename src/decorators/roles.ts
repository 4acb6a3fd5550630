import { demand, mustBeNames } from './demand';

/**
 * Lets only callers who have one of these roles. `RolesGuard`, or a guard of yours that says `enforces = ['roles']`, decides; an entry with
 * `@Roles()` that no such guard stands before stops the boot. On a class and on a method, both are demanded; so is what parents demand.
 *
 * Throws a `TypeError` at decoration for roles that are not strings.
 */
export function Roles(...roles: readonly [string, ...string[]]): ClassDecorator & MethodDecorator {
  mustBeNames('@Roles()', roles);
  return demand('@Roles()', { roles: [Object.freeze([...roles])] });
}
