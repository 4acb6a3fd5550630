/** Injects, into a transient provider, the instance that it is built for; `undefined` when it was asked for from outside. */
export const INQUIRER = 'INQUIRER';
