import * as classValidator from 'class-validator';

/** One decorator with arguments, values it accepts and values it refuses. */
export interface DecoratorCase {
  readonly args?: readonly unknown[];
  readonly accepts: readonly unknown[];
  readonly refuses: readonly unknown[];
}

enum Level {
  low,
  high = 4,
}
enum Colour {
  red = 'RED',
  green = 'GREEN',
}

const text = (accepts: string | readonly string[], refuses: string | readonly string[], ...args: unknown[]): DecoratorCase => ({
  args,
  accepts: [accepts].flat(),
  refuses: [[refuses].flat(), 5, true, null, [], {}].flat(1).concat([[]]),
});

/** At least one case for every decorator in the code's table; a test holds the two equal. */
export const CASES: Readonly<Record<string, readonly DecoratorCase[]>> = {
  IsDefined: [{ accepts: ['', 0, false, [], {}], refuses: [null] }],
  IsNotEmpty: [{ accepts: ['a', 0, false, [], {}], refuses: ['', null] }],
  IsEmpty: [{ accepts: ['', null], refuses: ['a', 0, false, [], {}] }],
  Equals: [
    { args: ['a'], accepts: ['a'], refuses: ['b', 1, null, ['a']] },
    { args: [0], accepts: [0, -0], refuses: ['0', false, null] },
    { args: [null], accepts: [null], refuses: [0, '', 'null'] },
  ],
  NotEquals: [{ args: ['a'], accepts: ['b', 1, null, ['a'], {}], refuses: ['a'] }],
  IsIn: [{ args: [['a', 1, null]], accepts: ['a', 1, null], refuses: ['1', 'b', true, ['a'], {}] }],
  IsNotIn: [{ args: [['a', 1]], accepts: ['b', '1', null, ['a'], {}, true], refuses: ['a', 1] }],
  IsEnum: [
    { args: [Colour], accepts: ['RED', 'GREEN'], refuses: ['red', 0, null, ['RED']] },
    { args: [Level], accepts: [0, 4], refuses: ['low', 'high', 1, '0', null] },
    { args: [{ a: 1, b: 'x' }], accepts: [1, 'x'], refuses: ['a', 'b', 2] },
  ],
  IsBoolean: [{ accepts: [true, false], refuses: ['true', 'false', 0, 1, null, [true]] }],
  IsString: [{ accepts: ['', 'a', '😀'], refuses: [1, null, true, {}, ['a']] }],
  IsInt: [{ accepts: [0, -0, -5, 1.0, 2 ** 53 - 1], refuses: [1.5, '1', null, true, 2 ** 53, -(2 ** 53), Infinity, -Infinity, 1e300] }],
  IsNumber: [
    { accepts: [0, 1.5, -1e300, 5e-324], refuses: ['1', null, true, Infinity, -Infinity] },
    { args: [{ maxDecimalPlaces: 2 }], accepts: [1, 1.25], refuses: [1.234, 1e-7, '1'] },
    { args: [{ allowNaN: true, allowInfinity: true }], accepts: [1], refuses: [Infinity, 'NaN'] },
  ],
  Min: [{ args: [3], accepts: [3, 4.5], refuses: [2.9, '4', null, [4]] }],
  Max: [{ args: [3], accepts: [3, -4.5], refuses: [3.1, '2', null, Infinity] }],
  IsPositive: [{ accepts: [1, 0.1], refuses: [0, -1, '1'] }],
  IsNegative: [{ accepts: [-1, -0.1], refuses: [0, 1, '-1', -Infinity] }],
  IsDivisibleBy: [{ args: [3], accepts: [0, 3, -9], refuses: [1, 2.5, '3', Infinity] }],
  IsObject: [{ accepts: [{}, { a: 1 }], refuses: [[], null, 'x', 1] }],
  IsNotEmptyObject: [
    { accepts: [{ a: 1 }, { a: null }], refuses: [{}, [], null, 'x'] },
    { args: [{ nullable: false }], accepts: [{ a: 1 }, { a: null, b: 1 }], refuses: [{}, { a: null }, []] },
  ],
  IsArray: [{ accepts: [[], [1, 'a']], refuses: [{}, null, 'x'] }],
  ArrayNotEmpty: [{ accepts: [[1], [null]], refuses: [[], {}, null] }],
  ArrayMinSize: [
    {
      args: [2],
      accepts: [
        [1, 2],
        [1, 2, 3],
      ],
      refuses: [[1], [], 'ab', null],
    },
  ],
  ArrayMaxSize: [{ args: [2], accepts: [[], [1, 2]], refuses: [[1, 2, 3], 'a', null] }],
  ArrayUnique: [
    { accepts: [[], [1, '1', true], [0, 1]], refuses: [[1, 1], ['a', 'b', 'a'], [0, -0], null] },
    {
      args: [(each: { id?: unknown } | undefined) => each?.id],
      accepts: [[{ id: 1 }, { id: 2 }]],
      refuses: [[{ id: 1, a: 1 }, { id: 1 }]],
    },
  ],
  ArrayContains: [
    {
      args: [['a', 1]],
      accepts: [
        ['a', 1],
        [1, 2, 'a'],
      ],
      refuses: [['a'], [], 'a1', null],
    },
  ],
  ArrayNotContains: [{ args: [['a', 1]], accepts: [[], ['b', '1']], refuses: [['a'], [2, 1], null, 'a'] }],
  MinLength: [{ args: [2], accepts: ['ab', 'a😀'], refuses: ['a', '😀', '', 5, null, ['a', 'b']] }],
  MaxLength: [{ args: [2], accepts: ['', 'ab', '😀😀'], refuses: ['abc', 5, null, []] }],
  Length: [
    { args: [1, 2], accepts: ['a', 'ab'], refuses: ['', 'abc', 1] },
    { args: [2], accepts: ['ab', 'abc'], refuses: ['a', ['a', 'b']] },
  ],
  Contains: [{ args: ['a.b-/('], accepts: ['xa.b-/(x'], refuses: ['aXb-/(', '', 1, null] }],
  NotContains: [{ args: ['a.b'], accepts: ['', 'aXb'], refuses: ['xa.bx', 1, null] }],
  Matches: [
    { args: [/^[a-z]+$/], accepts: ['abc'], refuses: ['ABC', '', 'a\n', 5] },
    { args: [/^[a-z]+$/i], accepts: ['aBc'], refuses: ['a1', 5] },
    { args: [/^.$/], accepts: ['a'], refuses: ['😀', 'ab', ''] },
    { args: [/^.$/u], accepts: ['a', '😀'], refuses: ['ab'] },
    { args: [new RegExp('^[\\w-\\.]+$')], accepts: ['a-b.c'], refuses: ['a b', ''] },
    { args: ['^a+$', 'gi'], accepts: ['aA'], refuses: ['b', 3] },
  ],
  IsMongoId: [text('507f1f77bcf86cd799439011', ['507f1f77bcf86cd79943901', 'x'])],
  IsMilitaryTime: [text(['23:59', '0000'], ['24:00', '9:61'])],
  IsHexadecimal: [text(['ff', '0xFF'], ['fg', ''])],
  IsAlpha: [text('abcXYZ', ['a1', '', 'é']), text(['é', 'abc'], ['1'], 'fr-FR')],
  IsAlphanumeric: [text('abc1', ['a-1', '']), text('é1', ['-'], 'fr-FR')],
  IsEmail: [text('a@b.de', ['a', 'a@', ''])],
  IsUrl: [text(['https://a.de/x', 'a.de'], ['a', 'http://'])],
  IsUUID: [
    text('123e4567-e89b-42d3-a456-426614174000', 'x'),
    text('123e4567-e89b-42d3-a456-426614174000', '123e4567-e89b-12d3-a456-426614174000', '4'),
  ],
  IsFQDN: [text('a.example.com', ['a', '-.de'])],
  IsRFC3339: [text('2024-05-31T12:00:00Z', ['2024-05-31', 'x'])],
  IsIP: [text(['10.0.0.1', '::1'], 'x'), text('10.0.0.1', '::1', 4), text('::1', '10.0.0.1', '6')],
  IsLatitude: [{ accepts: [45, '45.5', -90], refuses: [91, 'x', null, true, []] }],
  IsLongitude: [{ accepts: [45, '-179.5', 180], refuses: [181, 'x', null, true, []] }],
  IsLatLong: [text('45,10', ['91,10', 'x'])],
  IsDecimal: [text(['1.5', '10'], ['x', ''])],
  IsAscii: [text('abc', 'é')],
  IsBase64: [text('aGVsbG8=', 'a*')],
  IsByteLength: [text(['a', 'ab'], ['é😀', ''], 1, 3)],
  IsCreditCard: [text('4111111111111111', '4111111111111112')],
  IsCurrency: [text(['10.00', '$10.00'], 'x')],
  IsFullWidth: [text('ａ', 'a')],
  IsHalfWidth: [text('a', 'ａ')],
  IsVariableWidth: [text('aａ', 'a')],
  IsHexColor: [text('#ff0000', '#gg')],
  IsMACAddress: [text('01:02:03:04:05:ab', '01:02')],
  IsPort: [text('8080', ['70000', 'x'])],
  IsISBN: [text('978-3-16-148410-0', '123')],
  IsISIN: [text('US0378331005', 'US0378331006')],
  IsISO8601: [text(['2024-05-31', '2024-05-31T12:00:00Z'], 'x')],
  IsDateString: [text('2024-05-31', 'x')],
  IsJSON: [text('{"a":1}', '{a')],
  IsJWT: [text('eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ.c2ln', 'a.b')],
  IsLowercase: [text('abc', 'Abc')],
  IsUppercase: [text('ABC', 'Abc')],
  IsMobilePhone: [text('+4915123456789', 'x')],
  IsISO31661Alpha2: [text('DE', 'XX')],
  IsISO31661Alpha3: [text('DEU', 'XXX')],
  IsISO31661Numeric: [text('276', '999')],
  IsMultibyte: [text('é', 'e')],
  IsSurrogatePair: [text('😀', 'e')],
  IsFirebasePushId: [text('-M-Jh_1KAH2dYzh2qOyK', 'x')],
  IsPhoneNumber: [text('+4930123456', 'x'), text('030 123456', '+33123456789', 'DE')],
  IsHash: [text('d41d8cd98f00b204e9800998ecf8427e', 'x', 'md5')],
  IsISSN: [text('2049-3630', '2049-3631')],
  IsBooleanString: [text(['true', 'false'], 'yes')],
  IsNumberString: [text(['1', '-1.5'], 'x')],
  IsBase32: [text('MFRGG===', 'a')],
  IsBase58: [text('3yZe7d', '0OIl')],
  IsBIC: [text('DEUTDEFF', 'x')],
  IsBtcAddress: [text('1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', 'x')],
  IsDataURI: [text('data:text/plain,abc', 'abc')],
  IsEAN: [text('4006381333931', '4006381333932')],
  IsEthereumAddress: [text('0x0000000000000000000000000000000000000000', '0x0')],
  IsHSL: [text('hsl(360,100%,50%)', 'hsl(x)')],
  IsIBAN: [text('DE89370400440532013000', 'DE8937')],
  IsIdentityCard: [text('99999999R', 'x', 'ES')],
  IsISRC: [text('USAT29900609', 'x')],
  IsLocale: [text(['de', 'en_US'], '1')],
  IsMagnetURI: [text('magnet:?xt=urn:btih:06E2A9683BF4DA92C73A661AC56F0ECC9C63C5B4', 'x')],
  IsMimeType: [text('text/plain', 'text')],
  IsOctal: [text(['0o17', '17'], '8')],
  IsPassportNumber: [text('C01X00T47', 'x', 'DE')],
  IsPostalCode: [text('10115', 'x', 'DE')],
  IsRgbColor: [text('rgb(0,0,0)', 'rgb(x)')],
  IsSemVer: [text('1.2.3', '1.2')],
  IsStrongPassword: [text('aA1!aaaa', 'abc')],
  IsTaxId: [text('10-1234567', 'x', 'en-US')],
  IsTimeZone: [text('Europe/Berlin', 'Nowhere/X')],
  IsISO4217CurrencyCode: [text('EUR', 'XXY')],
  IsISO6391: [text('de', 'xx')],
  IsDate: [{ accepts: ['2024-05-31T12:00:00Z'], refuses: ['2024-05-31', 'tomorrow', '1', 5, null] }],
  MinDate: [{ args: [new Date(0)], accepts: ['2024-05-31T12:00:00Z'], refuses: ['1960-01-01T00:00:00Z', 'x', 5] }],
  MaxDate: [{ args: [new Date(0)], accepts: ['1960-01-01T00:00:00Z'], refuses: ['2024-05-31T12:00:00Z', 'x', 5] }],
};

