import { expect, test } from 'bun:test'
import { parseJsonLine } from '../../db/backup/format'
import { DumpReader } from '../../db/backup/reader'

/** Rows as COPY writes them: a backslash is doubled, so a row may look like the marker. */
const ROWS = '1\t\\\\.\n2\tplain\n'
const DUMP = Buffer.from(`COPY\n${ROWS}\\.\n-- {"rows":2}\n`)

async function* splitInto(bytes: number) {
  for (let start = 0; start < DUMP.length; start += bytes) yield DUMP.subarray(start, start + bytes)
}

test('rows end at their marker, however the dump is split into chunks', async () => {
  for (let bytes = 1; bytes <= DUMP.length; bytes++) {
    const reader = new DumpReader(splitInto(bytes))
    expect(await reader.readLine()).toBe('COPY')
    const rows = await Array.fromAsync(reader.readRows())
    expect([bytes, Buffer.concat(rows).toString()]).toEqual([bytes, ROWS])
    expect(await reader.readJson<object>()).toEqual({ rows: 2 })
    await reader.requireEnd()
  }
})

test('a line that does not end is refused before it is all read', async () => {
  let chunks = 0
  async function* endless() {
    for (;;) {
      chunks++
      yield Buffer.alloc(60_000, 'x')
    }
  }
  const reader = new DumpReader(endless())

  await expect(reader.readLine()).rejects.toThrow('The dump is damaged: a line does not end')
  expect(chunks).toBe(2)
})

test('a line that has JSON in its middle is damaged', () => {
  expect(() => parseJsonLine('x-- {"tables":1}')).toThrow('The dump is damaged at: x-- {"tables":1}')
  expect(parseJsonLine('-- {"tables":1}')).toEqual({ tables: 1 })
})

test('rows are passed on chunk by chunk, not gathered', async () => {
  const reader = new DumpReader(splitInto(6))
  await reader.readLine()
  const rows = await Array.fromAsync(reader.readRows())
  expect(rows.length).toBeGreaterThan(1)
})
