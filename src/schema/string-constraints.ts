import { approximate, count, exact, Inexpressible, residual, type ConstraintRow, type Expression } from './constraint-row';
import { escapeRegExp } from './json';

/** Checks of class-validator whose rules only the constraint itself knows. All of them refuse everything but strings. */
const OPAQUE = [
  ['IsLatLong', 'IsDecimal', 'IsAscii', 'IsBase64', 'IsByteLength', 'IsCreditCard', 'IsCurrency', 'IsFullWidth', 'IsHalfWidth'],
  ['IsVariableWidth', 'IsHexColor', 'IsMACAddress', 'IsPort', 'IsISBN', 'IsISIN', 'IsISO8601', 'IsDateString', 'IsJSON', 'IsJWT'],
  ['IsLowercase', 'IsUppercase', 'IsMobilePhone', 'IsISO31661Alpha2', 'IsISO31661Alpha3', 'IsISO31661Numeric', 'IsMultibyte'],
  ['IsSurrogatePair', 'IsFirebasePushId', 'IsPhoneNumber', 'IsHash', 'IsISSN', 'IsBooleanString', 'IsNumberString', 'IsBase32'],
  ['IsBase58', 'IsBIC', 'IsBtcAddress', 'IsDataURI', 'IsEAN', 'IsEthereumAddress', 'IsHSL', 'IsIBAN', 'IsIdentityCard', 'IsISRC'],
  ['IsLocale', 'IsMagnetURI', 'IsMimeType', 'IsOctal', 'IsPassportNumber', 'IsPostalCode', 'IsRgbColor', 'IsSemVer'],
  ['IsStrongPassword', 'IsTaxId', 'IsTimeZone', 'IsISO4217CurrencyCode', 'IsISO6391'],
].flat();

/** The rows for decorators about text. */
export const STRING_CONSTRAINTS: Readonly<Record<string, ConstraintRow>> = {
  MinLength: exact(([min]) => string({ minLength: count(min) })),
  MaxLength: exact(([max]) => string({ maxLength: count(max) })),
  Length: exact(([min, max]) => string({ minLength: count(min), ...(max === undefined ? {} : { maxLength: count(max) }) })),
  Contains: exact(([seed]) => string({ pattern: literal(seed) })),
  NotContains: exact(([seed]) => string({ not: { pattern: literal(seed) } })),
  Matches: approximate(([pattern, modifiers]) => matches(pattern, modifiers)),
  IsMongoId: exact(() => string({ pattern: '^[0-9a-fA-F]{24}$' })),
  IsMilitaryTime: exact(() => string({ pattern: '^([01][0-9]|2[0-3]):?([0-5][0-9])$' })),
  IsHexadecimal: exact(() => string({ pattern: '^(0[xXhH])?[0-9A-Fa-f]+$' })),
  IsAlpha: approximate(([locale]) => inLocale(locale, '^[A-Za-z]+$')),
  IsAlphanumeric: approximate(([locale]) => inLocale(locale, '^[0-9A-Za-z]+$')),
  IsEmail: residual({ type: 'string', format: 'email' }),
  IsUrl: residual({ type: 'string', format: 'uri' }),
  IsUUID: residual({ type: 'string', format: 'uuid' }),
  IsFQDN: residual({ type: 'string', format: 'hostname' }),
  IsRFC3339: residual({ type: 'string', format: 'date-time' }),
  IsIP: { exactness: 'residual', express: ([version]) => ({ ...string(ipFormat(version)), residual: true }) },
  IsLatitude: residual({ type: ['number', 'string'] }),
  IsLongitude: residual({ type: ['number', 'string'] }),
  ...Object.fromEntries(OPAQUE.map((name) => [name, residual({ type: 'string' })])),
};

function string(keywords: object): Expression {
  return { schema: { type: 'string', ...keywords } };
}

function literal(seed: unknown): string {
  if (typeof seed !== 'string' || seed === '') throw new Inexpressible('it needs a text that is not empty');
  if (/\p{Surrogate}/u.test(seed)) throw new Inexpressible('its text is half a character');
  return escapeRegExp(seed);
}

function matches(pattern: unknown, modifiers: unknown): Expression {
  const given = pattern instanceof RegExp ? pattern : new RegExp(String(pattern), typeof modifiers === 'string' ? modifiers : '');
  const flags = given.flags.replace(/[dg]/g, '');
  // JSON Schema patterns are read as with `u`; every other flag changes what the pattern means.
  if (flags !== '' && flags !== 'u') return { ...string({}), residual: true };
  if (!isUnicodePattern(given.source)) return { ...string({}), residual: true };
  const express = string({ pattern: given.source });
  return flags === 'u' || readsSameWithUnicode(given.source) ? express : { ...express, residual: true };
}

function isUnicodePattern(source: string): boolean {
  try {
    return new RegExp(source, 'u').source === source;
  } catch {
    return false;
  }
}

/** Without `u`, what may match "any" character matches half of an emoji. */
function readsSameWithUnicode(source: string): boolean {
  return /^[\x20-\x7e]*$/.test(source) && !/\.|\[\^|\\[DWSpPuk]/.test(source);
}

function inLocale(locale: unknown, pattern: string): Expression {
  return locale === undefined || locale === 'en-US' ? string({ pattern }) : { ...string({}), residual: true };
}

function ipFormat(version: unknown): object {
  if (String(version) === '4') return { format: 'ipv4' };
  return String(version) === '6' ? { format: 'ipv6' } : {};
}
