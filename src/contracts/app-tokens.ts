/** Provide a guard under this token, in any module, to have it run before every operation. May stand in one module several times. */
export const APP_GUARD = Symbol.for('perch-mcp:APP_GUARD');

/** As {@link APP_GUARD}, for pipes. */
export const APP_PIPE = Symbol.for('perch-mcp:APP_PIPE');

/** As {@link APP_GUARD}, for interceptors. */
export const APP_INTERCEPTOR = Symbol.for('perch-mcp:APP_INTERCEPTOR');

/** As {@link APP_GUARD}, for exception filters. */
export const APP_FILTER = Symbol.for('perch-mcp:APP_FILTER');