/** Applies a decorator of class-validator by name. */
export function decoratorOf(name: string, args: readonly unknown[], each = false): PropertyDecorator {
  const make = (classValidator as unknown as Record<string, (...args: unknown[]) => PropertyDecorator>)[name];
  if (make === undefined) throw new Error(`class-validator has no @${name}`);
  if (!each) return make(...args);
  // Its first parameter is the options when it is no function.
  const parameters = name === 'ArrayUnique' ? args.length : (OPTIONS_AFTER[name] ?? 0);
  return make(...args, ...Array<undefined>(Math.max(0, parameters - args.length)), { each: true });
}

/** How many arguments stand before the options. */
const OPTIONS_AFTER: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    [
      'Equals NotEquals IsIn IsNotIn IsEnum IsNumber Min Max IsDivisibleBy IsNotEmptyObject ArrayMinSize ArrayMaxSize ArrayContains',
      'ArrayNotContains MinLength MaxLength Contains NotContains IsAlpha IsAlphanumeric IsEmail IsUrl IsUUID IsFQDN IsIP IsDecimal',
      'IsBase64 IsCurrency IsMACAddress IsISBN IsISO8601 IsDateString IsPhoneNumber IsHash IsISSN IsNumberString IsIdentityCard',
      'IsPassportNumber IsPostalCode IsRgbColor IsStrongPassword IsTaxId MinDate MaxDate IsInstance IsIBAN',
    ].flatMap((line) => line.split(' ').map((name) => [name, 1] as const)),
  ),
  Length: 2,
  Matches: 2,
  IsByteLength: 2,
  IsMobilePhone: 2,
};
