// Values that servers have stumbled over, as they are written into requests. A blank ends each.

const split = (list: string) => list.trim().split(/\s+/)

const texts = split(`
  0 true NaN 9876٥43210 ９８７６５４３２１０ 💥 عقد 2026-02-30 0000-01-01 9999-12-31 +010000-01-01 1e400 %s%n %00
  $\{7*7} {{7*7}} ../../etc/passwd <script> javascript:alert(1) http://[::1 https://a@b:c@d/ a@b __proto__ toString
`).concat(
  '',
  ' ',
  'x\n',
  '\r\nx: y',
  'a\0b',
  '\u202egnp.exe',
  'a\u200bb',
  "'; drop table users; --",
  'x'.repeat(5001),
)

/** As JSON's text, because JavaScript cannot hold much of this. */
export const oddJson = [
  ...texts.map(text => JSON.stringify(text)),
  ...split(String.raw`
    null true false 0 -0 1 -1 0.1 1.005 2147483648 -2147483649 9007199254740993 1e400 -1e400 1e-400 1E5 25000.555
    [] {} [null] [[]] [{}] [1,1] [1,"1"] {"a":1} {"$ne":null} {"length":1} {"toString":1} {"toJSON":1} {"then":1}
    {"__proto__":{"is_active":false}} {"constructor":{"prototype":{"polluted":1}}} [{"__proto__":{"unit_name":"x"}}]
    "\ud800" "\udc00x" "\u0000" "\u202e"
  `),
  `[${'1,'.repeat(9999)}1]`,
  `${'['.repeat(33)}${']'.repeat(33)}`,
  `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`,
]

/** Bodies in place of a JSON object. */
export const oddBodies = [
  ...split(
    `{ {} [] [[]] null true 0 "x" {'a':1} [{}] {"a":} {"a":1}{"b":2} {"a":1,} NaN phone_number=9876543210`,
  ),
  '',
  ' ',
  '\0',
  '\ufeff{}',
  '// x\n{}',
  '['.repeat(20_000),
  `"${'x'.repeat(66_000)}"`,
  '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>',
]

/** How files begin that may be attached, and one that may not. */
export const fileStarts = [
  '%PDF-1.7',
  '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x02\x08\x02\0\0\0',
  '\xff\xd8\xff\xe0\0\x10JFIF\0',
  'RIFF\x24\0\0\0WEBPVP8 ',
  'GIF89a',
  '',
].map(text => Buffer.from(text, 'latin1'))

export const oddLines = {
  methods: split('TRACE HEAD OPTIONS PATCH PUT POST GET DELETE QUERY PROPFIND CONNECT'),
  contentTypes: split(`
    text/plain application/x-www-form-urlencoded multipart/form-data;boundary=x application/octet-stream
    application/jsonx nonsense ; application/json;charset=utf-16 Application/JSON application/json\xff __proto__
  `).concat(''),
  pathIds: split(String.raw`
    0 -1 1.0 1e1 0x1 01 +1 %31 2147483648 9007199254740993 %00 1%00 %0 % %E0%A4%A %ED%A0%80 %2F %2e%2e%2f ..; :id * %0A
    %0d%0ax:%20y %F0%9F%92%A5 %D9%A1 null __proto__ constructor '%20or%201=1-- 00000000-0000-0000-0000-000000000000
    " [ | \ a?b a&b 1;select . .. a//b
  `).concat('9'.repeat(400), 'x'.repeat(3000), '\xff'),
  /** Whole query strings. */
  queryStrings: split(
    `& = &&=& % %00=%00 %zz=%zz __proto__[x]=1 constructor[prototype][x]=1 ? # [] x=\xff`,
  ).concat(''),
  queryValues: split(String.raw`
    0 -1 1 1.0 1e2 1e400 0x1 -0 %00 NaN Infinity 1000001 99999999999999999999 %D9%A1 %ED%A0%80 %F0%9F%92%A5 %25%25%25
    %5C id -id --id id,id __proto__ toString TRUE true null DRAFT 560048 5.6e5 %0A ' %22 White%20House + [] {}
  `).concat('', 'x'.repeat(101)),
  /** Values of the Authorization header; TOKEN stands for a valid one. */
  authorizations: [
    ...split(
      'Bearer Basic:YTpi Bearer:a.b.c bearer:TOKEN Bearer:TOKEN:x TOKEN Bearer:TOKEN= Bearer:TOKEN,:Bearer:TOKEN',
    ).map(text => text.replaceAll(':', ' ')),
    '',
    'Bearer \xff',
    `Bearer ${'a'.repeat(5000)}`,
    `Bearer ${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"sub":"1","variant":"a"}').toString('base64url')}.`,
    `Bearer x.${Buffer.from('null').toString('base64url')}.x`,
  ],
}

const toHeaders = (name: string, values: string[]) => values.map((value): [string, string] => [name, value])

export const oddHeaders = [
  ...toHeaders('idempotency-key', ['', ' ', 'x', 'a b', 'é', '\xff', 'x'.repeat(256), '"quoted"', ',']),
  ...toHeaders('host', ['', 'x:99999999', '[::1', 'a b', 'http://x', '\xff', 'user@x', 'x?y', ':80', '*']),
  ...toHeaders('origin', ['null', 'https://evil.example.com', '\xff']),
  ...toHeaders('accept-language', ['x'.repeat(2000), '\xff']),
  ...Object.entries({
    'x-forwarded-for': "1.2.3.4, '; --",
    'x-forwarded-host': 'evil',
    'content-encoding': 'gzip',
    'x-request-id': 'mine',
    range: 'bytes=-1',
    'if-none-match': '*',
    'x-http-method-override': 'DELETE',
    upgrade: 'websocket',
    te: 'trailers',
    'x-setu-signature': '\xff',
  }),
]
